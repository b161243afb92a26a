package dev.rondo.observe;

import dev.rondo.observe.internal.AllLoops;
import dev.rondo.observe.internal.DumpWriter;
import dev.rondo.observe.internal.TaskDump;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;

/// All schedulers of the process that tools can access from outside, see
/// [Observers#outsideAccess()]. The schedulers of applications are among them. Any thread.
///
/// JMX has the same information as `dev.rondo:type=Schedulers`, see [SchedulersMXBean].
public final class Loops {

  private Loops() {}

  /// Writes a dump of every scheduler, one after the other in the order in which they were made.
  /// Each loop answers on its own thread, at moments of its own, see [#dump(Scheduler, DumpFormat,
  /// Appendable, Duration)]. If a loop does not answer within two seconds, the dump has the loop's
  /// stack instead. So a dump takes at most two seconds for each such loop. In JSON, the dump is an
  /// object with an array `loops`.
  ///
  /// @param format for people or for programs
  /// @param out receives the dump, a piece at a time
  /// @throws IOException if writing to `out` fails
  public static void dump(DumpFormat format, Appendable out) throws IOException {
    Objects.requireNonNull(format, "format is null");
    Objects.requireNonNull(out, "out is null");
    AllLoops.dump(format, out);
  }

  /// Writes a description of each task that was scheduled and has not ended: its number, name and
  /// state, the task that made it, and its stack. For a task that waits, the dump has the event,
  /// the task that holds it, and how long the wait has lasted. With [Observers#taskMetrics()], the
  /// dump has each task's metrics. Never a suspension point. Any thread.
  ///
  /// The dump is written one task at a time, in no particular order, so a dump of any size needs
  /// little memory. On the scheduler's own thread, a dump shows one moment. On another thread, it
  /// shows a few tasks at a time, and the loop goes on in between.
  ///
  /// If the loop does not answer, the dump ends with the task that has the turn, and the stack of
  /// that task.
  ///
  /// @param scheduler any
  /// @param format a text for people, or JSON for programs
  /// @param out receives the text, on the calling thread
  /// @param patience how long to wait for each answer of the loop, at least zero. An interrupt of
  ///   the calling thread ends the wait, and the thread stays interrupted
  /// @throws IllegalArgumentException if the patience is negative
  /// @throws IOException if writing to `out` fails
  public static void dump(Scheduler scheduler, DumpFormat format, Appendable out, Duration patience)
      throws IOException {
    Objects.requireNonNull(format, "format is null");
    Objects.requireNonNull(out, "out is null");
    TaskDump.write(
        LoopView.of(Objects.requireNonNull(scheduler, "scheduler is null")),
        DumpWriter.of(format, out),
        Durations.nanos(patience, "patience"));
  }
}
