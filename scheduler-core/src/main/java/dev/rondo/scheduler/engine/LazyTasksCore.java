package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.LazyTasks;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The implementation of [LazyTasks].
///
/// @param <E> the type of the subjects of the tasks
public final class LazyTasksCore<E> extends LazyTasks<E> {

  /// In place of a ticket: the task was made.
  private static final long MADE = -1;

  private final Loop loop;
  private final TaskFactory taskFactory;
  private final LazyStackfulTasks<E> kind;

  LazyTasksCore(Loop loop, TaskFactory taskFactory, Body<E> body) {
    this.loop = loop;
    this.taskFactory = taskFactory;
    this.kind = new LazyStackfulTasks<>(loop, body);
  }

  @Override
  public long schedule(E subject) {
    taskFactory.requireOpen();
    Objects.requireNonNull(subject, "subject is null");
    if (loop.isLazy()) {
      return loop.addLazily(kind, subject);
    }
    loop.made(kind.newTask(subject)).becomeReady(Place.BACK);
    return MADE;
  }

  @Override
  public @Nullable Inheritance inheritance() {
    loop.checkCaller();
    return Inherited.now(loop);
  }

  @Override
  public long schedule(E subject, Inheritance inherited) {
    taskFactory.requireOpen();
    Objects.requireNonNull(subject, "subject is null");
    Inherited own = (Inherited) Objects.requireNonNull(inherited, "inherited is null");
    loop.made(kind.newTask(subject, own)).becomeReady(Place.BACK);
    return MADE;
  }

  @Override
  public boolean unschedule(E subject, long ticket) {
    loop.checkCaller();
    Objects.requireNonNull(subject, "subject is null");
    return ticket != MADE && loop.removeLazy(subject, ticket);
  }
}
