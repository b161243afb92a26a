package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.engine.util.RoomClass;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The methods of the engine that events and waits call. They are called by *faces*, which are the
/// types of the engine that programs and add-ons see. [Engine] has the methods that schedulers
/// call. This class names no other type of the engine than [Place]. So faces do not depend on the
/// engine, and the engine depends on faces.
///
/// A sealed face permits a type nested in this class or in [Engine]. The engine extends that type.
/// Programs cannot, because this package is not exported.
public abstract class Faces {

  /// Holds the engine, whose class extends this class. If this class held the engine, two threads
  /// that initialize the two classes could wait for each other.
  private static final class Holder {
    static final Faces ALL = RoomClass.ALL_ROOMS.make(Faces.class);
  }

  /// For [Engine].
  Faces() {}

  /// {@return the engine}
  public static Faces all() {
    return Holder.ALL;
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

  /// Each [Waiter] is one of these: its place in a [WaitQueue], and the methods that settle its
  /// wait.
  ///
  /// @param <T> the type of the value of the event
  public abstract static non-sealed class Waiting<T extends @Nullable Object> extends Waiter<T> {

    /// The neighbours in the [WaitQueue], and the queue itself; null outside of a queue. Only the
    /// queue writes these fields.
    public @Nullable Waiting<?> after;

    public @Nullable Waiting<?> before;
    public @Nullable WaitQueue<?> queue;

    /// Whether this waiter may rest in a queue between two waits, see [#isResting()].
    public final boolean mayRest;

    /// @param mayRest whether the waiter may rest in a queue between two waits, see [#isResting()]
    protected Waiting(boolean mayRest) {
      this.mayRest = mayRest;
    }

    /// {@return the implementation of a waiter}
    public static <T extends @Nullable Object> Waiting<T> of(Waiter<T> waiter) {
      return (Waiting<T>) Objects.requireNonNull(waiter, "waiter is null");
    }

    /// Whether this waiter is in a queue but does not wait now. The queue passes over such a
    /// waiter, and drops it.
    public boolean isResting() {
      return false;
    }

    /// Checks that the caller is on the scheduler's thread.
    public abstract void checkCaller();

    /// Settles the wait to which this waiter belongs, once.
    ///
    /// @param raw the value as the source delivers it, see [WaitStep#finish]
    /// @param failure null for a value
    /// @param place where the task joins the ready queue if it was parked
    /// @return false if the wait is settled or over, or is promised to another thread
    public abstract boolean settle(@Nullable Object raw, @Nullable Throwable failure, Place place);

    /// See [Turns#cutShort].
    public abstract StackOverflowError cutShort(String change, StackOverflowError error);
  }

  // The methods that faces call.

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

  /// Closes a result for which no task waits any more, unless the program handles it otherwise.
  public abstract void close(@Nullable Object late);
}
