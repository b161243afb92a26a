package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
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
  private final WorldDriver driver;
  private final SimulatedHost simulated;
  private final Main main;
  private final RandomGenerator random;
  private final HostClock clock;
  private final List<Throwable> tolerated = new ArrayList<>();
  private Predicate<? super Throwable> tolerance = failure -> false;
  private @Nullable HostProcess process;

  WorldHost(
      World world, WorldDriver driver, SimulatedHost simulated, RandomGenerator random, Main main) {
    this.world = world;
    this.driver = driver;
    this.simulated = simulated;
    this.random = random;
    this.main = main;
    this.clock = new HostClock(driver.time(), this::lookAgain);
    simulated.kernel().whenReady(this::lookAgain);
  }

  /// Has the process look for what may be due or ready.
  private void lookAgain() {
    HostProcess own = process;
    if (own != null) {
      driver.wakeUp(own);
    }
  }

  /// Begins to run main, in an application of its own.
  void boot() {
    ApplicationBuilder builder = Application.builder().withoutWatchdog().withoutOutsideAccess();
    world.applySettings(builder);
    Application application =
        builder
            .failureHandler(this::failed)
            .scheduler(it -> it.ticker(clock.ticker()).contextPropagation(driver.contextOf(this)))
            .build();
    var booted = new HostProcess(this, driver, application);
    process = booted;
    Task<Void> task = booted.scheduler().newTask("main", () -> main.run(this));
    boolean _ = booted.scheduler().scheduleTask(task);
    driver.makeReady(booted);
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
    this.tolerance = requireNonNull(tolerance, "tolerance");
    return this;
  }

  /// {@return the failures so far that were tolerated, see [#tolerate(Predicate)], in order}
  public List<Throwable> toleratedFailures() {
    return List.copyOf(tolerated);
  }

  // What it has.

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

  /// {@return its clocks}
  public HostClock clock() {
    return clock;
  }

  /// {@return random numbers of this host, which follow from the seed of the world and the place of
  /// this host among the hosts, and from nothing else}
  public RandomGenerator random() {
    return random;
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
      throw new IllegalStateException("no program runs on " + this);
    }
    return own;
  }

  @Nullable HostProcess process() {
    return process;
  }

  /// {@return what every task of this host is doing, below a line with its name}
  public String dump() {
    driver.checkThread();
    HostProcess own = process;
    String state = own == null ? " is down" : own.isPaused() ? " is paused" : "";
    String tasks = own == null ? "" : own.application().dump();
    return "host '%s' (%s)%s\n%s"
        .formatted(name(), address().getHostAddress(), state, tasks.indent(2));
  }

  @Override
  public String toString() {
    return "host '" + name() + "'";
  }
}
