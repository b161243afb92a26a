package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.CancelScope;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.Generator;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskQueue;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.engine.util.RoomClass;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The methods of the engine that *faces* call, the types that programs and add-ons see. The only
/// type of the engine that this class names is [Settings]. So faces do not depend on the engine,
/// and the engine depends on faces.
///
/// A sealed face permits a type nested in this class. The engine extends that type. Programs
/// cannot, because this package is not exported.
public abstract class Faces {

  private static final Faces ALL = RoomClass.ALL_ROOMS.make(Faces.class);

  /// For the engine.
  Faces() {}

  /// {@return the engine}
  public static Faces all() {
    return ALL;
  }

  /// {@return code without a result, as code that returns null}
  public static <X extends Exception> TaskCall<@Nullable Void, X> callable(TaskAction<X> code) {
    Objects.requireNonNull(code, "code is null");
    return () -> {
      code.run();
      return null;
    };
  }

  // The types that faces permit.

  /// A [Scheduler] is one of these.
  public abstract static non-sealed class Whole extends Scheduler {}

  /// Each [Task] is one of these; a step task is a [Steps], too.
  ///
  /// @param <T> the type of the result
  public non-sealed interface Any<T extends @Nullable Object> extends Task<T> {}

  /// A [StepTask] is one of these.
  ///
  /// @param <T> the type of the result
  public non-sealed interface Steps<T extends @Nullable Object> extends StepTask<T> {

    /// See [dev.rondo.scheduler.internal.rooms.StepControl#watchUntil].
    StepResult watchUntil(long deadlineNanos);

    /// See [dev.rondo.scheduler.internal.rooms.StepControl#moveDeadline].
    boolean moveDeadline(long deadlineNanos);

    /// See [dev.rondo.scheduler.internal.rooms.StepControl#dropDeadline].
    boolean dropDeadline();
  }

  /// A [Waiter] is one of these.
  ///
  /// @param <T> the type of the value of the event
  public abstract static non-sealed class Waiting<T extends @Nullable Object> extends Waiter<T> {}

  /// A [TaskGroup] is one of these, so that programs cannot extend it.
  ///
  /// @param <T> the common type of the results of its tasks
  public abstract static non-sealed class Group<T extends @Nullable Object> extends TaskGroup<T> {

    /// See [dev.rondo.scheduler.internal.rooms.TaskControl#spawnFor].
    public abstract <U extends T> Task<U> spawnFor(
        Task<?> maker, String name, TaskCall<? extends U, ?> code);
  }

  /// A [CancelScope] is one of these.
  public abstract static non-sealed class Scope extends CancelScope {}

  /// A [Generator] is one of these.
  ///
  /// @param <T> the type of the elements
  public abstract static non-sealed class Elements<T extends @Nullable Object>
      extends Generator<T> {}

  /// A [Select] is one of these.
  public abstract static non-sealed class Selecting extends Select {}

  /// The host of a scheduler's add-ons.
  public abstract static non-sealed class Host implements AddOnHost {

    /// Makes add-ons ready that want to look once more before a run ends or is deadlocked.
    ///
    /// @param again whether the add-ons have just looked, and this run has had no other work since
    /// @return whether there is such an add-on
    protected abstract boolean beginLastLook(boolean again);
  }

  /// A [TaskQueue] is one of these.
  public abstract static non-sealed class Queue implements TaskQueue {}

  // The methods that faces call.

  /// See [dev.rondo.scheduler.SchedulerBuilder#build()].
  public abstract Scheduler scheduler(Settings settings);

  /// The scheduler that is running on this thread; null if there is none.
  public abstract @Nullable Scheduler currentOrNull();

  /// The scheduler that is running on this thread.
  ///
  /// @throws IllegalStateException if none is
  public final Scheduler current() {
    Scheduler current = currentOrNull();
    if (current == null) {
      throw new IllegalStateException(
          "no scheduler is running on thread '%s': this call is for code inside of a task"
              .formatted(Thread.currentThread().getName()));
    }
    return current;
  }

  /// Makes a group, on the thread of its scheduler.
  public abstract <T extends @Nullable Object> TaskGroup<T> group(
      Scheduler scheduler, String name, TaskGroup.Policy policy);

  /// Makes a scope, on the thread of its scheduler.
  public abstract CancelScope scope(Scheduler scheduler, String name);

  /// Makes a generator.
  public abstract <T extends @Nullable Object> Generator<T> generator(
      Scheduler scheduler, String name, Generator.Body<T> body);

  /// See [Waitable#map].
  public abstract <A extends @Nullable Object, R extends @Nullable Object> Waitable<R> map(
      Waitable<A> inner, Function<? super A, ? extends R> function);

  /// See [Waitable#anyOf].
  public abstract <T extends @Nullable Object> Waitable<T> anyOf(
      List<? extends Waitable<? extends T>> parts);

  /// See [Scheduler#select].
  public abstract <T extends @Nullable Object> Waitable<Selection<T>> select(
      Waitable<? extends T>[] branches);

  /// See [Waitable#guard].
  public abstract <T extends @Nullable Object> Waitable<T> guard(
      Supplier<? extends Waitable<? extends T>> maker);

  /// See [Waitable#never()].
  public abstract <T extends @Nullable Object> Waitable<T> never();

  /// See [Waitable#always].
  public abstract <T extends @Nullable Object> Waitable<T> always(T value);

  /// A select without branches.
  ///
  /// @param random chooses between events that have come; null if the first branch is preferred
  public abstract Select newSelect(@Nullable RandomGenerator random);

  /// The completion of a future of any kind, for one wait.
  ///
  /// @param cancels whether to cancel the future when the wait is given up
  /// @param ifLate receives a result that comes after the wait was given up
  public abstract <T extends @Nullable Object> Waitable<T> completion(
      Future<T> future, boolean cancels, Consumer<? super T> ifLate);

  /// An iterator over elements that are awaited.
  ///
  /// @param source shown in messages
  /// @param receiving waits for the next element; the result is empty if there are no more elements
  public abstract <T> Iterator<T> elements(Object source, Supplier<Optional<T>> receiving);

  /// The instruments of a scheduler: those that the class path provides, followed by its own.
  ///
  /// @throws IllegalStateException if an instrument cannot be loaded
  public abstract List<Instrument> instruments(List<Instrument> own);

  /// The handler of failures that a scheduler has if its builder sets none.
  public abstract FailureHandler failureLog();

  /// Closes a result for which no task waits any more, unless the program handles it otherwise.
  public abstract void close(@Nullable Object late);
}
