package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.exploration.ChoiceKind;
import dev.rondo.exploration.Choices;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.simulation.internal.Chance;
import dev.rondo.simulation.internal.threads.HostSeat;
import dev.rondo.simulation.internal.world.StepPlan;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A host of a [World]: a computer with a name, addresses, clocks and chance of its own, on which
/// one program runs, as an [Application].
///
/// Confined to the world's thread and the tasks of its hosts.
public final class WorldHost {

  /// The program of a host.
  @FunctionalInterface
  public interface Main {

    /// Runs as the task `main` of the host; may suspend at any depth.
    ///
    /// @param host where it runs
    /// @throws Exception any failure: one that no task has observed
    void run(WorldHost host) throws Exception;
  }

  private final World world;
  private final int number;
  private final WorldDriver driver;
  private final SimulatedHost simulated;
  private final Main main;
  private final RandomGenerator random;
  private final HostClock clock;
  private final SimulatedDisk disk;
  private final List<Throwable> tolerated = new ArrayList<>();
  private Predicate<? super Throwable> tolerance = failure -> false;

  /// Actions due after some more steps, in the order of their planning.
  private final StepPlan plan = new StepPlan();

  /// The first loop of the program; null while the host is down.
  private @Nullable HostProcess process;

  /// Whether the program was asked to end, and goes on.
  private boolean ending;

  /// Further loops that the program has started.
  private final List<HostProcess> furtherLoops = new ArrayList<>();

  /// @param number its place among the hosts, from 1
  WorldHost(
      World world,
      int number,
      WorldDriver driver,
      SimulatedHost simulated,
      Choices choices,
      Main main) {
    this.number = number;
    this.world = world;
    this.driver = driver;
    this.simulated = simulated;
    this.random = choices.generator(ChoiceKind.RANDOM, number);
    this.main = main;
    this.clock = new HostClock(driver.time(), this::lookAgain);
    this.disk = new SimulatedDisk(Chance.of(choices, ChoiceKind.FAULT)).time(clock);
    simulated.kernel().whenReady(this::lookAgain);
    disk.beforeChange(this::changesDisk);
    WorldRecorder recorder = driver.trace().recorder();
    if (recorder != null) {
      disk.watch(recorder.diskOf(name()));
    }
  }

  /// Has the loops look for what may be due or ready.
  private void lookAgain() {
    HostProcess first = process;
    if (first != null) {
      driver.wakeUp(first);
      furtherLoops.forEach(driver::wakeUp);
    }
  }

  /// Begins to run main, in an application of its own.
  void boot() {
    HostProcess booted = newProcess(Application.builder());
    process = booted;
    Task<Void> task =
        booted
            .scheduler()
            .newTask(
                "main",
                () -> {
                  try {
                    main.run(this);
                  } catch (Throwable e) {
                    if (!booted.handles(e)) {
                      throw e;
                    }
                  } finally {
                    booted.mainEnded();
                  }
                });
    boolean _ = booted.scheduler().scheduleTask(task);
    driver.makeReady(booted);
  }

  /// Makes a further loop of the program.
  HostProcess start(ApplicationBuilder settings) {
    HostProcess started = newProcess(settings);
    furtherLoops.add(started);
    return started;
  }

  private HostProcess newProcess(ApplicationBuilder builder) {
    builder.bare();
    world.applySettings(builder);
    Application application =
        builder
            .failureHandler(this::failed)
            .scheduler(it -> it.ticker(clock.ticker()).contextPropagation(driver.contextOf(this)))
            .scheduler(this::record)
            .build();
    return new HostProcess(this, driver, application);
  }

  /// The part of this host that a program written for threads uses.
  HostSeat seatOf(Application application) {
    return new ThreadSeat(world, this, application);
  }

  /// Ends a program that is written for threads with the world: its threads are where they are, and
  /// the kernel closes what they had open.
  void endThreads() {
    HostProcess own = process;
    if (own != null && own.hasThreads()) {
      killLoops();
      simulated.crash();
      disk.processKilled();
    }
  }

  private void killLoops() {
    List<HostProcess> loops = processes();
    process = null;
    ending = false;
    furtherLoops.clear();
    loops.forEach(HostProcess::die);
  }

  private void record(SchedulerBuilder builder) {
    WorldTrace trace = driver.trace();
    if (trace.isRecorded()) {
      SchedulerBuilder _ = builder.listener(trace.listenerOf(this));
    }
    WorldRecorder recorder = trace.recorder();
    if (recorder != null) {
      recorder.record(builder, this);
    }
  }

