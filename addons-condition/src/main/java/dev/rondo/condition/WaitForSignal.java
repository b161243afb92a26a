package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.MapMaker;
import dev.rondo.scheduler.AddOn;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Turn;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// The add-on that tasks wait for signals with, after William Adams' TINN: any task waits for a
/// name, any task sends to that name.
///
/// Its task never has a turn: a signal goes straight from the sender to the waiters, so there is
/// nothing to poll. For a signal with a type, or for use in a select, there is [Signal].
///
/// Confined to the scheduler's thread.
public final class WaitForSignal implements AddOn {

  private final Scheduler scheduler;

  /// A signal is kept as long as somebody waits for it or holds it; it has no other state to lose.
  private final ConcurrentMap<String, Signal<@Nullable Object>> named =
      new MapMaker().concurrencyLevel(1).weakValues().makeMap();

  private WaitForSignal(Scheduler scheduler) {
    this.scheduler = scheduler;
    var _ = scheduler.install(this);
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
  public Turn turn(StepTask<Void> self) {
    return Turn.SUSPEND;
  }

  // Signals as objects.

  /// {@return a signal of its own, with a type; nothing else has to do with its name}
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  public <T extends @Nullable Object> Signal<T> newSignal(String name) {
    scheduler.checkThread();
    return new Signal<>(scheduler, name);
  }

  /// {@return the signal of a name: to await it with a timeout, or in a select}
  ///
  /// @param name the same name, the same signal
  public Signal<@Nullable Object> signal(String name) {
    scheduler.checkThread();
    requireNonNull(name, "name is null");
    return named.computeIfAbsent(name, absent -> new Signal<>(scheduler, absent));
  }

  // Waiting.

  /// Waits until the signal is sent. *Always* a suspension point.
  ///
  /// @param name which one
  /// @return its payload
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws TaskCancelled if the task is cancelled; it does not wait any more
  public @Nullable Object waitForSignal(String name) {
    return scheduler.await(signal(name));
  }

  /// {@return how many tasks wait for named signals, handlers included}
  public int tasksPending() {
    scheduler.checkThread();
    return named.values().stream().mapToInt(Signal::tasksPending).sum();
  }

  /// {@return whether tasks wait for named signals, handlers included}
  public boolean tasksArePending() {
    return tasksPending() > 0;
  }

  // Sending.

  /// [Signal#signalOne] without a payload. Never a suspension point.
  ///
  /// @param name which one
  /// @return false if nobody waited; the signal is lost
  public boolean signalOne(String name) {
    return signalOne(name, null);
  }

  /// [Signal#signalOne]. Never a suspension point.
  ///
  /// @param name which one
  /// @param payload what the wait results in
  /// @return false if nobody waited; the signal is lost
  public boolean signalOne(String name, @Nullable Object payload) {
    Signal<@Nullable Object> signal = existing(name);
    return signal != null && signal.signalOne(payload);
  }

  /// [Signal#signalAll] without a payload. Never a suspension point.
  ///
  /// @param name which one
  /// @return how many were woken; if none, the signal is lost
  public int signalAll(String name) {
    return signalAll(name, null);
  }

  /// [Signal#signalAll]. Never a suspension point.
  ///
  /// @param name which one
  /// @param payload what the waits result in
  /// @return how many were woken; if none, the signal is lost
  public int signalAll(String name, @Nullable Object payload) {
    Signal<@Nullable Object> signal = existing(name);
    return signal == null ? 0 : signal.signalAll(payload);
  }

  /// [Signal#signalAllImmediate] without a payload. Never a suspension point.
  ///
  /// @param name which one
  /// @return how many were woken; if none, the signal is lost
  public int signalAllImmediate(String name) {
    return signalAllImmediate(name, null);
  }

  /// [Signal#signalAllImmediate]. Never a suspension point.
  ///
  /// @param name which one
  /// @param payload what the waits result in
  /// @return how many were woken; if none, the signal is lost
  public int signalAllImmediate(String name, @Nullable Object payload) {
    Signal<@Nullable Object> signal = existing(name);
    return signal == null ? 0 : signal.signalAllImmediate(payload);
  }

  /// The signal of a name, if anybody can be waiting for it.
  private @Nullable Signal<@Nullable Object> existing(String name) {
    scheduler.checkThread();
    return named.get(requireNonNull(name, "name is null"));
  }

  // Handlers.

  /// [Signal#onSignal(TaskAction)]. Never a suspension point.
  ///
  /// @param name which one
  /// @param handler may suspend
  /// @return to cancel it
  public Registration onSignal(String name, TaskAction handler) {
    return signal(name).onSignal(handler);
  }

  /// [Signal#onSignal(SignalHandler)]. Never a suspension point.
  ///
  /// @param name which one
  /// @param handler may suspend
  /// @return to cancel it
  public Registration onSignal(String name, SignalHandler<@Nullable Object> handler) {
    return signal(name).onSignal(handler);
  }

  /// [Signal#onSignalOnce(TaskAction)]. Never a suspension point.
  ///
  /// @param name which one
  /// @param handler may suspend
  /// @return to cancel it
  public Registration onSignalOnce(String name, TaskAction handler) {
    return signal(name).onSignalOnce(handler);
  }

  /// [Signal#onSignalOnce(SignalHandler)]. Never a suspension point.
  ///
  /// @param name which one
  /// @param handler may suspend
  /// @return to cancel it
  public Registration onSignalOnce(String name, SignalHandler<@Nullable Object> handler) {
    return signal(name).onSignalOnce(handler);
  }
}
