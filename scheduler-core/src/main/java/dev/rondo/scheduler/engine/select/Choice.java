package dev.rondo.scheduler.engine.select;

import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.WaitStep;
import dev.rondo.scheduler.engine.WaiterCore;
import dev.rondo.scheduler.engine.rooms.HeldWait;
import dev.rondo.scheduler.internal.rooms.Attachment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An event that comes when the first of several events comes. `select` and [Waitable#anyOf] wait
/// for a choice. A wait has one [SelectCase] for each part. The cases are attached to the waiter
/// with which the choice was armed.
///
/// @param <T> the type of the value that a part delivers
/// @param <V> the type of the result of the wait
public abstract sealed class Choice<T extends @Nullable Object, V extends @Nullable Object>
    extends Composite<V> implements HeldWait<V> {

  private final Waitable<?>[] parts;

  /// The cases of an earlier wait, for reuse in the next wait, so that a choice that is awaited in
  /// a loop needs no new cases. Null while they serve a wait.
  private @Nullable SelectCases spare;

  /// The loop whose tasks may wait for all parts; null until the first wait has asked the parts. It
  /// does not change afterwards.
  private @Nullable Loop home;

  private Choice(Waitable<?>[] parts) {
    this.parts = parts;
  }

  /// {@return [Waitable#anyOf]}
  public static <T extends @Nullable Object> Choice<T, T> anyOf(
      List<? extends Waitable<? extends T>> parts) {
    return new AnyOf<>(checked(parts.toArray(new Waitable<?>[0]), "part is null"));
  }

  /// {@return the event that [dev.rondo.scheduler.Scheduler#select] waits for}
  public static <T extends @Nullable Object> Choice<T, Selection<T>> select(
      Waitable<? extends T>[] branches) {
    // A copy of this exact type: the event that a guard makes replaces the guard in the array.
    var parts = Arrays.copyOf(branches, branches.length, Waitable[].class);
    return new Indexed<>(checked(parts, "branch is null"));
  }

  private static Waitable<?>[] checked(Waitable<?>[] parts, String messageForNull) {
    for (Waitable<?> part : parts) {
      Objects.requireNonNull(part, messageForNull);
    }
    if (parts.length == 0) {
      throw new IllegalArgumentException(
          "a choice needs at least one part; for an event that never comes use Waitable.never()");
    }
    return parts;
  }

  private static final class AnyOf<T extends @Nullable Object> extends Choice<T, T> {

    AnyOf(Waitable<?>[] parts) {
      super(parts);
    }

    @Override
    Waitable<T> with(Waitable<?>[] ready) {
      return new AnyOf<>(ready);
    }

    @Override
    T result(SelectCase winner, T value) {
      return value;
    }
  }

  private static final class Indexed<T extends @Nullable Object> extends Choice<T, Selection<T>> {

    Indexed(Waitable<?>[] parts) {
      super(parts);
    }

    @Override
    Waitable<Selection<T>> with(Waitable<?>[] ready) {
      return new Indexed<>(ready);
    }

    @Override
    Selection<T> result(SelectCase winner, T value) {
      return new Selection<>(winner.index(), value);
    }
  }

  /// Makes this choice with parts that were prepared for a wait.
  abstract Waitable<V> with(Waitable<?>[] ready);

  /// The result of the wait.
  abstract V result(SelectCase winner, T value);

  @Override
  public boolean isHeld(Predicate<? super TaskCore<?>> condition) {
    for (Waitable<?> part : parts) {
      if (!HeldWait.isHeld(part, condition)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean eachHolder(BiPredicate<Waitable<?>, TaskCore<?>> visitor) {
    for (Waitable<?> part : parts) {
      if (!HeldWait.eachHolder(part, visitor)) {
        return false;
      }
    }
    return true;
  }

  @Override
  void requirePartsOwn(TaskCore<?> task) {
    if (home == task.loop) {
      return;
    }
    for (Waitable<?> part : parts) {
      requireOwn(part, task);
    }
    home = task.loop;
  }

  @Override
  Waitable<V> ready() {
    Waitable<?>[] ready = null;
    for (int i = 0; i < parts.length; i++) {
      Waitable<?> part = ready(parts[i]);
      if (part != parts[i]) {
        ready = ready == null ? parts.clone() : ready;
        ready[i] = part;
      }
    }
    return ready == null ? this : with(ready);
  }

  @Override
  @SuppressWarnings("unchecked")
  public V finish(@Nullable Object raw) {
    SelectCase winner = winner(raw);
    SelectCases cases = winner.cases();
    Object value = cases.raw();
    cases.forget();
    spare = cases; // before any user code, which may wait for this choice again
    return result(winner, (T) finish(winner.source(), value));
  }

  @Override
  public boolean wasEager(@Nullable Object raw) {
    SelectCase winner = winner(raw);
    SelectCases cases = winner.cases();
    return wasEager(winner.source(), cases.raw());
  }

  private static SelectCase winner(@Nullable Object raw) {
    if (raw instanceof SelectCase winner) {
      return winner;
    }
    throw new AssertionError("a choice was settled with " + raw);
  }

  @Override
  public boolean poll(Waiter<? super V> waiter) {
    var wait = (WaiterCore<?>) waiter;
    SelectCases cases = begin(wait);
    try {
      if (cases.poll()) {
        return true;
      }
    } catch (Throwable e) {
      giveUp(cases);
      throw e;
    }
    if (wait instanceof TryWaiter) {
      cases.endPoll();
      spare = cases;
    }
    return false;
  }

  /// Attaches cases for a wait to its waiter.
  private SelectCases begin(WaiterCore<?> wait) {
    SelectCases cases = spare;
    Loop loop = wait.loop();
    if (cases != null && cases.canServe(loop)) {
      spare = null;
      cases.serve(wait);
    } else {
      cases = new SelectCases(parts, wait, loop);
    }
    wait.attachment = cases;
    return cases;
  }

  private void giveUp(SelectCases cases) {
    cases.leave();
    spare = cases;
  }

  @Override
  public void arm(Waiter<? super V> waiter) {
    SelectCases cases =
        Attachment.of(waiter) instanceof SelectCases polled
            ? polled
            : begin((WaiterCore<?>) waiter);
    try {
      cases.arm();
    } catch (Throwable e) {
      giveUp(cases);
      throw e;
    }
  }

  @Override
  public void disarm(Waiter<? super V> waiter) {
    if (Attachment.of(waiter) instanceof SelectCases cases) {
      giveUp(cases);
    }
  }

  @Override
  public boolean isEager() {
    for (Waitable<?> part : parts) {
      if (!WaitStep.isEager(part)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "any of " + List.of(parts);
  }
}
