package dev.rondo.scheduler.observe;

import dev.rondo.scheduler.engine.observe.AllLoops;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/// All schedulers of the process that have access from outside, as those of applications have: see
/// [dev.rondo.scheduler.SchedulerBuilder#outsideAccess()]. Any thread.
///
/// JMX shows the same as `dev.rondo:type=Schedulers`, see [SchedulersMXBean].
public final class Loops {

  private Loops() {}

  /// {@return all of them, in the order they were made} Any thread. A monitor keeps its scheduler
  /// in memory, but not open.
  public static List<LoopMonitor> all() {
    return AllLoops.list().stream().map(LoopMonitor::new).toList();
  }

  /// Writes what every task of every scheduler is doing, one scheduler after the other in the order
  /// in which they were made. Each loop answers on its own thread, at moments of its own, see
  /// [dev.rondo.scheduler.Scheduler#dump]. If a loop does not answer within two seconds, the dump
  /// has its stack instead. So a dump takes at most two seconds for each such loop. In JSON it is
  /// an object with an array `loops`.
  ///
  /// @param format for people or for programs
  /// @param out receives the dump, a piece at a time
  /// @throws IOException if writing to `out` fails
  public static void dump(DumpFormat format, Appendable out) throws IOException {
    Objects.requireNonNull(format, "format is null");
    Objects.requireNonNull(out, "out is null");
    AllLoops.dump(format, out);
  }
}
