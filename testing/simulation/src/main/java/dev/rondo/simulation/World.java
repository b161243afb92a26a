package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.ApplicationBuilder;
import dev.rondo.exploration.ChoiceKind;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.internal.RunChoices;
import dev.rondo.exploration.picture.RecordingPicture;
import dev.rondo.observe.Recorder;
import dev.rondo.observe.Recording;
import dev.rondo.observe.internal.RecorderCore;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.simulation.internal.Chance;
import dev.rondo.simulation.internal.world.HostAddresses;
import dev.rondo.simulation.internal.world.WorldChecks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A distributed system in one process, on one thread, under virtual time and one seed: hosts with
/// a program each, and the network between them.
///
/// ```
/// try (World world = World.withSeed(42)) {
///   world.host("server", host -> { .. });
///   world.hosts("client", 3, host -> { .. });
///   world.runFor(Duration.ofMinutes(10)); // virtual
/// }
/// ```
///
/// **Turns.** The world gives one task of one host a turn, then again one of one host. Which of the
/// ready hosts is next is a choice; within a host the tasks have the order that they have in
/// production. When no host is ready, time goes on to the next deadline of a host or the next event
/// of the network. Turns take no virtual time.
///
/// **Choices.** All that is random in a world is drawn from one sequence of [Choices], in the order
/// in which it happens. That is the next host, the latency and loss of packets, the fate of disks,
/// the faults of [#chaos(Chaos)], and the random numbers of the world and its hosts. The choice 0
/// is always the calm one: the host whose turn it is, the shortest latency, no loss, no fault.
///
/// **Determinism.** The same program with the same choices has the same run. Not under the control
/// of the world are real clocks and real sockets that a program uses, random numbers that are not
/// seeded, orders by identity hash codes, and other threads. A call of `blocking(..)` has its
/// place: it runs after the turn that began it, and all hosts stand still until it ends. Other
/// threads that a `completion(..)` waits for take no virtual time, but the order in which they are
/// done is theirs: when no host is ready, the world stands still until one is. See
/// [#patience(Duration)].
///
/// **Failures.** A failure of a host that no task has observed ends the run: [#runFor(Duration)],
/// [#runUntil] or [#close()] throws a [SimulationFailedError] that lists all of them. So does what
/// a host leaves behind. See [WorldHost#tolerate].
///
/// **Logs.** While a host has its turn, its name is in SLF4J's mapped diagnostic context, at
/// [#MDC_HOST].
///
/// **Threads.** Confined to the thread of the first call; the tasks of the hosts are on it, too,
/// whatever thread their backend gives them.
public final class World implements AutoCloseable {

  /// The key of the host's name in the mapped diagnostic context.
  public static final String MDC_HOST = "rondo.host";

  /// Cancelled tasks of a world that is closed have so much virtual time to clean up.
  private static final Duration CLEAN_UP = Duration.ofMinutes(1);

  private static final int FIRST_CHAOS_PART = 1 << 20;

  /// How likely a place of a program can be unlucky in a run, and is each time in such a run.
  private static final double UNLUCKY = 0.25;

  private final Choices choices;
  private final WorldDriver driver;
  private final WorldFailures failures;
  private final WorldChecks checks = new WorldChecks();
  private final OutsideWatch outside;
  private final WorldRun run;
  private final Map<String, WorldHost> hosts = new LinkedHashMap<>();
  private final HostAddresses addresses = new HostAddresses();
  private Consumer<? super ApplicationBuilder> settings = builder -> {};

  private final List<WorldChaos> chaos = new ArrayList<>();

  /// The next number of a kind of faults among the parts of the run. A test may use low ones.
  private int chaosPart = FIRST_CHAOS_PART;

  /// By the names of the places where programs may be unlucky: whether they can be in this run.
  private final Map<String, Boolean> unluckyPlaces = new HashMap<>();

  private boolean closed;

  /// @param origin where the choices come from, in messages
  private World(String origin, Choices choices, boolean recorded) {
    this.choices = choices;
    this.driver = new WorldDriver(choices, recorded);
    this.failures = driver.failures();
    this.outside = new OutsideWatch(driver, failures);
    this.run = new WorldRun(origin, driver, checks, failures, outside, this::tasksInUse);
    driver.checkThread();
    SimulatedNetwork _ = driver.network().chance(Chance.of(choices, ChoiceKind.DELIVERY));
  }

  /// {@return a world without hosts, for the calling thread}
  ///
  /// @param seed of all choices
  public static World withSeed(long seed) {
    return withSeed(seed, false);
  }