  private void failed(String where, Throwable failure) {
    if (tolerance.test(failure)) {
      tolerated.add(failure);
    } else {
      world.failed(this, where, failure);
    }
  }

  /// Has failures that no task has observed not fail the run.
  ///
  /// @param tolerance receives each of them
  /// @return this host
  public WorldHost tolerate(Predicate<? super Throwable> tolerance) {
    this.tolerance = requireNonNull(tolerance, "tolerance is null");
    return this;
  }

  /// {@return the failures so far that were tolerated, see [#tolerate(Predicate)], in order}
  public List<Throwable> toleratedFailures() {
    return List.copyOf(tolerated);
  }

  // Parts.

  /// {@return the host that a scheduler runs on; empty if it is no scheduler of a world} For
  /// add-ons that are simulated there. On the scheduler's thread; never a suspension point.
  ///
  /// @param scheduler any
  public static Optional<WorldHost> of(Scheduler scheduler) {
    return LoopControl.of(requireNonNull(scheduler, "scheduler is null").host()).idleStrategy()
            instanceof HostProcess process
        ? Optional.of(process.host())
        : Optional.empty();
  }

  /// {@return its name in the world}
  public String name() {
    return simulated.name();
  }

  /// {@return the first of its addresses}
  public InetAddress address() {
    return simulated.addresses().getFirst();
  }

  /// {@return the world that it is in}
  public World world() {
    return world;
  }

  /// {@return its part of the network: addresses, descriptors, channels}
  public SimulatedHost simulated() {
    return simulated;
  }

  int number() {
    return number;
  }

  /// {@return its disk, which outlasts the program} [#crash()] closes its files, and [#powerOff()]
  /// loses what was not forced.
  public SimulatedDisk disk() {
    return disk;
  }

  /// {@return its clocks}
  public HostClock clock() {
    return clock;
  }

  /// {@return random numbers for the program of this host, from the choices of the world}
  ///
  /// @throws WrongThreadException on another thread than the world's, such as in `blocking(..)`
  public RandomGenerator random() {
    driver.checkThread();
    return random;
  }

  /// {@return a UUID that is unique in the world, see [World#uuid()]} Unlike [UUID#randomUUID()],
  /// it is the same in each run with the same choices.
  ///
  /// @throws WrongThreadException on another thread than the world's
  public UUID uuid() {
    return world.uuid();
  }

  /// {@return the application that runs on it}
  ///
  /// @throws IllegalStateException if none does
  public Application application() {
    return requireRunning().application();
  }

  /// {@return the scheduler of its application}
  ///
  /// @throws IllegalStateException if none runs
  public Scheduler scheduler() {
    return requireRunning().scheduler();
  }

  private HostProcess requireRunning() {
    driver.checkThread();
    HostProcess own = process;
    if (own == null) {
      throw new IllegalStateException(
          "no program runs on %s: it is down until restart()".formatted(this));
    }
    return own;
  }

  /// All loops of its program, the last one that it has started first; none while it is down.
  List<HostProcess> processes() {
    HostProcess first = process;
    if (first == null) {
      return List.of();
    }
    var all = new ArrayList<HostProcess>(furtherLoops).reversed();
    all.addLast(first);
    return List.copyOf(all);
  }

  /// A further loop has ended.
  void forget(HostProcess ended) {
    furtherLoops.remove(ended);
  }

  // Faults.

  /// Plans something for the end of a turn of this host, or just before a change of its disk.
  ///
  /// @param steps how many turns and changes from now on, at least 1
  /// @param action returns what kills this host, null if it lives on
  void afterSteps(int steps, Supplier<? extends @Nullable Runnable> action) {
    plan.add(steps, action);
  }

  /// Nothing of what [#afterSteps] has planned happens.
  void forgetSteps() {
    plan.clear();
  }

  /// Called after each turn.
  void turnEnded() {
    for (Supplier<? extends @Nullable Runnable> each : plan.step()) {
      Runnable death = each.get();
      if (death != null) {
        death.run();
      }
    }
  }

