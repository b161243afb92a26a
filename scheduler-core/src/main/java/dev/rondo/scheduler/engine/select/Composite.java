package dev.rondo.scheduler.engine.select;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskRunner;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.WaitStep;
import dev.rondo.scheduler.engine.WaiterCore;
import dev.rondo.scheduler.engine.rooms.HeldWait;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A waitable that consists of other waitables, or is made for each wait.
public abstract sealed class Composite<T extends @Nullable Object> extends WaitStep<T>
    permits Choice, Composite.Mapped, Composite.Guard, Composite.Constant {

  @Override
  public final Waitable<T> prepared(Task<?> task) {
    Waitable<T> ready = ready();
    requireOwn(ready, TaskCore.of(task));
    return ready;
  }

  /// Makes the waitable that is armed for one wait. Runs user code (guards) in the waiting task.
  Waitable<T> ready() {
    return this;
  }

  /// Requires that the parts belong to the scheduler of a task.
  void requirePartsOwn(TaskCore<?> task) {}

  // Operations on a part of any kind.

  static <T extends @Nullable Object> Waitable<T> ready(Waitable<T> waitable) {
    return waitable instanceof Composite<T> composite ? composite.ready() : waitable;
  }

  static void requireOwn(Waitable<?> waitable, TaskCore<?> task) {
    if (waitable instanceof Composite<?> composite) {
      composite.requirePartsOwn(task);
    } else {
      task.requireOwn(waitable);
    }
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // a source delivers values of its type T
  static <T extends @Nullable Object> T finish(Waitable<T> waitable, @Nullable Object raw) {
    return waitable instanceof WaitStep<T> step ? step.finish(raw) : (T) raw;
  }

  /// Whether a waiter may stay armed on a waitable between two waits, see [Source#mayStayArmed()].
  static boolean mayStayArmed(Waitable<?> waitable) {
    return waitable instanceof Source<?> source && source.mayStayArmed();
  }

  static boolean wasEager(Waitable<?> waitable, @Nullable Object raw) {
    return waitable instanceof WaitStep<?> step ? step.wasEager(raw) : WaitStep.isEager(waitable);
  }

  /// [Waitable#map].
  public static final class Mapped<A extends @Nullable Object, T extends @Nullable Object>
      extends Composite<T> implements HeldWait<T> {

    private final Waitable<A> inner;
    private final Function<? super A, ? extends T> function;

    public Mapped(Waitable<A> inner, Function<? super A, ? extends T> function) {
      this.inner = inner;
      this.function = Objects.requireNonNull(function, "function is null");
    }

    @Override
    void requirePartsOwn(TaskCore<?> task) {
      requireOwn(inner, task);
    }

    @Override
    Waitable<T> ready() {
      Waitable<A> ready = ready(inner);
      return ready == inner ? this : new Mapped<>(ready, function);
    }

    @Override
    public T finish(@Nullable Object raw) {
      return function.apply(finish(inner, raw));
    }

    @Override
    public boolean wasEager(@Nullable Object raw) {
      return wasEager(inner, raw);
    }

    @Override
    public boolean isHeld(Predicate<? super TaskCore<?>> condition) {
      return HeldWait.isHeld(inner, condition);
    }

    @Override
    public boolean eachHolder(BiPredicate<Waitable<?>, TaskCore<?>> visitor) {
      return HeldWait.eachHolder(inner, visitor);
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
      return WaitStep.isEager(inner);
    }

    @Override
    public boolean mayStayArmed() {
      return Composite.mayStayArmed(inner);
    }

    @Override
    public @Nullable Task<?> holder() {
      return inner.holder();
    }

    @Override
    public @Nullable TaskRunner scheduler() {
      return inner.scheduler();
    }

    /// The inner source delivers its own type of value, which [#finish] turns into the type of this
    /// event.
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
  public static final class Guard<T extends @Nullable Object> extends Composite<T> {

    private final Supplier<? extends Waitable<? extends T>> maker;

    public Guard(Supplier<? extends Waitable<? extends T>> maker) {
      this.maker = Objects.requireNonNull(maker, "maker is null");
    }

    @Override
    @SuppressWarnings("unchecked")
    Waitable<T> ready() {
      return (Waitable<T>)
          ready(Objects.requireNonNull(maker.get(), "what the guard made is null"));
    }

    @Override
    public T finish(@Nullable Object raw) {
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
  public static final class Constant<T extends @Nullable Object> extends Composite<T> {

    private static final Constant<@Nullable Object> NEVER = new Constant<>(null, false);

    private final T value;
    private final boolean there;

    public Constant(T value, boolean there) {
      this.value = value;
      this.there = there;
    }

    @SuppressWarnings("unchecked")
    public static <T extends @Nullable Object> Waitable<T> never() {
      return (Waitable<T>) (Waitable<?>) NEVER;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the value of this event
    public T finish(@Nullable Object raw) {
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
