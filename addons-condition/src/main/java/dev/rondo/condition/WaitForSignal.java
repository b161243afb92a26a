package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.MapMaker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// The add-on that tasks wait for signals with, after William Adams' TINN: any task waits for a
/// name, any task sends to that name.
///
/// A name is a word, an enum constant, a number, or any other object, as the key of a map is; equal
/// names are the same signal. So an object of yours can be waited for: send its signal when it
/// changes. To have a task that does not run wait for one use `scheduler.queue().scheduleOn(task,
/// signals.signal(object))`.
///
/// Its task never has a turn: a signal goes straight from the sender to the waiters, so there is
/// nothing to poll. For a signal with a type, or for use in a select, there is [Signal].
///
/// Confined to the scheduler's thread.
public final class WaitForSignal implements AddOn {

  private final Scheduler scheduler;

  /// A signal is kept as long as somebody waits for it or holds it; it has no other state to lose.
  private final ConcurrentMap<Object, Signal<@Nullable Object>> named =
      new MapMaker().concurrencyLevel(1).weakValues().makeMap();

  private WaitForSignal(Scheduler scheduler) {
    this.scheduler = scheduler;
    var _ = scheduler.host().install(this);
  }

  /// {@return the signal add-on of a scheduler} The first call installs it. Never a suspension
  /// point.
  ///
  /// @param scheduler the one to wait in
  /// @throws IllegalStateException if it has none and is closed
  public static WaitForSignal on(Scheduler scheduler) {
    requireNonNull(scheduler, "scheduler is null");
    WaitForSignal present = scheduler.addOn(WaitForSignal.class);
    return present != null ? present : new WaitForSignal(scheduler);
  }

  /// Nothing to do.
  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  // Signals as objects.

  /// {@return the signal of a name: to await it with a timeout, or in a select}
  ///
  /// @param name any object; equal names, the same signal
  /// @throws IllegalArgumentException if the name is a signal, a lock, a task or the like: those
  ///   are awaited themselves
  public Signal<@Nullable Object> signal(Object name) {
    scheduler.host().checkThread();
    return named.computeIfAbsent(
        checked(name), absent -> new Signal<>(scheduler, absent.toString()));
  }

  // Waiting.

  /// Waits until the signal is sent. *Always* a suspension point.
  ///
  /// @param name which one
  /// @return its payload
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws TaskCancelled if the task is cancelled; it does not wait any more
  public @Nullable Object waitForSignal(Object name) {
    return scheduler.await(signal(name));
  }

  /// Waits until each has come at least once from now on. *Always* a suspension point.
  ///
  /// To wait for whichever comes first there is [Scheduler#select].
  ///
  /// @param <T> what they carry
  /// @param events at least one
  /// @return the first payload of each, in this order
  /// @throws IllegalArgumentException if there is none
  /// @throws IllegalStateException outside a stackful task of this scheduler, or if the wait was
  ///   ended by `scheduleTask`
  /// @throws TaskCancelled if the task is cancelled; it does not wait any more
  @SafeVarargs
  @SuppressWarnings({"varargs", "unchecked"}) // only read; what a composite of ours comes with
  public final <T extends @Nullable Object> List<T> awaitAll(Event<? extends T>... events) {
    Waitable<?> all = onAll(events);
    if (scheduler.await(all) instanceof List<?> payloads) {
      return (List<T>) payloads;
    }
    throw new IllegalStateException(
        "the wait for %s was ended by scheduleTask before all of it came".formatted(all));
  }

  // Combinations.

  /// {@return an event that happens when any of the parts does, for all who wait for it} It carries
  /// which part it was, and the payload of that.
  ///
  /// @param <T> what the parts result in
  /// @param parts at least one
  /// @throws IllegalArgumentException if there is none, or one belongs to another scheduler
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <T extends @Nullable Object> CompositeSignal<Selection<T>> onAny(
      Event<? extends T>... parts) {
    scheduler.host().checkThread();
    return new CompositeSignal.Any<T>(List.of(parts));
  }

