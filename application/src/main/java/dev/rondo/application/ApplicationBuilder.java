package dev.rondo.application;

import com.google.common.collect.MapMaker;
import dev.rondo.observe.Observers;
import dev.rondo.observe.Recorder;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.time.VirtualClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Configures an [Application]. Not thread-safe.
public final class ApplicationBuilder {

  /// The default threshold of the watchdog: a turn this long is a defect that users notice.
  private static final Duration SLOW = Duration.ofSeconds(1);

  private final Observers observers = new Observers().watchdog(SLOW).outsideAccess();
  private final SchedulerBuilder scheduler =
      Scheduler.builder().instrument(observers).failureHandler(FailureLogger.handler());
  private final List<Function<? super Scheduler, ? extends AddOn>> addOns = new ArrayList<>();
  private @Nullable CoroutineBackend backend;
  private @Nullable VirtualClock clock;
  private Duration shutdownCleanUp = Duration.ofSeconds(10);
  private Duration shutdownDrain = Duration.ZERO;

  /// The capacity of the recorder, one for each application; 0 if there is none.
  private int recorderCapacity;

  private boolean recorderUsed;

  /// Null if there is none.
  private @Nullable Inspection inspection;

  /// The add-ons of a group's loops; null if this is for no group.
  private @Nullable Set<AddOn> addOnsOfLoops;

  ApplicationBuilder() {}

  /// Sets the coroutine backend. The default is [CoroutineBackends#defaultBackend()].
  ///
  /// @param backend see [CoroutineBackends]
  /// @return this builder
  public ApplicationBuilder backend(CoroutineBackend backend) {
    Objects.requireNonNull(backend, "backend is null");
    this.backend = backend;
    scheduler.backend(backend);
    return this;
  }

  /// Runs on virtual time: for tests and simulations.
  ///
  /// @param clock jumps to the next deadline when all tasks wait
  /// @return this builder
  public ApplicationBuilder clock(VirtualClock clock) {
    Objects.requireNonNull(clock, "clock is null");
    this.clock = clock;
    return this;
  }

  /// {@return the clock given to [#clock], if any} A `UiHost` of `rondo-ui` refuses a virtual
  /// clock.
  public Optional<VirtualClock> virtualClock() {
    return Optional.ofNullable(clock);
  }

  /// Sets the handler of failures that no task waits for. The default handler logs failures at
  /// ERROR, with the program's own frames, or with every frame if the logger is at TRACE; without a
  /// logging library it prints failures on `System.err`. A task that ignores its cancellation is
  /// logged at WARN.
  ///
  /// @param handler runs on the application's thread
  /// @return this builder
  public ApplicationBuilder failureHandler(FailureHandler handler) {
    scheduler.failureHandler(handler);
    return this;
  }

  /// Runs without the watchdog and without access from outside, see [Observers#bare()]: for
  /// simulations, and for loops that may be slow.
  ///
  /// @return this builder
  public ApplicationBuilder bare() {
    observers.bare();
    return this;
  }

  /// Keeps the last events, for inspection after a failure: what each task did, what it waited for,
  /// and what woke it. See [Application#recording()]. Off by default. For a recorder with other
  /// settings see [Observers#recorder(Recorder)].
  ///
  /// @param capacity how many events, from 1 to 10 million, some 32 bytes each
  /// @return this builder
  /// @throws IllegalArgumentException if the capacity is out of range
  public ApplicationBuilder recorder(int capacity) {
    observers.recorder(Recorder.ofCapacity(capacity));
    recorderCapacity = capacity;
    recorderUsed = false;
    return this;
  }