  /// Called before each change of the disk. If the host dies of it, and the task can be parked, it
  /// does not return.
  private void changesDisk() {
    HostProcess running = driver.running();
    if (running == null || running.host() != this) {
      return; // the test does
    }
    for (Supplier<? extends @Nullable Runnable> each : plan.step()) {
      Runnable death = each.get();
      if (death != null) {
        driver.betweenTurns(death);
        running.neverReturn();
      }
    }
  }

  /// Kills the program, as `kill -9` does: its tasks end where they are, no `finally` block runs,
  /// and nothing of it runs again. The kernel of the host goes on and closes what the program had
  /// open: a peer reads the end of its connection, or finds it reset if the program had left bytes
  /// unread. Connections that wait to be accepted are reset, and the ports of the program answer
  /// that nothing is there. Bytes that the program has written still arrive. Needs the backend
  /// CONTINUATION.
  ///
  /// Called in a turn of another host it happens at the end of that turn. Called by a task of this
  /// host it does not return.
  ///
  /// @throws IllegalStateException if the host is down
  /// @throws UnsupportedOperationException if the tasks have threads of their own, whose stacks
  ///   cannot be given up: on BOUND and HANDOFF; the host goes on
  public void crash() {
    kill("crash");
  }

  /// The program, which has threads, ends its process.
  void exit() {
    kill("exit");
  }

  private void kill(String call) {
    fail(
        call,
        () -> {
          simulated.crash();
          disk.processKilled();
        });
  }

  /// Ends the program in order, as SIGTERM does: lets its tasks go on for the time `drain`, cancels
  /// those that are left, lets them clean up, and closes its application. Tasks that have not ended
  /// in time are given up and reported. Then the host is down until [#restart()], and its kernel
  /// has closed what was left open, which fails the run. See [Application#shutdownRequested()] and
  /// [ApplicationBuilder#shutdownLimits(Duration, Duration)], which a world does not ask for its
  /// time.
  ///
  /// A program that is written for threads has its shutdown hooks run, which may take both times;
  /// then it dies as by [#crash()].
  ///
  /// Called in a turn it happens at the end of that turn. Does nothing if the program is ending. A
  /// program that is paused is resumed, to clean up.
  ///
  /// @param drain how long tasks may go on, virtual, at least zero
  /// @param cleanUp how long cancelled tasks may take to end, virtual, at least zero
  /// @throws IllegalArgumentException if a time is negative
  /// @throws IllegalStateException if the host is down
  public void terminate(Duration drain, Duration cleanUp) {
    requireTime(drain, "drain");
    requireTime(cleanUp, "cleanUp");
    HostProcess first = requireUp("terminate");
    driver.betweenTurns(() -> {
      if (process == first && !ending) {
        driver.trace().addFault(this, "terminate");
        ending = true;
        if (first.hasThreads()) {
          first.terminate(drain.plus(cleanUp));
        } else {
          processes().forEach(each -> each.shutDown(drain, cleanUp));
        }
      }
    });
  }

  private static void requireTime(Duration time, String name) {
    if (requireNonNull(time, name + " is null").isNegative()) {
      throw new IllegalArgumentException(
          "%s must be at least zero: %s=%s".formatted(name, name, ReportText.duration(time)));
    }
  }

  /// Called when a loop may have ended: the first one ends last.
  void closeIfTerminated() {
    HostProcess first = process;
    if (ending && first != null && furtherLoops.isEmpty() && first.isShutDown()) {
      driver.betweenTurns(() -> {
        if (process == first) {
          close(first, driver.time().nanos());
          process = null;
          ending = false;
          first.ended();
          simulated.crash();
          disk.processKilled();
        }
      });
    }
  }

  /// Closes a loop whose tasks have ended, or have had their time.
  ///
  /// @param limit until when its clean-up may wait, an instant of the world
  void close(HostProcess loop, long limit) {
    driver.enterContext(this);
    try {
      loop.close(limit);
    } catch (RuntimeException | Error e) {
      world.failed(this, "its end", e);
    }
    int left = simulated.openDescriptors();
    if (left > 0 && loop.isFirst()) { // which ends last
      world.failed(this, "its end", new IllegalStateException("descriptors left open: " + left));
    }
  }

  /// Takes the power from the host: the program dies as by [#crash()], and so does the kernel. The
  /// host sends nothing any more, not even that a connection is closed, and what arrives is lost: a
  /// peer that connects or sends tries again until it gives up. Packets that are under way to
  /// others arrive. After [#restart()] the connections are unknown, and a peer that still uses one
  /// finds it reset. Data that was not forced to the disk is lost. Needs the backend CONTINUATION.
  ///
  /// @throws IllegalStateException if the host is down
  /// @throws UnsupportedOperationException as for [#crash()]
  public void powerOff() {
    fail(
        "powerOff",
        () -> {
          simulated.powerOff();
          disk.powerLost();
        });
  }

