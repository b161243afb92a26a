package dev.rondo.scheduler;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.engine.Engine;
import dev.rondo.scheduler.engine.Settings;
import dev.rondo.scheduler.engine.util.Alerts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes a [Scheduler]. Not thread-safe.
public final class SchedulerBuilder {

  /// The system property that switches [#debug()] on for all schedulers: `true`.
  public static final String DEBUG_PROPERTY = "rondo.debug";

  private static final AtomicBoolean OTHER_BACKEND_REPORTED = new AtomicBoolean();

  private final List<ContextPropagation<?>> contexts = new ArrayList<>();
  private @Nullable CoroutineBackend backend;
  private boolean debug = Boolean.getBoolean(DEBUG_PROPERTY);
  private @Nullable Supplier<? extends SchedulingPolicy> policy;
  private boolean addOnsFirst;
  private Ticker ticker = Ticker.systemTicker();
  private final List<Instrument> instruments = new ArrayList<>();
  private final List<TaskListener> listeners = new ArrayList<>();
  private FailureHandler failureHandler = Engine.all().failureLog();
  private Predicate<? super Throwable> fatal = failure -> false;

  SchedulerBuilder() {}

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

  /// Sets the clock. The default is the system's monotonic clock.
  ///
  /// @param ticker nanoseconds that never go back. If it is a `java.time.InstantSource`, it is also
  ///   the clock for dates. A program that calls [dev.rondo.scheduler.addon.AddOnHost#nowNanos()],
  ///   [dev.rondo.scheduler.addon.AddOnHost#deadlineAfter], or asks for dumps, from other threads
  ///   needs a ticker that any thread may read
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
  /// receives it; `start()`, `run()` or `step()` then throws it. By default no other failure stops
  /// the loop: a [LinkageError] or an [OutOfMemoryError] fails its task like any other failure.
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
  /// @param policy makes a policy for each scheduler, for instance `SchedulingPolicies::priority`
  /// @return this builder
  public SchedulerBuilder policy(Supplier<? extends SchedulingPolicy> policy) {
    Objects.requireNonNull(policy, "policy is null");
    this.policy = () -> Objects.requireNonNull(policy.get(), "the supplier's policy is null");
    return this;
  }

  /// Gives add-ons precedence: an add-on that becomes ready goes to the front of the ready queue,
  /// so that a timer or a socket is served before tasks that were ready earlier. By default add-ons
  /// take their turn like other tasks, except an add-on whose idling is over.
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

  /// Adds a way to observe the scheduler, such as those of the module `dev.rondo.observe`: dumps, a
  /// recorder, a watchdog, limits. There may be several. By default there are none, and they cost
  /// nothing.
  ///
  /// @param instrument opened once for each scheduler
  /// @return this builder
  public SchedulerBuilder instrument(Instrument instrument) {
    instruments.add(Objects.requireNonNull(instrument, "instrument is null"));
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
  /// [ContextPropagation#mdc()]. There may be several. Each propagation costs something on each
  /// turn. The default is none.
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
  /// @throws IllegalArgumentException if no backend was set, and that property does not name a
  ///   backend
  /// @throws IllegalStateException if the backend cannot run its loop on the calling thread, or an
  ///   instrument cannot be loaded or opened
  public Scheduler build() {
    return Engine.all()
        .scheduler(
            new Settings(
                chosenBackend(),
                ticker,
                failureHandler,
                fatal,
                policy == null ? null : policy.get(),
                List.copyOf(contexts),
                addOnsFirst,
                debug,
                Engine.all().instruments(instruments),
                List.copyOf(listeners)));
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