  private static World withSeed(long seed, boolean recorded) {
    return new World("seed " + seed, Choices.random(seed), recorded);
  }

  /// {@return a world without hosts, for the calling thread}
  ///
  /// @param choices of this world and of what the test draws itself
  public static World with(Choices choices) {
    // the same text in a run and in its repetitions, which must fail alike
    return new World("world", requireNonNull(choices, "choices is null"), false);
  }

  /// Makes a run twice with the same seed, each time in a new world, and compares the turns of all
  /// tasks, their instants, and the digests at each of them. A difference comes from outside: from
  /// a real clock, random numbers without a seed, an order by identity hash codes, another thread.
  ///
  /// @param seed of both worlds
  /// @param run adds hosts and lets them run; the world is closed afterwards
  /// @throws SimulationFailedError if the runs differ; the message has the first difference, what
  ///   came before it, and the stack of the task of that turn, with what it has read last from
  ///   outside
  public static void checkDeterminism(long seed, Consumer<? super World> run) {
    requireNonNull(run, "run is null");
    WorldTrace first = traceOf(seed, run, null);
    WorldTrace second = traceOf(seed, run, first);
    String difference = first.differenceTo(second);
    if (difference != null) {
      throw new SimulationFailedError("seed " + seed + ": " + difference + second.culprit());
    }
  }

  private static WorldTrace traceOf(
      long seed, Consumer<? super World> run, @Nullable WorldTrace first) {
    try (World world = withSeed(seed, true)) {
      WorldTrace trace = world.driver.trace();
      if (first != null) {
        trace.isSecondAfter(first);
      }
      run.accept(world);
      trace.end();
      return trace;
    }
  }

  /// {@return a number that follows from all that has happened so far} Two runs have other digests
  /// if they differ in one of these:
  ///
  /// - the turns of hosts: which host, at which instant, and how many of its tasks are ready after
  ///   it
  /// - the choices: random numbers of the world and its hosts, latencies, losses, faults
  /// - with programs that are written for threads also the number and the name of the thread that
  ///   had the turn, the random numbers that it drew, the bytes that it wrote to sockets and files,
  ///   and its other changes of the disk
  ///
  /// Not covered are what other programs write, and the names of their tasks. See
  /// [#checkDeterminism].
  public long digest() {
    driver.checkThread();
    return driver.trace().digest();
  }

  /// The task that has the turn has read something from outside.
  void read(String what) {
    driver.trace().read(what);
  }

  /// The digest follows from a number, too.
  void noted(long what) {
    driver.trace().add(what);
  }

  /// Messages of failures have these lines, too.
  void explain(Supplier<String> lines) {
    run.explain(lines);
  }

  /// The record of the run, if there is one, has it.
  void told(WorldHost host, String what) {
    WorldRecorder recorder = driver.trace().recorder();
    if (recorder != null) {
      recorder.fault(host.name(), what);
    }
  }

  /// Whether what its programs print is written.
  boolean isShown() {
    return RunChoices.of(choices).isShown();
  }

  /// The record of the run, if there is one, has what a program prints.
  void printed(WorldHost host, String text) {
    WorldRecorder recorder = driver.trace().recorder();
    if (recorder != null) {
      recorder.printed(host.name(), text);
    }
  }

  /// Configures the applications of hosts that start from now on: their backend, for instance. They
  /// have no watchdog and no access from outside; the world sets clock, IO and failure handler.
  ///
  /// @param settings receives the builder of each
  /// @return this world
  public World applications(Consumer<? super ApplicationBuilder> settings) {
    requireOpen();
    this.settings = requireNonNull(settings, "settings is null");
    return this;
  }

  void applySettings(ApplicationBuilder builder) {
    settings.accept(builder);
  }

  /// Limits the real time that the world stands still for other threads, which is 10 s. A call of
  /// `blocking(..)` that takes longer ends the run with a [SimulationFailedError], whose cause has
  /// the stack of its thread; it must not wait for what a task of this world does. For a
  /// `completion(..)` that takes longer virtual time goes on, with a warning.
  ///
  /// @param limit more than zero
  /// @return this world
  /// @throws IllegalArgumentException if the limit is zero or negative
  public World patience(Duration limit) {
    requireOpen();
    if (!requireNonNull(limit, "limit is null").isPositive()) {
      throw new IllegalArgumentException(
          "limit must be more than zero: limit=" + ReportText.duration(limit));
    }
    driver.patience(limit);
    return this;
  }