  /// @param how what becomes of the kernel
  private void fail(String call, Runnable how) {
    HostProcess victim = requireUp(call);
    requireMortal();
    driver.betweenTurns(() -> {
      if (process == victim) {
        driver.trace().addFault(this, call);
        killLoops();
        how.run();
      }
    });
    HostProcess running = driver.running();
    if (running != null && running.host() == this) {
      running.neverReturn();
    }
  }

  /// @throws UnsupportedOperationException if its program cannot crash
  void requireMortal() {
    processes().forEach(HostProcess::requireMortal);
  }

  /// Runs main again, on the same disk and with the clocks as they are, after [#crash()],
  /// [#powerOff()] or [#terminate(Duration, Duration)]. Called in a turn it happens at the end of
  /// that turn.
  ///
  /// @throws IllegalStateException if the host is up
  public void restart() {
    driver.checkThread();
    world.requireOpen();
    if (process != null) {
      throw new IllegalStateException(
          ending
              ? "restart of %s, which is ending: wait until it is down".formatted(this)
              : "restart of %s, which is up: crash(), powerOff() or terminate(..) comes first"
                  .formatted(this));
    }
    driver.betweenTurns(() -> {
      if (process == null) {
        driver.trace().addFault(this, "restart");
        simulated.restart();
        boot();
      }
    });
  }

  /// Stops the program for a while, as a long garbage collection or a stopped virtual machine does:
  /// time passes, and nothing runs. The kernel goes on: peers can connect and send until buffers
  /// are full. Called in a turn it happens at the end of that turn.
  ///
  /// @throws IllegalStateException if the host is down, or paused
  public void pause() {
    setPaused("pause", true);
  }

  /// Lets a paused program go on. Timers that have become due meanwhile are late.
  ///
  /// @throws IllegalStateException if the host is down, or not paused
  public void resume() {
    setPaused("resume", false);
  }

  private void setPaused(String call, boolean on) {
    HostProcess own = requireUp(call);
    if (own.isPaused() == on) {
      throw new IllegalStateException(
          "%s of %s, which is %s".formatted(call, this, on ? "paused already" : "not paused"));
    }
    processes().forEach(each -> each.paused(on));
    driver.betweenTurns(() -> {
      driver.trace().addFault(this, call);
      for (HostProcess each : processes()) {
        if (each.isPaused()) {
          driver.remove(each);
        } else {
          driver.makeReady(each);
        }
      }
    });
  }

  private HostProcess requireUp(String call) {
    driver.checkThread();
    world.requireOpen();
    HostProcess own = process;
    if (own == null) {
      throw new IllegalStateException("%s of %s, which is down".formatted(call, this));
    }
    return own;
  }

  /// {@return whether a program runs on it; not after [#crash()] or [#powerOff()], until
  /// [#restart()]}
  public boolean isUp() {
    return process != null;
  }

  /// {@return whether its program is paused}
  public boolean isPaused() {
    HostProcess own = process;
    return own != null && own.isPaused();
  }

  /// {@return what every task of this host is doing, below a line with its name}
  public String dump() {
    driver.checkThread();
    return dump(HostProcess::dump);
  }

  /// {@return the same, but for the add-ons that nothing waits for}
  String tasksInUse() {
    return dump(HostProcess::tasksInUse);
  }

  private String dump(Function<HostProcess, String> dumps) {
    HostProcess own = process;
    String state = own == null ? " is down" : own.isPaused() ? " is paused" : "";
    String text = processes().reversed().stream().map(dumps).collect(Collectors.joining());
    return "host '%s' (%s)%s\n%s".formatted(name(), address().getHostAddress(), state, text);
  }

  /// {@return what a task of this host is doing, with its stack}
  String describe(Task<?> task) {
    return processes().stream()
        .flatMap(each -> each.scheduler().tasks().stream())
        .filter(each -> each.id() == task.id() && each.name().equals(task.name()))
        .map(TaskInfo::toString)
        .findFirst()
        .orElse("nowhere, because it has ended");
  }

  @Override
  public String toString() {
    return "host '" + name() + "'";
  }
}
