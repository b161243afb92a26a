package dev.rondo.scheduler.engine.lazy;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Trap;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.TaskCore;
import org.jspecify.annotations.Nullable;

/// The kind of lazy tasks that have stacks: the tasks of [LazyTasks].
///
/// Confined to the scheduler's thread.
///
/// @param <E> the type of the subjects of the tasks
final class LazyStackfulTasks<E> extends LazyKind {

  private final LazyTasks.Body<E> body;

  /// The body of the last turn, for reuse; null if its task has kept the coroutine.
  private @Nullable LazyCoroutineBody<E> spare;

  /// The body of the present turn; null between turns.
  private @Nullable LazyCoroutineBody<E> current;

  LazyStackfulTasks(Loop loop, LazyTasks.Body<E> body) {
    super(loop);
    this.body = body;
  }

  /// Makes a task before its turn.
  StackfulTask<@Nullable Void> newTask(E subject) {
    return withBody(subject, new StackfulTask<>(loop, body.name(subject), () -> run(subject)));
  }

  /// Makes a task before its turn. The task inherits from earlier code, and not from the caller.
  StackfulTask<@Nullable Void> newTask(E subject, Inherited inherited) {
    var task =
        new StackfulTask<@Nullable Void>(
            loop, body.name(subject), loop.nextTaskId(), loop.runningId(), () -> run(subject));
    inherited.giveTo(task);
    return withBody(subject, task);
  }

  private @Nullable Void run(E subject) throws Exception {
    body.run(subject);
    return null;
  }

  private StackfulTask<@Nullable Void> withBody(E subject, StackfulTask<@Nullable Void> task) {
    task.trap(new BodyTrap<>(body, subject));
    body.made(subject, task);
    return task;
  }

  private record BodyTrap<E>(LazyTasks.Body<E> body, E subject) implements Trap<@Nullable Void> {

    @Override
    public Outcome<@Nullable Void> settle(
        Task<@Nullable Void> task, Outcome<@Nullable Void> outcome) {
      body.ended(subject, task, outcome);
      return outcome;
    }
  }

  @Override
  TaskCore<?> make(Object subject, long id, long parentId, boolean running) {
    E own = of(subject);
    LazyCoroutineBody<E> stack = current;
    if (!running || stack == null) {
      return withBody(own, new StackfulTask<>(loop, body.name(own), id, parentId, () -> run(own)));
    }
    var task = new StackfulTask<@Nullable Void>(loop, body.name(own), id, parentId, null);
    stack.becomes(task);
    return stack.isTrapped() ? task : withBody(own, task);
  }

  @Override
  TaskCore<?> portrait(Object subject, long id, long parentId) {
    return new StackfulTask<@Nullable Void>(loop, body.name(of(subject)), id, parentId, null);
  }

  @SuppressWarnings("unchecked") // chains of this kind have no other subjects
  E of(Object subject) {
    return (E) subject;
  }

  @Override
  @Nullable TaskCore<?> turn(LazyChain chain) {
    LazyCoroutineBody<E> stack = spare;
    if (stack == null) {
      stack = new LazyCoroutineBody<>(loop, this, body);
    }
    spare = null;
    current = stack;
    Coroutine.Pause pause = stack.begin(chain);
    current = null;
    StackfulTask<?> task = stack.task();
    if (task == null) {
      spare = stack;
    } else {
      task.left(pause);
    }
    return task;
  }
}