  /// Keeps the last events, to be looked at after a failure: what the tasks of each host did,
  /// waited for, and were woken by; packets, except mere acknowledgements; faults. A failure of
  /// this world then has a suppressed [RecordingPicture#note] with the last events and the path of
  /// a page with all of them. It costs some ten microseconds for each wait.
  ///
  /// The world of a test that draws its failure has a recorder already, and keeps that.
  ///
  /// @param capacity how many events, from 1 to 10 million
  /// @return this world
  /// @throws IllegalArgumentException if it is out of range
  /// @throws IllegalStateException if there is a host, or this was called, or the world is closed
  public World recorder(int capacity) {
    Recorder recorder = Recorder.ofCapacity(capacity).withDetails();
    requireNoHost(run.isTold());
    WorldRecorder last = driver.trace().recorder();
    run.told(last == null ? record(recorder) : last);
    return this;
  }

  /// Keeps the last events, as [#recorder(int)] does, in a recorder of the caller. The rest is left
  /// to the caller: failures have no note, and are not recorded.
  ///
  /// @param recorder which no scheduler has yet; it gets the time of this world
  /// @return this world
  /// @throws IllegalStateException if there is a host, or a recorder, or the world is closed
  public World recorder(Recorder recorder) {
    requireNonNull(recorder, "recorder is null");
    requireNoHost(driver.trace().recorder() != null);
    WorldRecorder _ = record(recorder);
    return this;
  }

  private void requireNoHost(boolean recorded) {
    requireIdle("recorder");
    if (!hosts.isEmpty() || recorded) {
      throw new IllegalStateException("recorder(..) comes once, before the first host");
    }
  }

  private WorldRecorder record(Recorder recorder) {
    var added = new WorldRecorder((RecorderCore) recorder, driver.time());
    driver.trace().recorder(added);
    driver.network().watch(added);
    return added;
  }

  /// Sets the reaction to calls by tasks of this world that leave the simulation: of the real
  /// clock, random numbers without a seed, threads, real sockets and files. An [OutsideAgent] sees
  /// them. If it is there, the run fails unless this is called.
  ///
  /// @param policy from now on
  /// @return this world
  /// @throws IllegalStateException if the policy does not ignore the calls and the agent is not
  ///   there, or the world is closed
  public World outsideCalls(OutsidePolicy policy) {
    requireOpen();
    outside.policy(requireNonNull(policy, "policy is null"));
    return this;
  }

  /// Allows calls by tasks of this world that leave the simulation and are known to be harmless.
  ///
  /// @param caller classes and methods that may have them; `*` stands for any text
  /// @param called what they may call, `java.lang.System.nanoTime()` for instance; `*` stands for
  ///   any text
  /// @return this world
  /// @throws IllegalStateException if the world is closed
  public World allowOutsideCalls(String caller, String called) {
    requireOpen();
    outside.allow(
        new AllowedCall(
            requireNonNull(caller, "caller is null"), requireNonNull(called, "called is null")));
    return this;
  }

  /// {@return the last events, and what the tasks of all hosts are doing}
  ///
  /// @throws IllegalStateException if there is no [#recorder(int)]
  public Recording recording() {
    driver.checkThread();
    WorldRecorder recorder = driver.trace().recorder();
    if (recorder == null) {
      throw new IllegalStateException("the world has no recorder: call recorder(..) at first");
    }
    return recorder.recording();
  }

  // Hosts.

  /// Adds a host with the next free address of 10.0.0.0/8, and starts its program.
  ///
  /// @param name of this host alone
  /// @param main its program
  /// @return the host
  /// @throws IllegalArgumentException if a host has the name
  /// @throws IllegalStateException if called by a task of a host, or the world is closed
  public WorldHost host(String name, WorldHost.Main main) {
    requireFree(name);
    return add(name, addresses.next(), main);
  }

  /// Adds a host with an address, and starts its program.
  ///
  /// @param name of this host alone
  /// @param address of this host alone, numeric
  /// @param main its program
  /// @return the host
  /// @throws IllegalArgumentException if a host has the name or the address, or the address is not
  ///   numeric
  /// @throws IllegalStateException if called by a task of a host, or the world is closed
  public WorldHost host(String name, String address, WorldHost.Main main) {
    requireFree(name);
    return add(name, requireNonNull(address, "address is null"), main);
  }