  /// Serves a web page that shows what the loops of this process are doing, at
  /// `http://127.0.0.1:port/`. The page shows a live table of their tasks, the waits of tasks for
  /// other tasks, with deadlocks marked, timers, sockets, and the loop's lag. See
  /// [Application#inspector()]. The page is available from when the first application is built
  /// until the last one is closed. Off by default. Needs the artifact `rondo-inspector` on the
  /// path.
  ///
  /// The page cannot change anything. It can be reached from this machine only, by every user of
  /// the machine. The inspector runs on threads of its own, so it can show which task keeps a loop
  /// busy. The loops answer its questions between turns, a page of tasks at a time. Tasks are
  /// metered, see [Observers#taskMetrics()], which costs some time in each turn.
  ///
  /// @param port from 1 to 65535; 0 for any free port
  /// @return this builder
  /// @throws IllegalArgumentException if the port is out of range
  public ApplicationBuilder inspector(int port) {
    return inspector(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /// Serves the page of [#inspector(int)] on another address. The page has no passwords and no
  /// encryption: every program that reaches the address sees the names of all tasks and what they
  /// wait for. A request must name the inspector by an address, by `localhost`, or by the name in
  /// this address.
  ///
  /// @param address where to listen; port 0 for any free port
  /// @return this builder
  public ApplicationBuilder inspector(InetSocketAddress address) {
    Objects.requireNonNull(address, "address is null");
    observers.taskMetrics();
    inspection = new Inspection(address);
    return this;
  }

  /// Adds an add-on, which [Application#addOn] then finds by its class.
  ///
  /// @param maker makes the add-on when the application is built; the add-on may install itself
  /// @return this builder
  public ApplicationBuilder addOn(Function<? super Scheduler, ? extends AddOn> maker) {
    Objects.requireNonNull(maker, "maker is null");
    addOns.add(maker);
    return this;
  }

  /// Sets the limits of the orderly shutdown that SIGINT, SIGTERM or `System.exit` begin, see
  /// [Application#shutdown(Duration, Duration)]. By default tasks are cancelled at once and have 10
  /// seconds to clean up.
  ///
  /// @param drain how long tasks may go on before they are cancelled, at least zero: for a server
  ///   that finishes the requests it has begun. Tasks that would run for ever should await
  ///   [Application#shutdownRequested()]; otherwise each shutdown takes this long
  /// @param cleanUp how long the JVM waits for cancelled tasks to clean up, at least zero
  /// @return this builder
  /// @throws IllegalArgumentException if `drain` or `cleanUp` is negative; nothing has changed
  public ApplicationBuilder shutdownLimits(Duration drain, Duration cleanUp) {
    requireNotNegative("drain", drain);
    requireNotNegative("cleanUp", cleanUp);
    shutdownDrain = drain;
    shutdownCleanUp = cleanUp;
    return this;
  }

  private static void requireNotNegative(String name, Duration time) {
    if (Objects.requireNonNull(time, () -> name + " is null").isNegative()) {
      throw new IllegalArgumentException(
          name + " must not be negative, but is " + ReportText.duration(time));
    }
  }

  /// Configures the observers of the tasks: limits, the threshold or the handler of the watchdog,
  /// the flight recorder and the like. A later call replaces what an earlier one has set, as the
  /// methods of this builder do.
  ///
  /// @param settings receives the observers, which have a watchdog and access from outside
  /// @return this builder
  public ApplicationBuilder observers(Consumer<? super Observers> settings) {
    Objects.requireNonNull(settings, "settings is null");
    settings.accept(observers);
    return this;
  }

  /// Configures the scheduler: its ticker, policy, hooks, debug mode and the like. Set the backend
  /// with [#backend] and a virtual clock with [#clock] instead: the application has to know them.
  ///
  /// @param settings receives the scheduler's builder
  /// @return this builder
  public ApplicationBuilder scheduler(Consumer<? super SchedulerBuilder> settings) {
    Objects.requireNonNull(settings, "settings is null");
    settings.accept(scheduler);
    return this;
  }

  /// Makes a group of loops: the same program on several applications with these settings, each on
  /// a thread of its own. Functions that were given to this builder are called on these threads,
  /// one at a time; the failure handler by several at once. The builder must not be changed
  /// afterwards.
  ///
  /// Loops cannot share objects that belong to one scheduler: a recorder passed to
  /// [Observers#recorder(Recorder)], a name for JMX, or an add-on. The second loop that uses it
  /// fails, and with it the group. [#recorder(int)] makes a recorder for each loop.
  ///
  /// @param name of the group, which the names of its threads begin with
  /// @param count how many, at least one; usually as many as there are processors
  /// @return the group, to be run once
  /// @throws IllegalArgumentException if `count` is less than one
  /// @throws IllegalStateException if the builder has a virtual clock, which belongs to one
  ///   scheduler
  public LoopGroup loops(String name, int count) {
    if (clock != null) {
      throw new IllegalStateException(
          "a virtual clock has one scheduler, and a group has several: leave out .clock(..), or run"
              + " the loops in a simulated world");
    }
    var group = new LoopGroup(this, name, count);
    addOnsOfLoops = Collections.newSetFromMap(new MapMaker().weakKeys().makeMap());
    return group;
  }

  /// Builds an application that belongs to the calling thread and can be started any number of
  /// times.
  ///
  /// @return the application, which the caller must close
  /// @throws IllegalStateException if the clock has a scheduler already, the backend cannot run its
  ///   loop on the calling thread, or the inspector is not on the path or cannot listen on its port
  public Application build() {
    if (recorderUsed) {
      observers.recorder(Recorder.ofCapacity(recorderCapacity));
    }
    recorderUsed = recorderCapacity > 0;
    Scheduler built = clock == null ? scheduler.build() : clock.scheduler(scheduler);
    Application application = null;
    try {
      application = new Application(built);
      if (inspection != null) {
        application.inspectedBy(inspection.open(built));
      }
      addOns.forEach(maker ->
          addTo(
              built,
              Objects.requireNonNull(
                  maker.apply(built), "the function given to addOn(..) returned null")));
      return application;
    } catch (Throwable e) {
      if (application == null) {
        built.close();
      } else {
        application.close();
      }
      throw e;
    }
  }

  private void addTo(Scheduler built, AddOn addOn) {
    if (addOnsOfLoops != null && !addOnsOfLoops.add(addOn)) {
      throw new IllegalStateException(
          "two loops share an add-on, which is confined to one thread: make one for each; addOn="
              + addOn);
    }
    if (built.host().addOn(addOn.getClass()) != addOn) {
      built.host().install(addOn);
    }
  }

  /// See [Application#run(Application.Main)].
  ///
  /// @param main the program
  public void run(Application.Main main) {
    Objects.requireNonNull(main, "main is null");
    runToEnd(main);
  }

  /// See [Application#runAndExit(Application.Main)].
  ///
  /// @param main the program
  public void runAndExit(Application.Main main) {
    Objects.requireNonNull(main, "main is null");
    int code;
    try {
      code = runToEnd(main);
    } catch (Throwable e) {
      FailureLogger.endedUnlessJvmEnds(e);
      code = ExitCode.FAILURE;
    }
    System.exit(code);
  }

  private int runToEnd(Application.Main main) {
    boolean ownThread = !Thread.currentThread().isVirtual() && isHandoff();
    try {
      return ownThread ? OnVirtualThread.call(() -> runHere(main)) : runHere(main);
    } catch (Throwable e) {
      StackTraces.makeReadable(e, new Throwable().getStackTrace());
      throw e;
    }
  }

  private boolean isHandoff() {
    CoroutineBackend chosen = backend == null ? CoroutineBackends.defaultBackend() : backend;
    return chosen == CoroutineBackends.handoff();
  }

  private int runHere(Application.Main main) {
    return runHere(application -> {}, main, () -> {});
  }

  /// Runs a program on the calling thread. Several threads may do so.
  ///
  /// @param built receives the application before it starts
  /// @param ran called when the run has ended, before the application is closed
  int runHere(Consumer<? super Application> built, Application.Main main, Runnable ran) {
    Application application;
    synchronized (this) {
      application = build();
    }
    try (var shutdown = new ShutdownHook(application, shutdownDrain, shutdownCleanUp)) {
      try (application) {
        built.accept(application);
        shutdown.add();
        try {
          application.start(main);
        } finally {
          ran.run();
        }
      } catch (Throwable e) {
        shutdown.failed(e);
        throw e;
      }
    }
    return application.exitCode();
  }

  /// {@return the builder of the loops' threads: virtual threads on HANDOFF, where they are several
  /// times faster}
  Thread.Builder threads() {
    return isHandoff() ? Thread.ofVirtual() : Thread.ofPlatform();
  }

  /// Builds the application of a group's acceptor, which has the backend of the group, and no
  /// add-ons of the program.
  Application buildAcceptor() {
    ApplicationBuilder plain = Application.builder();
    if (backend != null) {
      plain.backend(backend);
    }
    return plain.build();
  }
}
