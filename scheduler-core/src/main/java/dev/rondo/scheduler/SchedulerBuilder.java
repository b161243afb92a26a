package dev.rondo.scheduler;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.Settings;
import dev.rondo.scheduler.engine.observe.Instrument;
import dev.rondo.scheduler.engine.observe.JfrRecorder;
import dev.rondo.scheduler.engine.observe.OutsideAccess;
import dev.rondo.scheduler.engine.observe.RecorderCore;
import dev.rondo.scheduler.engine.observe.SchedulerJmxBean;
import dev.rondo.scheduler.engine.observe.TaskMetering;
import dev.rondo.scheduler.engine.observe.Watchdog;
import dev.rondo.scheduler.engine.util.Alerts;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.observe.ContextPropagation;
import dev.rondo.scheduler.observe.Recorder;
import dev.rondo.scheduler.observe.ReportText;
import dev.rondo.scheduler.observe.SlowTurn;
import dev.rondo.scheduler.observe.TaskLimits;
import dev.rondo.scheduler.observe.TaskListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/// Makes a [Scheduler]. Not thread-safe.
public final class SchedulerBuilder {

  /// The system property that switches [#debug()] on for all schedulers: `true`.
  public static final String DEBUG_PROPERTY = "rondo.debug";

  private static final AtomicBoolean OTHER_BACKEND_REPORTED = new AtomicBoolean();

  private final List<ContextPropagation<?>> contexts = new ArrayList<>();
  private @Nullable CoroutineBackend backend;
  private boolean debug = Boolean.getBoolean(DEBUG_PROPERTY);
  private Supplier<? extends @Nullable SchedulingPolicy> policy = () -> null;
  private boolean addOnsFirst;
  private Ticker ticker = Ticker.systemTicker();
  private final List<Instrument> instruments = new ArrayList<>();
  private final List<TaskListener> listeners = new ArrayList<>();
  private @Nullable Instrument watchdog;
  private @Nullable Recorder recorder;
  private String lane = "";
  private boolean outsideAccess;
  private boolean managed;
  private boolean recorded;
  private boolean metrics;
  private TaskLimits limits = TaskLimits.unlimited();
  private FailureHandler failureHandler = SchedulerBuilder::log;
  private Predicate<? super Throwable> fatal = failure -> false;

  SchedulerBuilder() {}

  private static void log(String place, Throwable failure) {
    String where = ReportText.escaped(place);
    switch (failure) {
      case CancelIgnoredException _ ->
          Alerts.log(Level.WARN, where + " ignores its cancellation", failure);
      case TaskAbandonedException _ -> Alerts.error(where + " was abandoned", failure);
      default -> Alerts.error(where + what(where, failure), failure);
    }
  }

  /// Describes a failure; that of a task says that no other task waited for it.
  private static String what(String where, Throwable failure) {
    if (where.startsWith("task '")) {
      return " failed, and no task was waiting for it";
    }
    return failure instanceof DeadlockException ? " will wait for ever" : " failed";
  }

  /// Sets the coroutine backend. The default is [CoroutineBackends#defaultBackend()], but HANDOFF
  /// if the scheduler is built on a virtual thread, which supports no other. If the system property
  /// [CoroutineBackends#PROPERTY] names another one, that is logged once.
  ///
  /// @param backend see [CoroutineBackends]
  /// @return this builder
  public SchedulerBuilder backend(CoroutineBackend backend) {
    this.backend = Objects.requireNonNull(backend, "backend is null");
    return this;
  }

  /// Sets the clock. The default is the system's monotonic one.
  ///
  /// @param ticker nanoseconds that never go back. If it is a `java.time.InstantSource`, it is also
  ///   the wall clock, see [dev.rondo.scheduler.addon.AddOnHost#wallClock()]. A program that calls
  ///   [dev.rondo.scheduler.addon.AddOnHost#nowNanos()],
  ///   [dev.rondo.scheduler.addon.AddOnHost#deadlineAfter] or [Scheduler#dump] from other threads
  ///   needs one that any thread may read
  /// @return this builder
  public SchedulerBuilder ticker(Ticker ticker) {
    this.ticker = Objects.requireNonNull(ticker, "ticker is null");
    return this;
  }