  /// Adds hosts, and starts a program on each.
  ///
  /// @param prefix the names are this with `-1`, `-2` and so on
  /// @param count how many, at least zero
  /// @param main the program of each
  /// @return the hosts
  /// @throws IllegalArgumentException if the count is negative, or a host has one of the names; the
  ///   hosts before it stay
  /// @throws IllegalStateException if called by a task of a host, or the world is closed
  public List<WorldHost> hosts(String prefix, int count, WorldHost.Main main) {
    requireNonNull(prefix, "prefix is null");
    if (count < 0) {
      throw new IllegalArgumentException("count must be at least 0: count=" + count);
    }
    var added = new ArrayList<WorldHost>();
    for (int i = 1; i <= count; i++) {
      added.add(host(prefix + "-" + i, main));
    }
    return List.copyOf(added);
  }

  private void requireFree(String name) {
    requireIdle("host");
    WorldHost other = hosts.get(requireNonNull(name, "name is null"));
    if (other != null) {
      throw new IllegalArgumentException(
          "there is a host with this name already: name=%s, address=%s"
              .formatted(name, other.address().getHostAddress()));
    }
  }

  private WorldHost add(String name, String address, WorldHost.Main main) {
    requireNonNull(main, "main is null");
    SimulatedHost simulated = driver.network().host(name, address);
    addresses.taken(address);
    var added = new WorldHost(this, hosts.size() + 1, driver, simulated, choices, main);
    hosts.put(name, added);
    added.boot();
    return added;
  }

  /// {@return all hosts, in the order in which they were added}
  public List<WorldHost> hosts() {
    return List.copyOf(hosts.values());
  }

  // Parts.

  /// {@return random numbers for the test, from the choices of this world}
  ///
  /// @throws WrongThreadException on another thread than the world's
  public RandomGenerator random() {
    driver.checkThread();
    return choices;
  }

  /// {@return a UUID of version 4 that no other call in this world returns, see [Choices#uuid()]}
  ///
  /// @throws WrongThreadException on another thread than the world's
  UUID uuid() {
    driver.checkThread();
    return choices.uuid();
  }

  /// {@return what connects the hosts} Its time is moved by this world alone.
  public SimulatedNetwork network() {
    return driver.network();
  }

  /// {@return the virtual time since the world was made}
  public Duration elapsed() {
    return Duration.ofNanos(driver.time().nanos());
  }

  /// {@return where the choices of this world come from, its time, the last faults, and what the
  /// tasks are doing, but for those of add-ons that nothing waits for} The failures of this world
  /// say the same. As the message of an assertion of the test itself, it is made if the assertion
  /// fails: `assertEquals(3, replies, world::report)`.
  public String report() {
    driver.checkThread();
    return run.report();
  }

  /// See [History#of(World)].
  String report(String finding, Duration from, Duration to) {
    return run.report(finding, from, to);
  }

  /// {@return what every task of every host is doing}
  String dump() {
    driver.checkThread();
    return hosts.values().stream().map(WorldHost::dump).collect(Collectors.joining());
  }

  private String tasksInUse() {
    return hosts.values().stream().map(WorldHost::tasksInUse).collect(Collectors.joining());
  }

  // Running.

  /// Runs the hosts for a while. If nothing can happen any more, the rest of the time passes at
  /// once.
  ///
  /// @param duration virtual, at least zero
  /// @throws SimulationFailedError if a failure was not observed; time stands where it was
  /// @throws IllegalArgumentException if the duration is negative; nothing has run
  /// @throws IllegalStateException if called by a task of a host, or the world is closed
  public void runFor(Duration duration) {
    requireIdle("runFor");
    run.runFor(duration);
  }

  /// Runs the hosts until a condition holds.
  ///
  /// @param condition looked at after each turn and whenever time has passed; it must not change
  ///   anything
  /// @param limit how long that may take, virtual, at least zero
  /// @throws SimulationStalledException if it does not hold, and nothing can happen any more
  /// @throws SimulationFailedError if it does not hold in time, or a failure was not observed
  /// @throws IllegalArgumentException if the limit is negative; nothing has run
  /// @throws IllegalStateException if called by a task of a host, or the world is closed
  public void runUntil(BooleanSupplier condition, Duration limit) {
    requireIdle("runUntil");
    run.runUntil(requireNonNull(condition, "condition is null"), limit);
  }

  // Chaos.

