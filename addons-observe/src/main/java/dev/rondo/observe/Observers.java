package dev.rondo.observe;

import static java.util.Objects.requireNonNull;

import dev.rondo.observe.internal.JfrRecorder;
import dev.rondo.observe.internal.OutsideAccess;
import dev.rondo.observe.internal.RecorderCore;
import dev.rondo.observe.internal.SchedulerJmxBean;
import dev.rondo.observe.internal.TaskMetering;
import dev.rondo.observe.internal.Watchdog;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The observers of a scheduler: a recorder, a watchdog, metrics, limits, JMX, the flight recorder.
/// Each is off until a method turns it on.
///
/// ```java
/// Scheduler.builder().instrument(new Observers().watchdog(Duration.ofMillis(200))).build();
/// ```
///
/// A scheduler reads the settings when it is built. Several schedulers can share the settings. Not
/// thread-safe.
public final class Observers implements Instrument {

  private @Nullable TaskLimits limits;
  private @Nullable RecorderCore recorder;
  private boolean recorded;
  private @Nullable String managementName;
  private @Nullable Consumer<LoopView> watchdog;
  private boolean outsideAccess;

  /// Makes settings without observers.
  public Observers() {}

  /// Counts each task's turns, time and allocated bytes; see
  /// [dev.rondo.scheduler.addon.TaskInfo#metrics()]. Off by default, because it costs each turn
  /// four readings of clocks and counters, about as much as a switch between tasks.
  ///
  /// @return these settings
  public Observers taskMetrics() {
    return taskLimits(limits == null ? TaskLimits.UNLIMITED : limits);
  }

  /// Limits the use of each task except add-ons. A task may have limits of its own, see
  /// [TaskLimits#applyTo]. Implies [#taskMetrics()].
  ///
  /// @param limits see [TaskLimits]
  /// @return these settings
  public Observers taskLimits(TaskLimits limits) {
    this.limits = requireNonNull(limits, "limits is null");
    return this;
  }

  /// Adds a watchdog that logs a warning whenever a turn takes too long, with the name of the task
  /// and its stack: [#watchdog(Duration, Consumer)].
  ///
  /// @param threshold above zero; some tenths of a second find turns that users notice
  /// @return these settings
  /// @throws IllegalArgumentException if it is not above zero
  public Observers watchdog(Duration threshold) {
    return watchdog(threshold, Watchdog::log);
  }

  /// Adds a watchdog: a daemon thread that reports each turn that takes too long, once, while the
  /// turn goes on. A turn takes too long if it has used more CPU time than the threshold, or has
  /// been in a blocking call for that long. The watchdog does not report a turn that is slow only
  /// because the machine is busy, nor anything in a JVM that was started with a debugger's agent.
  /// Off by default. A later call replaces the watchdog.
  ///
  /// The CPU time of a stackful task on the HANDOFF backend, and of a loop on a virtual thread, is
  /// not known. In these cases the watchdog counts the time during which it could itself run.
  ///
  /// @param threshold above zero
  /// @param handler runs on the watchdog's thread, and may call only methods of the scheduler that
  ///   say *any thread*
  /// @return these settings
  /// @throws IllegalArgumentException if the threshold is not above zero
  public Observers watchdog(Duration threshold, Consumer<? super SlowTurn> handler) {
    requireNonNull(handler, "handler is null");
    long nanos = Durations.nanos(threshold, "threshold");
    if (nanos == 0) {
      throw new IllegalArgumentException(
          "threshold="
              + ReportText.duration(threshold)
              + " of the watchdog, must be above zero: every turn takes time");
    }
    watchdog = loop -> Watchdog.open(loop, nanos, handler);
    return this;
  }

  /// Records tasks with the JDK's flight recorder. A recording enables these events one by one:
  ///
  /// | event | when | default |
  /// |---|---|---|
  /// | `dev.rondo.TaskStart` | a task has its first turn | every one |
  /// | `dev.rondo.TaskTurn` | a task had a turn | longer than 1 ms |
  /// | `dev.rondo.TaskWait` | a task was parked | longer than 20 ms |
  /// | `dev.rondo.TaskEnd` | a task has ended | every one |
  /// | `dev.rondo.TaskDump` | the state of each task, periodically | off |
  ///
  /// For instance `jcmd <pid> JFR.start name=rondo +dev.rondo.TaskDump#enabled=true
  /// +dev.rondo.TaskDump#period=endChunk`, then `jcmd <pid> JFR.dump name=rondo filename=x.jfr` and
  /// `jfr print --events dev.rondo.TaskDump x.jfr`. Off by default. Without a recording, it costs
  /// some nanoseconds per turn.
  ///
  /// @return these settings
  public Observers flightRecorder() {
    recorded = true;
    return this;
  }

  /// Keeps the last events of the scheduler, for inspection after a failure: the actions of each
  /// task, its waits, and its wakeups. See [Recorder#recording()]. Off by default. A later call
  /// replaces the recorder.
  ///
  /// @param recorder records this scheduler alone, or several on this thread
  /// @return these settings
  public Observers recorder(Recorder recorder) {
    this.recorder = (RecorderCore) requireNonNull(recorder, "recorder is null");
    return this;
  }

  /// Registers the scheduler with the platform's MBean server until it is closed, as
  /// `dev.rondo:type=Scheduler,name="<name>"`, see [SchedulerMXBean]. Off by default. The server
  /// keeps a scheduler in memory if it is never closed.
  ///
  /// @param name unique within this JVM
  /// @return these settings
  public Observers management(String name) {
    managementName = requireNonNull(name, "name is null");
    return this;
  }

  /// Lets tools observe the tasks from outside, once the scheduler has existed for a second. Tools
  /// use JMX, as with [#management(String)] under the name of the scheduler's thread, and the
  /// flight recorder, with the event `dev.rondo.TaskDump` of [#flightRecorder()]. Off by default;
  /// on in an `Application`. A thread waits during the first second. Afterwards the only cost is
  /// the count of turns. The access does not keep the scheduler in memory. If the JVM lacks the
  /// module `java.management` or `jdk.jfr`, only the other way is available.
  ///
  /// @return these settings
  public Observers outsideAccess() {
    outsideAccess = true;
    return this;
  }

  /// Removes the watchdog, the access from outside, and their threads. An application has both by
  /// default.
  ///
  /// @return these settings
  public Observers bare() {
    watchdog = null;
    outsideAccess = false;
    return this;
  }

  @Override
  public void open(Scheduler scheduler) {
    LoopView loop = LoopView.of(requireNonNull(scheduler, "scheduler is null"));
    if (limits != null) { // first: the others may read the metrics
      TaskMetering.open(loop, limits);
    }
    if (recorder != null) {
      recorder.instrument("").open(scheduler);
    }
    if (recorded) {
      open("jdk.jfr", () -> loop.add(JfrRecorder.open(loop)));
    }
    String name = managementName;
    if (name != null) {
      open("java.management", () -> loop.add(SchedulerJmxBean.open(loop, name)));
    }
    if (watchdog != null) {
      watchdog.accept(loop);
    }
    if (outsideAccess) {
      loop.add(OutsideAccess.open(loop));
    }
  }

  /// @param module a module that the JVM may lack
  private static void open(String module, Runnable code) {
    try {
      code.run();
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "the scheduler's observers need the module "
              + module
              + ": start the JVM with --add-modules "
              + module,
          e);
    }
  }
}