  /// Sets the handler of failures that no other code receives. The default logs them at ERROR, a
  /// [CancelIgnoredException] at WARN; without a logging library it prints them on `System.err`.
  ///
  /// @param handler runs on the scheduler's thread
  /// @return this builder
  public SchedulerBuilder failureHandler(FailureHandler handler) {
    this.failureHandler = Objects.requireNonNull(handler, "handler is null");
    return this;
  }

  /// Specifies which failures stop the loop. [InternalError] and [UnknownError], by which the JVM
  /// reports that it is broken, always stop it. A failure stops the loop only if no other code
  /// receives it; `start()`, `run()` or `step()` then throws it. By default there are no others: a
  /// [LinkageError] or an [OutOfMemoryError] fails its task like any other failure.
  ///
  /// @param fatal receives failures of tasks, on the scheduler's thread; a [TaskFailedException] is
  ///   judged by its cause
  /// @return this builder
  public SchedulerBuilder fatal(Predicate<? super Throwable> fatal) {
    this.fatal = Objects.requireNonNull(fatal, "fatal is null");
    return this;
  }

  /// Sets the policy that decides which task has the next turn. The default is round robin, built
  /// in.
  ///
  /// @param policy makes one for each scheduler, for instance `SchedulingPolicies::priority`
  /// @return this builder
  public SchedulerBuilder policy(Supplier<? extends SchedulingPolicy> policy) {
    Objects.requireNonNull(policy, "policy is null");
    this.policy = () -> Objects.requireNonNull(policy.get(), "the supplier's policy is null");
    return this;
  }

  /// Gives add-ons precedence: one that becomes ready goes to the front of the ready queue, so that
  /// a timer or a socket is served before tasks that were ready earlier. By default add-ons take
  /// their turn like other tasks, except those whose idling is over.
  ///
  /// @return this builder
  public SchedulerBuilder addOnsFirst() {
    addOnsFirst = true;
    return this;
  }

  /// Adds a listener, which receives what tasks do. There may be several.
  ///
  /// @param listener runs on the scheduler's thread
  /// @return this builder
  public SchedulerBuilder listener(TaskListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener is null"));
    return this;
  }

  /// Counts what each task uses: turns, time, allocated bytes; see [Task#metrics()] and
  /// [dev.rondo.scheduler.observe.TaskInfo#metrics()]. Off by default: it costs each turn four
  /// readings of clocks and counters, about as much as a switch between tasks.
  ///
  /// @return this builder
  public SchedulerBuilder taskMetrics() {
    metrics = true;
    return this;
  }

  /// Limits what each task may use, except add-ons. A task may have [Task#limits(TaskLimits)] of
  /// its own. Implies [#taskMetrics()].
  ///
  /// @param limits see [TaskLimits]
  /// @return this builder
  public SchedulerBuilder taskLimits(TaskLimits limits) {
    this.limits = Objects.requireNonNull(limits, "limits is null");
    return taskMetrics();
  }

  /// Adds a watchdog that logs a warning whenever a turn takes too long, with the name of the task
  /// and its stack: [#watchdog(Duration, Consumer)].
  ///
  /// @param threshold above zero; some tenths of a second find what users notice
  /// @return this builder
  /// @throws IllegalArgumentException if it is not above zero
  public SchedulerBuilder watchdog(Duration threshold) {
    return watchdog(threshold, Watchdog::log);
  }