  /// Lets faults happen by chance while the hosts run, until [#heal()]. Which ones, and when, are
  /// choices.
  ///
  /// May be called again, for other hosts with other rules. Each chaos keeps its own rules: a host
  /// that is down because of another one counts as down.
  ///
  /// @param faults which, how often, and within which rules
  /// @return this world
  /// @throws IllegalArgumentException if the rules do not fit this world: it has no hosts, the
  ///   faults are on a host of another one, or more hosts may be down than there are, or none
  /// @throws UnsupportedOperationException if the hosts are to crash or to lose their power, and
  ///   have a backend that does not allow it, see [WorldHost#crash()]
  /// @throws IllegalStateException if called by a task of a host, or the world is closed
  public World chaos(Chaos faults) {
    requireIdle("chaos");
    requireNonNull(faults, "faults is null");
    chaos.add(new WorldChaos(this, driver, faults, choices, chaosPart));
    chaosPart += faults.faults().size();
    return this;
  }

  /// Ends the faults of each [#chaos(Chaos)], and lets no other begin: hosts that are down start
  /// again, paused ones go on, partitions end, and wall clocks have the offset that they had
  /// before. Does nothing if there is no chaos. Faults of the test itself stay.
  ///
  /// @return this world
  /// @throws IllegalStateException if called by a task of a host, or the world is closed
  public World heal() {
    requireIdle("heal");
    List<WorldChaos> ended = List.copyOf(chaos);
    chaos.clear();
    ended.forEach(WorldChaos::heal);
    return this;
  }

  /// See [dev.rondo.application.Chance].
  boolean isUnlucky(WorldHost host, String place) {
    boolean can =
        unluckyPlaces.computeIfAbsent(place, _ -> choices.chance(ChoiceKind.FAULT, UNLUCKY));
    if (!can || !choices.chance(ChoiceKind.FAULT, UNLUCKY)) {
      return false;
    }
    driver.trace().addFault(host, "'" + place + "'");
    return true;
  }

  /// {@return whether a fault of a chaos cuts a host off from all others}
  boolean isCutOff(WorldHost host) {
    return chaos.stream().anyMatch(each -> each.cutsOff(host));
  }

  // Checks.

  /// Adds something that must hold always. It is looked at after each turn, and whenever time has
  /// passed.
  ///
  /// @param name in the message
  /// @param holds must not change anything; runs on the world's thread, outside of tasks
  /// @return this world; its run fails with a [SimulationFailedError] when it does not hold
  public World always(String name, BooleanSupplier holds) {
    requireOpen();
    checks.always(requireNonNull(name, "name is null"), requireNonNull(holds, "holds is null"));
    return this;
  }

  /// Adds something that must hold at one instant at least. It is looked at as with [#always]. A
  /// world that is closed before the time is over does not fail.
  ///
  /// @param name in the message
  /// @param holds must not change anything; runs on the world's thread, outside of tasks
  /// @param within how long that may take from now on, at least zero
  /// @return this world; its run fails with a [SimulationFailedError] when the time is over
  /// @throws IllegalArgumentException if `within` is negative
  public World eventually(String name, BooleanSupplier holds, Duration within) {
    requireOpen();
    if (requireNonNull(within, "within is null").isNegative()) {
      throw new IllegalArgumentException(
          "within must be at least zero: within=" + ReportText.duration(within));
    }
    checks.eventually(
        requireNonNull(name, "name is null"),
        requireNonNull(holds, "holds is null"),
        within,
        driver.plans());
    return this;
  }

  /// A failure of a host that no task has observed.
  ///
  /// @param where which task
  void failed(WorldHost host, String where, Throwable failure) {
    failures.add(host, where, failure);
  }

  void requireOpen() {
    driver.checkThread();
    if (closed) {
      throw new IllegalStateException("the world is closed");
    }
  }

  /// @param call what is called
  void requireIdle(String call) {
    requireOpen();
    HostProcess running = driver.running();
    if (running != null) {
      throw new IllegalStateException(
          "%s inside of a turn of %s: call it outside of tasks".formatted(call, running.host()));
    }
  }

  // The end.

  /// Ends chaos as [#heal()] does, cancels the tasks of all hosts, lets them clean up for a minute
  /// of virtual time, and closes their applications. Does nothing if the world is closed.
  ///
  /// @throws SimulationFailedError if a failure was not observed, a task did not end, or a host has
  ///   left descriptors open
  @Override
  public void close() {
    if (closed) {
      return;
    }
    requireIdle("close");
    World _ = heal();
    closed = true;
    outside.begin();
    try {
      new WorldEnd(driver, List.copyOf(hosts.values())).run(CLEAN_UP);
    } finally {
      outside.end();
    }
    run.requireNoFailure();
  }

  @Override
  public String toString() {
    return "world of %d hosts, %s, at %s"
        .formatted(hosts.size(), choices, ReportText.duration(elapsed()));
  }
}
