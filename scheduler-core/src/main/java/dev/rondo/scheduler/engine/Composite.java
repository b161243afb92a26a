package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A waitable that consists of other waitables. It may have to be prepared before a wait, and
/// computes the value of the wait from the value that a part delivers.
abstract sealed class Composite<T extends @Nullable Object> implements Waitable<T>
    permits Choice, Composite.Mapped, Composite.Guard, Composite.Constant {

  /// Prepares this waitable for one wait. Runs user code (guards) in the waiting task.
  Waitable<T> prepared() {
    return this;
  }

  /// Makes the value of the wait from the value with which the waiter was fired. Runs user code in
  /// the waiting task.
  abstract T finish(@Nullable Object raw);

  /// [#isEager()] of the part that delivered.
  boolean wasEager(@Nullable Object raw) {
    return isEager();
  }

  /// Prepares a waitable for one wait of a task. The waiter of the task accepts values of any type.
  ///
  /// @throws IllegalStateException if it belongs to another scheduler
  @SuppressWarnings("unchecked")
  static Waitable<Object> prepared(Waitable<?> asked, TaskCore<?> task) {
    Waitable<?> waitable = asked instanceof Composite<?> composite ? composite.prepared() : asked;
    requireOwn(waitable, task);
    return (Waitable<Object>) waitable;
  }

  static void requireOwn(Waitable<?> waitable, TaskCore<?> task) {
    if (waitable instanceof Composite<?> composite) {
      composite.requirePartsOwn(task);
      return;
    }
    Loop loop = task.loop;
    Scheduler owner = waitable.scheduler();
    if (owner != null && owner != loop.scheduler) {
      throw new IllegalStateException(
          "task '"
              + task.name()
              + "' awaits "
              + WaitDescriptions.describe(waitable)
              + " of another scheduler: await completion(..) of a future or task instead, or hand"
              + " the event over with post(..)");
    }
  }

  /// Requires that its parts belong to the scheduler of a task.
  void requirePartsOwn(TaskCore<?> task) {}

  static <T extends @Nullable Object> Waitable<T> prepared(Waitable<T> waitable) {
    return waitable instanceof Composite<T> composite ? composite.prepared() : waitable;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // what a source delivers is one of its T
  static <T extends @Nullable Object> T finish(Waitable<T> waitable, @Nullable Object raw) {
    return waitable instanceof Composite<T> composite ? composite.finish(raw) : (T) raw;
  }

  static boolean wasEager(Waitable<?> waitable, @Nullable Object raw) {
    return waitable instanceof Composite<?> composite
        ? composite.wasEager(raw)
        : waitable.isEager();
  }

  /// [Waitable#map].
  static final class Mapped<A extends @Nullable Object, T extends @Nullable Object>
      extends Composite<T> {

    private final Waitable<A> inner;
    private final Function<? super A, ? extends T> function;

    Mapped(Waitable<A> inner, Function<? super A, ? extends T> function) {
      this.inner = inner;
      this.function = Objects.requireNonNull(function, "function is null");
    }

    Waitable<A> inner() {
      return inner;
    }

    @Override
    void requirePartsOwn(TaskCore<?> task) {
      requireOwn(inner, task);
    }

    @Override
    Waitable<T> prepared() {
      Waitable<A> ready = prepared(inner);
      return ready == inner ? this : new Mapped<>(ready, function);
    }

    @Override
    T finish(@Nullable Object raw) {
      return function.apply(finish(inner, raw));
    }

    @Override
    boolean wasEager(@Nullable Object raw) {
      return wasEager(inner, raw);
    }

    @Override
    public boolean poll(Waiter<? super T> waiter) {
      return inner.poll(below(waiter));
    }

    @Override
    public void arm(Waiter<? super T> waiter) {
      inner.arm(below(waiter));
    }

    @Override
    public void disarm(Waiter<? super T> waiter) {
      inner.disarm(below(waiter));
    }

    @Override
    public boolean isEager() {
      return inner.isEager();
    }

    @Override
    public boolean mayStayArmed() {
      return inner.mayStayArmed();
    }

    @Override
    public @Nullable Task<?> holder() {
      return inner.holder();
    }

    @Override
    public @Nullable Scheduler scheduler() {
      return inner.scheduler();
    }

    /// The inner source delivers its own kind of value; [#finish] turns it into ours.
    @SuppressWarnings("unchecked")
    private Waiter<A> below(Waiter<? super T> waiter) {
      return (Waiter<A>) (Waiter<?>) waiter;
    }

    @Override
    public String toString() {
      return inner.toString();
    }
  }

  /// [Waitable#guard].
  static final class Guard<T extends @Nullable Object> extends Composite<T> {

    private final Supplier<? extends Waitable<? extends T>> maker;

    Guard(Supplier<? extends Waitable<? extends T>> maker) {
      this.maker = Objects.requireNonNull(maker, "maker is null");
    }

    @Override
    @SuppressWarnings("unchecked")
    Waitable<T> prepared() {
      return (Waitable<T>)
          prepared(Objects.requireNonNull(maker.get(), "what the guard made is null"));
    }

    @Override
    T finish(@Nullable Object raw) {
      throw unprepared();
    }

    @Override
    public boolean poll(Waiter<? super T> waiter) {
      throw unprepared();
    }

    @Override
    public void arm(Waiter<? super T> waiter) {
      throw unprepared();
    }

    @Override
    public void disarm(Waiter<? super T> waiter) {
      throw unprepared();
    }

    private static IllegalStateException unprepared() {
      return new IllegalStateException(
          "a guard is made for each wait; await it, select it, or put it into Waitable.anyOf,"
              + " instead of polling or arming it");
    }

    @Override
    public String toString() {
      return "guard";
    }
  }

  /// [Waitable#always] and [Waitable#never].
  static final class Constant<T extends @Nullable Object> extends Composite<T> {

    private static final Constant<@Nullable Object> NEVER = new Constant<>(null, false);

    private final T value;
    private final boolean there;

    Constant(T value, boolean there) {
      this.value = value;
      this.there = there;
    }

    @SuppressWarnings("unchecked")
    static <T extends @Nullable Object> Waitable<T> never() {
      return (Waitable<T>) (Waitable<?>) NEVER;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // it was our value
    T finish(@Nullable Object raw) {
      return (T) raw;
    }

    @Override
    public boolean poll(Waiter<? super T> waiter) {
      return there && WaiterCore.settle(waiter, value, null, Place.BACK);
    }

    @Override
    public void arm(Waiter<? super T> waiter) {
      if (there) {
        WaiterCore.settle(waiter, value, null, Place.BACK);
      }
    }

    @Override
    public void disarm(Waiter<? super T> waiter) {
      // Nothing is kept.
    }

    @Override
    public String toString() {
      return there ? "always " + value : "never";
    }
  }
}