  /// Adds a watchdog: a daemon thread that reports each turn that takes too long, once, while the
  /// turn goes on. A turn takes too long if it has used more CPU time than the threshold, or has
  /// been in a blocking call for that long. The watchdog does not report a turn that is slow only
  /// because the machine is busy, nor anything in a JVM that was started with a debugger's agent.
  /// Off by default. A later call replaces the watchdog.
  ///
  /// On the HANDOFF backend the CPU time of a stackful task is not known, nor is that of a loop on
  /// a virtual thread. There the time counts during which the watchdog itself could run.
  ///
  /// @param threshold above zero
  /// @param handler runs on the watchdog's thread, and may call only methods of the scheduler that
  ///   say *any thread*
  /// @return this builder
  /// @throws IllegalArgumentException if the threshold is not above zero
  public SchedulerBuilder watchdog(Duration threshold, Consumer<? super SlowTurn> handler) {
    Objects.requireNonNull(handler, "handler is null");
    long nanos = Durations.nanos(threshold, "threshold");
    if (nanos == 0) {
      throw new IllegalArgumentException(
          "threshold="
              + Durations.readable(threshold)
              + " of the watchdog, must be above zero: every turn takes time");
    }
    watchdog = Watchdog.instrument(nanos, handler);
    return this;
  }

  /// Removes the watchdog of an earlier [#watchdog(Duration)].
  ///
  /// @return this builder
  public SchedulerBuilder withoutWatchdog() {
    watchdog = null;
    return this;
  }

  /// Records tasks with the JDK's flight recorder, as these events, which a recording enables one
  /// by one:
  ///
  /// | event | when | default |
  /// |---|---|---|
  /// | `dev.rondo.TaskStart` | a task has its first turn | every one |
  /// | `dev.rondo.TaskTurn` | a task had a turn | longer than 1 ms |
  /// | `dev.rondo.TaskWait` | a task was parked | longer than 20 ms |
  /// | `dev.rondo.TaskEnd` | a task has ended | every one |
  /// | `dev.rondo.TaskDump` | what each task is doing, periodically | off |
  ///
  /// For instance `jcmd <pid> JFR.start name=rondo +dev.rondo.TaskDump#enabled=true
  /// +dev.rondo.TaskDump#period=endChunk`, then `jcmd <pid> JFR.dump name=rondo filename=x.jfr` and
  /// `jfr print --events dev.rondo.TaskDump x.jfr`. Off by default: without a recording it costs
  /// some nanoseconds per turn.
  ///
  /// @return this builder
  public SchedulerBuilder flightRecorder() {
    recorded = true;
    return instrument(Instrument.needing("jdk.jfr", loop -> JfrRecorder.open(loop)));
  }

  /// Keeps the last events of the scheduler, for inspection after a failure: what each task did,
  /// what it waited for, and what woke it. See [Recorder#recording()]. Off by default. A later call
  /// replaces the recorder.
  ///
  /// @param recorder of this scheduler alone, or of several on this thread
  /// @return this builder
  public SchedulerBuilder recorder(Recorder recorder) {
    return recorder(recorder, "");
  }

  /// [#recorder(Recorder)] for one of several schedulers of one recorder.
  ///
  /// @param recorder of schedulers on this thread
  /// @param lane the name of this one in the recording, for instance that of a host
  /// @return this builder
  public SchedulerBuilder recorder(Recorder recorder, String lane) {
    this.recorder = Objects.requireNonNull(recorder, "recorder is null");
    this.lane = Objects.requireNonNull(lane, "lane is null");
    return this;
  }

  /// Registers the scheduler with the platform's MBean server until it is closed, as
  /// `dev.rondo:type=Scheduler,name="<name>"`, see [dev.rondo.scheduler.observe.SchedulerMXBean].
  /// Off by default. The server holds a scheduler that is never closed.
  ///
  /// @param name unique within this JVM
  /// @return this builder
  public SchedulerBuilder management(String name) {
    Objects.requireNonNull(name, "name is null");
    managed = true;
    return instrument(
        Instrument.needing("java.management", loop -> SchedulerJmxBean.open(loop, name)));
  }

  /// Lets tools observe the tasks from outside, once the scheduler has existed for a second. Tools
  /// use JMX, as with [#management(String)] under the name of the scheduler's thread, and the
  /// flight recorder, with the event `dev.rondo.TaskDump` of [#flightRecorder()]. Off by default;
  /// on in an `Application`. A thread waits during the first second; afterwards the only cost is to
  /// count the turns. The access does not keep the scheduler in memory. If the JVM lacks the module
  /// `java.management` or `jdk.jfr`, only the other way is available.
  ///
  /// @return this builder
  public SchedulerBuilder outsideAccess() {
    outsideAccess = true;
    return this;
  }

