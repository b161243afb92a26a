package dev.rondo.io.system;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/// Waits for signals of the operating system: INT for control-C, TERM for a request to end, HUP,
/// USR1, ...
///
/// Confined to the scheduler's thread.
public final class WaitForOsSignal implements AddOn {

  private static final String PREFIX = "SIG";

  private final Scheduler scheduler;
  private final Set<SignalWatch> open = new HashSet<>();

  private WaitForOsSignal(Scheduler scheduler) {
    this.scheduler = scheduler;
    scheduler.host().install(this);
  }

  /// {@return the add-on of a scheduler} The first call installs it. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @throws IllegalStateException if it has none and is closed
  public static WaitForOsSignal on(Scheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    WaitForOsSignal installed = scheduler.host().addOn(WaitForOsSignal.class);
    return installed != null ? installed : new WaitForOsSignal(scheduler);
  }

  /// Begins to listen: from now on the signal has no default effect, such as to end the JVM. Never
  /// a suspension point.
  ///
  /// @param signal its name: `TERM` or `SIGTERM`
  /// @return the watch, which the caller closes: then the signal has its earlier effect again
  /// @throws IllegalArgumentException if there is no such signal, or the JVM or the system reserves
  ///   it, such as KILL, STOP, QUIT and SEGV, and INT, TERM and HUP under `-Xrs`
  /// @throws IllegalStateException if this process was started so that it ignores the signal, by
  ///   `nohup` for instance
  public SignalWatch listen(String signal) {
    Objects.requireNonNull(signal, "signal is null");
    scheduler.host().checkThread();
    String name = signal.toUpperCase(Locale.ROOT);
    var watch =
        new SignalWatch(
            this, scheduler, name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name);
    watch.open();
    open.add(watch);
    return watch;
  }

  void forget(SignalWatch watch) {
    open.remove(watch);
  }

  /// Does nothing: signals arrive through the scheduler's inbox.
  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  /// Gives all signals their earlier effect again.
  @Override
  public void close() {
    List.copyOf(open).forEach(SignalWatch::close);
  }
}
