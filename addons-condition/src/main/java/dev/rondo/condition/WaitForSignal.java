package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.MapMaker;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// The add-on for signals, after William Adams' TINN: any task waits for a name, any task sends to
/// that name.
///
/// A name is a string, an enum constant, a number, or any other object, like the key of a map;
/// equal names denote the same signal. So tasks can wait for any object: send its signal when the
/// object changes. To make a task wait that is not running, call
/// `scheduler.queue().scheduleOn(task, signals.signal(object))`.
///
/// To wait for the first of several signals, use [Scheduler#select] or `Select`; to wait for all of
/// them, use [#awaitAll]. [#onAny] and [#onAll] combine several events into one, which any number
/// of tasks can wait for.
///
/// The add-on's task never runs, because a sender wakes the waiters itself. A typed signal is a
/// [Signal].
///
/// Confined to the scheduler's thread.
public final class WaitForSignal implements AddOn {

  private final Scheduler scheduler;

  /// Weak values: a signal without waiters has no state to lose.
  private final ConcurrentMap<Object, Signal<@Nullable Object>> named =
      new MapMaker().concurrencyLevel(1).weakValues().makeMap();

  private WaitForSignal(Scheduler scheduler) {
    this.scheduler = scheduler;
    var _ = scheduler.host().install(this);
  }

  /// {@return the signal add-on of a scheduler} The first call installs it. Never a suspension
  /// point.
  ///
  /// @param scheduler whose tasks wait
  /// @throws IllegalStateException if the scheduler is closed and has no such add-on
  public static WaitForSignal on(Scheduler scheduler) {
    requireNonNull(scheduler, "scheduler is null");
    WaitForSignal present = scheduler.host().addOn(WaitForSignal.class);
    return present != null ? present : new WaitForSignal(scheduler);
  }

  /// Nothing to do.
  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  // Signals as objects.

  /// {@return the signal with a name, to await, send or handle}
  ///
  /// @param name any object; equal names denote the same signal
  /// @throws IllegalArgumentException if the name is itself a waitable, such as a signal, a lock or
  ///   a task
  public Signal<@Nullable Object> signal(Object name) {
    scheduler.host().checkThread();
    return named.computeIfAbsent(
        checked(name), absent -> new Signal<>(scheduler, absent.toString()));
  }

  // Waiting.

  /// Waits until each event has come at least once from now on. *Always* a suspension point, unless
  /// there is no event.
  ///
  /// @param <T> the payloads
  /// @param events may be none
  /// @return the first payload of each, in this order; an empty list at once if there is no event
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile
  /// @throws TaskCancelled if the task is cancelled; it no longer waits
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public final <T extends @Nullable Object> List<T> awaitAll(Event<? extends T>... events) {
    requireNonNull(events, "events is null");
    scheduler.host().checkThread();
    return events.length == 0 ? List.of() : scheduler.host().awaitEvent(onAll(events));
  }

  // Composite signals.

  /// {@return an event that happens when any of the parts happens} Its payload is the index and the
  /// payload of that part.
  ///
  /// @param <T> the payloads of the parts
  /// @param parts at least one
  /// @throws IllegalArgumentException if there is none, or one belongs to another scheduler
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <T extends @Nullable Object> CompositeSignal<Selection<T>> onAny(
      Event<? extends T>... parts) {
    scheduler.host().checkThread();
    return new CompositeSignal.Any<T>(listOf(parts));
  }

  /// {@return an event that happens when each of the parts has happened at least once while a task
  /// waited} Its payload is the first payload of each part, in this order.
  ///
  /// @param <T> the payloads of the parts
  /// @param parts at least one
  /// @throws IllegalArgumentException if there is none, or one belongs to another scheduler
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <T extends @Nullable Object> CompositeSignal<List<T>> onAll(
      Event<? extends T>... parts) {
    scheduler.host().checkThread();
    return new CompositeSignal.All<T>(listOf(parts));
  }

  private static <E> List<E> listOf(E[] parts) {
    requireNonNull(parts, "parts is null");
    for (E part : parts) {
      requireNonNull(part, "part is null");
    }
    return List.of(parts);
  }

  /// {@return the number of tasks that wait for named signals, including handlers' tasks}
  int waiterCount() {
    scheduler.host().checkThread();
    return named.values().stream().mapToInt(Signal::waiterCount).sum();
  }

  /// {@return the tasks that wait for a signal now, in the order they wake up, including handlers'
  /// tasks} A task that waits in several branches of a select is listed for each. A task that waits
  /// for a composite signal is among the waiters of that signal. Never a suspension point.
  ///
  /// @param name of the signal
  List<Task<?>> waiters(Object name) {
    Signal<@Nullable Object> signal = existing(name);
    return signal == null ? List.of() : signal.waiters();
  }

  // Sending.

  /// [Signal#signalOne]. Never a suspension point.
  ///
  /// @param name of the signal
  /// @param payload the result of the wait
  /// @return false if no task waited; the signal is lost
  public boolean signalOne(Object name, @Nullable Object payload) {
    Signal<@Nullable Object> signal = existing(name);
    return signal != null && signal.signalOne(payload);
  }

  /// [Signal#signalAll]. Never a suspension point.
  ///
  /// @param name of the signal
  /// @param payload the result of the waits
  /// @return the number of tasks that were woken; if none, the signal is lost
  public int signalAll(Object name, @Nullable Object payload) {
    Signal<@Nullable Object> signal = existing(name);
    return signal == null ? 0 : signal.signalAll(payload);
  }

  /// [Signal#signalAllImmediate]. Never a suspension point.
  ///
  /// @param name of the signal
  /// @param payload the result of the waits
  /// @return the number of tasks that were woken; if none, the signal is lost
  public int signalAllImmediate(Object name, @Nullable Object payload) {
    Signal<@Nullable Object> signal = existing(name);
    return signal == null ? 0 : signal.signalAllImmediate(payload);
  }

  /// The signal with a name; null if no task can be waiting for it.
  private @Nullable Signal<@Nullable Object> existing(Object name) {
    scheduler.host().checkThread();
    return named.get(checked(name));
  }

  private static Object checked(Object name) {
    requireNonNull(name, "name is null");
    if (name instanceof Waitable<?>) {
      throw new IllegalArgumentException(
          "%s is not a name: send it, or wait for it, by its own methods".formatted(name));
    }
    return name;
  }
}
