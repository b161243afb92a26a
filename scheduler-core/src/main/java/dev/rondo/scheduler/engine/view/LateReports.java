package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Rooms;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// Reports failures that other code may still receive. The report comes after a second, or when the
/// run ends, unless the failure was received by then. Without a timer service the report comes at
/// once.
///
/// The report does not wait until the handle of a task is unreachable. Only the garbage collector
/// notices that. The collector may be idle for hours, and does not act at the same instant in two
/// runs.
///
/// Confined to the scheduler's thread.
public final class LateReports implements Rooms.HeldFailures {

  /// The time within which other code may receive a failure.
  private static final long PATIENCE_NANOS = 1_000_000_000;

  /// @param received whether other code has received it
  private record Held(BooleanSupplier received, Runnable report) {}

  private final Loop loop;

  /// The failures that no code has received yet, oldest first, each with the timer that reports it.
  private final Map<Held, TimerHandle> held = new LinkedHashMap<>();

  public LateReports(Loop loop) {
    this.loop = loop;
  }

  @Override
  public void add(String where, Throwable failure, BooleanSupplier received) {
    TimerService timers = loop.timerService;
    if (timers == null) {
      loop.report(where, failure);
      return;
    }
    Rooms.Contexts contexts = loop.contexts;
    Runnable report = () -> loop.report(where, failure);
    var late = new Held(received, contexts == null ? report : contexts.keeping(report));
    held.put(late, timers.at(loop.deadlineAfter(PATIENCE_NANOS), () -> end(late)));
  }

  @Override
  public void endAll() {
    if (!held.isEmpty()) { // after each step
      List.copyOf(held.keySet()).forEach(this::end);
    }
  }

  private void end(Held late) {
    TimerHandle alarm = held.remove(late);
    if (alarm != null) {
      alarm.cancel();
      if (!late.received.getAsBoolean()) {
        late.report.run();
      }
    }
  }
}