  /// {@return an event that happens when each of the parts has happened at least once while
  /// somebody waited} It carries the first payload of each, in this order.
  ///
  /// @param <T> what the parts result in
  /// @param parts at least one
  /// @throws IllegalArgumentException if there is none, or one belongs to another scheduler
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <T extends @Nullable Object> CompositeSignal<List<T>> onAll(
      Event<? extends T>... parts) {
    scheduler.host().checkThread();
    return new CompositeSignal.All<T>(List.of(parts));
  }

  /// {@return how many tasks wait for named signals, handlers included}
  public int waiterCount() {
    scheduler.host().checkThread();
    return named.values().stream().mapToInt(Signal::waiterCount).sum();
  }

  /// {@return whether tasks wait for named signals, handlers included}
  public boolean hasWaiters() {
    return waiterCount() > 0;
  }

  // Sending.

  /// [Signal#signalOne] without a payload. Never a suspension point.
  ///
  /// @param name which one
  /// @return false if nobody waited; the signal is lost
  public boolean signalOne(Object name) {
    return signalOne(name, null);
  }

  /// [Signal#signalOne]. Never a suspension point.
  ///
  /// @param name which one
  /// @param payload what the wait results in
  /// @return false if nobody waited; the signal is lost
  public boolean signalOne(Object name, @Nullable Object payload) {
    Signal<@Nullable Object> signal = existing(name);
    return signal != null && signal.signalOne(payload);
  }

  /// [Signal#signalAll] without a payload. Never a suspension point.
  ///
  /// @param name which one
  /// @return how many were woken; if none, the signal is lost
  public int signalAll(Object name) {
    return signalAll(name, null);
  }

  /// [Signal#signalAll]. Never a suspension point.
  ///
  /// @param name which one
  /// @param payload what the waits result in
  /// @return how many were woken; if none, the signal is lost
  public int signalAll(Object name, @Nullable Object payload) {
    Signal<@Nullable Object> signal = existing(name);
    return signal == null ? 0 : signal.signalAll(payload);
  }

  /// [Signal#signalAllImmediate] without a payload. Never a suspension point.
  ///
  /// @param name which one
  /// @return how many were woken; if none, the signal is lost
  public int signalAllImmediate(Object name) {
    return signalAllImmediate(name, null);
  }

  /// [Signal#signalAllImmediate]. Never a suspension point.
  ///
  /// @param name which one
  /// @param payload what the waits result in
  /// @return how many were woken; if none, the signal is lost
  public int signalAllImmediate(Object name, @Nullable Object payload) {
    Signal<@Nullable Object> signal = existing(name);
    return signal == null ? 0 : signal.signalAllImmediate(payload);
  }

  /// The signal of a name, if anybody can be waiting for it.
  private @Nullable Signal<@Nullable Object> existing(Object name) {
    scheduler.host().checkThread();
    return named.get(checked(name));
  }

  private static Object checked(Object name) {
    requireNonNull(name, "name is null");
    if (name instanceof Waitable<?>) {
      throw new IllegalArgumentException(
          "%s is no name, it can be awaited itself: send it, or await it, with its own methods"
              .formatted(name));
    }
    return name;
  }

  // Handlers.

  /// [Signal#onSignal(TaskAction)]. Never a suspension point.
  ///
  /// @param name which one
  /// @param handler may suspend
  /// @return to cancel it
  public HandlerRegistration onSignal(Object name, TaskAction handler) {
    return signal(name).onSignal(handler);
  }

  /// [Signal#onSignal(SignalHandler)]. Never a suspension point.
  ///
  /// @param name which one
  /// @param handler may suspend
  /// @return to cancel it
  public HandlerRegistration onSignal(Object name, SignalHandler<@Nullable Object> handler) {
    return signal(name).onSignal(handler);
  }

  /// [Signal#onSignalOnce(TaskAction)]. Never a suspension point.
  ///
  /// @param name which one
  /// @param handler may suspend
  /// @return to cancel it
  public HandlerRegistration onSignalOnce(Object name, TaskAction handler) {
    return signal(name).onSignalOnce(handler);
  }

  /// [Signal#onSignalOnce(SignalHandler)]. Never a suspension point.
  ///
  /// @param name which one
  /// @param handler may suspend
  /// @return to cancel it
  public HandlerRegistration onSignalOnce(Object name, SignalHandler<@Nullable Object> handler) {
    return signal(name).onSignalOnce(handler);
  }
}