  /// Undoes an earlier [#outsideAccess()].
  ///
  /// @return this builder
  public SchedulerBuilder withoutOutsideAccess() {
    outsideAccess = false;
    return this;
  }

  SchedulerBuilder instrument(Instrument instrument) {
    instruments.add(instrument);
    return this;
  }

  /// Checks for mistakes that would otherwise cause a failure elsewhere, or a hang. On
  /// CONTINUATION, where tasks share a thread, a suspension point throws [IllegalStateException] in
  /// three cases: inside `synchronized`, inside a `ScopedValue` binding, and while the task holds a
  /// `ReentrantLock` or another lock with an owner. The methods `step`, `run` and `start` throw it
  /// if the caller holds a monitor. The message names the frame. The other backends need no checks.
  ///
  /// A check costs about 0.1 ms. To find locks other than monitors, the JVM searches its heap,
  /// which takes some milliseconds. So each place in the program is checked for them once, and
  /// later checks take at most a tenth of the time. The checks are off by default, and then cost
  /// nothing. The system property [#DEBUG_PROPERTY] switches them on.
  ///
  /// @return this builder
  public SchedulerBuilder debug() {
    debug = true;
    return this;
  }

  /// Keeps the context of a library with the task and not with the thread, for instance
  /// [ContextPropagation#mdc()]. There may be several. Each costs something on each turn; the
  /// default is none.
  ///
  /// @param propagation of one library's context
  /// @return this builder
  public SchedulerBuilder contextPropagation(ContextPropagation<?> propagation) {
    contexts.add(Objects.requireNonNull(propagation, "propagation is null"));
    return this;
  }

  /// Makes the scheduler. It belongs to the calling thread.
  ///
  /// @return the scheduler
  /// @throws UnsupportedOperationException if the default backend is named by the system property
  ///   [CoroutineBackends#PROPERTY] and needs a flag that this JVM was started without
  /// @throws IllegalArgumentException if no backend was set, and that property names none
  /// @throws IllegalStateException if the backend cannot run its loop, or the limits cannot be
  ///   measured, on the calling thread; if the [#management(String)] name is taken, or the recorder
  ///   is used on another thread; or if the settings need a module of the JDK that is missing
  public Scheduler build() {
    return new SchedulerCore(
        recorder,
        new Settings(
            chosenBackend(),
            ticker,
            failureHandler,
            fatal,
            policy.get(),
            List.copyOf(contexts),
            addOnsFirst,
            debug,
            allInstruments(),
            List.copyOf(listeners)));
  }

  /// The metrics first: the other instruments may read them.
  private List<Instrument> allInstruments() {
    var all = new ArrayList<Instrument>();
    if (metrics) {
      all.add(TaskMetering.withLimits(limits));
    }
    if (recorder instanceof RecorderCore core) {
      String name = lane;
      all.add(loop -> core.open(name, loop));
    }
    all.addAll(instruments);
    if (watchdog != null) {
      all.add(watchdog);
    }
    if (outsideAccess) {
      all.add(OutsideAccess.instrument(!managed, !recorded));
    }
    return all;
  }

  private CoroutineBackend chosenBackend() {
    if (backend != null) {
      return backend;
    }
    if (!Thread.currentThread().isVirtual()) {
      return CoroutineBackends.defaultBackend();
    }
    if (System.getProperty(CoroutineBackends.PROPERTY) != null) {
      reportUnlessHandoff(CoroutineBackends.defaultBackend());
    }
    return CoroutineBackends.handoff();
  }

  private static void reportUnlessHandoff(CoroutineBackend wanted) {
    if (wanted != CoroutineBackends.handoff() && !OTHER_BACKEND_REPORTED.getAndSet(true)) {
      Alerts.warn(
          "running on HANDOFF although -D%s asks for %s: a scheduler that is built on a virtual thread, here '%s', supports no other backend (reported once)"
              .formatted(
                  CoroutineBackends.PROPERTY, wanted.name(), Thread.currentThread().getName()));
    }
  }
}
