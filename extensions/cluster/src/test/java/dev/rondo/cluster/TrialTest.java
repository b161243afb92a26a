package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.Certificates;
import dev.rondo.scheduler.testing.Nightly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Five nodes and three servers of etcd, each in a network of its own, with TLS and little memory,
/// and faults of all kinds. After each fault all nodes find each other in time, and go on; all that
/// they were answered is linearizable, leases have one holder, and no confirmed message is lost.
///
/// A node that starts again is not looked for until it has joined: its JVM takes 5 s of a processor
/// until then, of which the nodes may get a tenth.
///
/// Each fault happens at least once. `-Dcluster.trial=600` goes on for so many seconds,
/// `-Dcluster.faults=KILL,FLAP` with some faults only, `-Dcluster.seed=7` with other choices.
@Nightly("processes and networks that fail, in real time")
final class TrialTest extends ValuesRig {

  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");
  private static final List<String> SERVERS = List.of("e1", "e2", "e3");
  private static final int SECONDS = Integer.getInteger("cluster.trial", 90);
  private static final long SEED = Long.getLong("cluster.seed", 1);

  /// Of all servers: most of it are files that etcd makes in advance.
  private static final int DISK_MEGABYTES = 1_500;

  private static final long MINUTE = TimeUnit.MINUTES.toSeconds(1);
  private static final long DAY = TimeUnit.DAYS.toSeconds(1);

  /// How many runs of a job are waited for when the clocks were set.
  private static final int RUNS = 3;

  /// All have found each other then.
  private static final int FOUND_SECONDS = 30;

  private enum Fault {
    KILL,
    STOP,
    CUT,
    IS_NOT_HEARD,
    HEARS_NOBODY,
    HALVES,
    RING,
    FLAP,
    FLAP_ONE_WAY,
    ETCD_KILL,
    ETCD_STOP,
    ETCD_AWAY,
    DISK_FULL,
    CLOCKS
  }

  private static final List<Fault> FAULTS =
      Stream.of(System.getProperty("cluster.faults", "").split(",", -1))
          .filter(each -> !each.isEmpty())
          .map(Fault::valueOf)
          .toList();

  private final Random random = new Random(SEED);

  /// The faults that are to happen until all happen again.
  private final Deque<Fault> deck = new ArrayDeque<>();

  private final Map<String, Process> servers = new HashMap<>();
  private Namespaces network;
  private @Nullable SmallDisk disk;

  /// How often a server has ended because the disk was full.
  private int ended;

  private boolean clocksCanBeSet;

  /// How many members each node sees.
  private final Map<String, Integer> seen = new HashMap<>();

  private String holder = "";
  private long held;

  private final Set<String> sent = new HashSet<>();
  private final Set<String> got = new HashSet<>();
  private final Set<String> taken = new HashSet<>();
  private final Set<Long> runs = new HashSet<>();

  /// By how many seconds the clock of each node goes before that of the system.
  private final Map<String, Long> ahead = new HashMap<>();

  /// How many runs of the job have begun on nodes that have these clocks.
  private int runsInTime;

  private final Map<Fault, List<Long>> found = new TreeMap<>();
  private final Map<Fault, List<Long>> takeOvers = new TreeMap<>();
  private final List<Long> joined = new ArrayList<>();
  private final List<String> late = new ArrayList<>();
  private final Map<String, Integer> failures = new TreeMap<>();

  @BeforeEach
  void makeNetwork() throws Exception {
    network = new Namespaces(Stream.concat(NAMES.stream(), SERVERS.stream()).toList());
  }

  @AfterEach
  void endNetwork() throws Exception {
    super.endAll();
    for (Process each : servers.values()) {
      each.destroyForcibly().waitFor();
    }
    if (disk != null) {
      disk.close();
    }
    if (network != null) {
      network.delete();
    }
  }

  // Processes.

  @Override
  String startEtcd() throws Exception {
    KeyStore trusted = Certificates.trusting("e1", "e2", "e3", "node");
    store(Certificates.keys("node"), LeaseProcess.KEYS);
    store(trusted, LeaseProcess.TRUSTED);
    disk = new SmallDisk(folder.resolve("disk"), DISK_MEGABYTES);
    List<String> hosts = new ArrayList<>();
    for (String each : SERVERS) {
      hosts.add(network.address(each) + " " + each);
      EtcdProcess.tls(folder, each, "node");
      startServer(each);
    }
    Files.write(folder.resolve("hosts"), hosts);
    return SERVERS.stream().map(each -> each + ":2379").collect(Collectors.joining(","));
  }

  private void store(KeyStore keys, String name) throws Exception {
    try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
      keys.store(out, "changeit".toCharArray());
    }
  }

  private void startServer(String name) throws Exception {
    String peer = "http://" + network.address(name) + ":2380";
    String client = "https://" + network.address(name) + ":2379";
    var command = new ArrayList<>(network.prefix(name));
    command.addAll(
        List.of(
            "etcd",
            "--name=" + name,
            "--data-dir=" + requireNonNull(disk).folder().resolve(name),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster="
                + SERVERS.stream()
                    .map(each -> each + "=http://" + network.address(each) + ":2380")
                    .collect(Collectors.joining(",")),
            "--auto-compaction-mode=periodic",
            "--auto-compaction-retention=1m",
            "--logger=zap",
            "--log-level=error"));
    command.addAll(EtcdProcess.tls(folder, name, "node"));
    servers.put(
        name,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(
                    Path.of("target", "trial-" + name + ".txt").toFile()))
            .start());
  }

  private void signalServer(String name, String signal) throws Exception {
    assertEquals(0, run("kill", "-" + signal, "" + servers.get(name).pid()));
  }

  @Override
  String host(String name) {
    return network.address(name);
  }

  @Override
  List<String> prefix(String name) {
    return clocksCanBeSet ? with(network.prefix(name), withClock(name)) : network.prefix(name);
  }

  /// By libfaketime. Time spans are those of the system.
  private List<String> withClock(String name) {
    return List.of(
        "env",
        "LD_PRELOAD=/usr/$LIB/faketime/libfaketimeMT.so.1",
        "FAKETIME_DONT_FAKE_MONOTONIC=1",
        "FAKETIME_FORCE_MONOTONIC_FIX=0",
        "FAKETIME_DISABLE_SHM=1",
        "FAKETIME_CACHE_DURATION=1",
        "FAKETIME_TIMESTAMP_FILE=" + clock(name));
  }

  private Path clock(String name) {
    return folder.resolve("clock-" + name);
  }

  /// Certificates are not valid before they were made.
  private void setClocks() throws IOException {
    for (String each : NAMES) {
      long seconds = random.nextLong(4 * DAY);
      ahead.put(each, seconds);
      Path written = Files.writeString(folder.resolve("clock"), "+" + seconds);
      var _ = Files.move(written, clock(each), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static boolean clocksCanBeSet() throws InterruptedException {
    try {
      return run("faketime", "--version") == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  List<String> options() {
    return List.of(
        "-Xmx128m",
        "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
        "-Djdk.net.hosts.file=" + folder.resolve("hosts"));
  }

  @Override
  List<String> arguments() {
    return List.of(folder.toString());
  }

  @Override
  Node start(String name) throws IOException {
    seen.remove(name);
    return super.start(name);
  }

  // Lines.

  @Override
  void take(Line line) {
    super.take(line);
    List<String> words = Arrays.asList(line.text().split(" ", -1));
    switch (words.getFirst()) {
      case "members" -> seen.put(line.node(), Integer.parseInt(words.get(1)));
      case "joined" -> {
        try {
          node(line.node()).tell("live");
        } catch (IOException e) {
          // It was killed.
        }
      }
      case "act" -> {
        if (words.get(1).equals("l") && words.getLast().equals(".")) {
          holder = line.node();
          held = Long.parseLong(words.get(3));
        }
      }
      case "sends" -> note(sent, words, 2);
      case "got" -> {
        if (words.getLast().equals(".")) {
          assertTrue(got.add(words.get(1)), () -> "received twice: " + line);
        }
      }
      case "taken" -> note(taken, words, 1);
      case "run" -> {
        if (words.getLast().equals(".")) {
          boolean isRepeated = Boolean.parseBoolean(words.get(2));
          assertTrue(
              isRepeated || runs.add(Long.parseLong(words.get(1))), () -> "begun twice: " + line);
          long shown = TimeUnit.MILLISECONDS.toSeconds(Long.parseLong(words.get(3)));
          long own = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
          if (Math.abs(shown - own - ahead.get(line.node())) < MINUTE) {
            runsInTime++;
          }
        }
      }
      case "failed", "left" ->
          failures.merge(line.text().replaceAll("[0-9]+", "N"), 1, Integer::sum);
      default -> {}
    }
  }

  private static void note(Set<String> all, List<String> words, int index) {
    if (words.getLast().equals(".")) {
      all.add(words.get(index));
    }
  }

  /// Takes in lines for a time.
  private void nap(double seconds) throws InterruptedException {
    long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    for (long left; (left = end - System.nanoTime()) > 0; ) {
      Line line = lines.poll(left, TimeUnit.NANOSECONDS);
      if (line != null) {
        take(line);
      }
    }
  }

  private double some(double from, double to) {
    return from + random.nextDouble() * (to - from);
  }

  // Faults.

  private Fault nextFault(List<Fault> faults) {
    if (deck.isEmpty()) {
      var shuffled = new ArrayList<>(faults);
      Collections.shuffle(shuffled, random);
      deck.addAll(shuffled);
    }
    return deck.remove();
  }

  private static List<String> without(String name) {
    return NAMES.stream().filter(each -> !each.equals(name)).toList();
  }

  private void cut(List<String> these, List<String> those) throws Exception {
    cutOneWay(these, those);
    cutOneWay(those, these);
  }

  private void cutOneWay(List<String> from, List<String> to) throws Exception {
    for (String one : from) {
      for (String other : to) {
        network.cut(one, other);
      }
    }
  }

  private static List<String> with(List<String> names, List<String> more) {
    return Stream.concat(names.stream(), more.stream()).toList();
  }

  /// Does it, and ends it.
  private void happen(Fault fault, String victim) throws Exception {
    String server = SERVERS.get(random.nextInt(SERVERS.size()));
    List<String> others = with(without(victim), SERVERS);
    switch (fault) {
      case KILL -> {
        node(victim).signal("KILL");
        followTakeOver(fault, victim);
        nap(some(0, 5));
        awaitEnd(victim);
        start(victim);
        long started = System.nanoTime();
        while (!await("joined").node().equals(victim)) {
          // Another has joined again.
        }
        joined.add(millis(System.nanoTime() - started));
      }
      case STOP -> {
        node(victim).signal("STOP");
        followTakeOver(fault, victim);
        nap(some(0, 12));
        node(victim).signal("CONT");
      }
      case CUT -> {
        cut(List.of(victim), others);
        followTakeOver(fault, victim);
        nap(some(0, 15));
      }
      case IS_NOT_HEARD -> {
        cutOneWay(List.of(victim), others);
        followTakeOver(fault, victim);
        nap(some(0, 15));
      }
      case HEARS_NOBODY -> {
        cutOneWay(others, List.of(victim));
        followTakeOver(fault, victim);
        nap(some(0, 15));
      }
      case HALVES -> {
        var all = new ArrayList<>(with(NAMES, SERVERS));
        Collections.shuffle(all, random);
        cut(all.subList(0, all.size() / 2), all.subList(all.size() / 2, all.size()));
        nap(some(5, 15));
      }
      case RING -> {
        int size = NAMES.size();
        for (int i = 0; i < size; i++) {
          for (int j = 0; j < size; j++) {
            int distance = Math.floorMod(i - j, size);
            if (distance > 1 && distance < size - 1) {
              network.cut(NAMES.get(i), NAMES.get(j));
            }
          }
        }
        nap(some(5, 15));
      }
      case FLAP, FLAP_ONE_WAY -> {
        for (int i = 0; i < 6; i++) {
          cutOneWay(List.of(victim), others);
          if (fault == Fault.FLAP) {
            cutOneWay(others, List.of(victim));
          }
          nap(some(0.3, 3));
          network.heal();
          nap(some(0.3, 2));
        }
      }
      case ETCD_KILL -> {
        signalServer(server, "KILL");
        nap(some(0, 5));
        servers.get(server).waitFor();
        startServer(server);
      }
      case ETCD_STOP -> {
        signalServer(server, "STOP");
        nap(some(2, 10));
        signalServer(server, "CONT");
      }
      case ETCD_AWAY -> {
        cut(NAMES, SERVERS);
        nap(some(1, 12));
      }
      case DISK_FULL -> {
        SmallDisk full = requireNonNull(disk);
        full.fill();
        nap(some(1, 12));
        full.free();
        nap(0.5); // one may be ending
        for (String each : SERVERS) {
          if (!servers.get(each).isAlive()) {
            ended++;
            startServer(each);
          }
        }
      }
      case CLOCKS -> {
        setClocks();
        runsInTime = 0;
        while (runsInTime < RUNS) {
          var _ = next();
        }
      }
    }
    network.heal();
  }

  /// If the node had the lease: until another has it.
  private void followTakeOver(Fault fault, String victim) throws Exception {
    long now = System.nanoTime();
    nap(0.1);
    if (holder.equals(victim) && now - held < TimeUnit.MILLISECONDS.toNanos(200)) {
      while (holder.equals(victim)) {
        var _ = next();
      }
      takeOvers.computeIfAbsent(fault, it -> new ArrayList<>()).add(millis(held - now));
    }
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /// Waits until all nodes see all, and are answered.
  private void settle(Fault fault) throws Exception {
    long healed = System.nanoTime();
    while (!isWhole()) {
      nap(0.05);
      for (String each : NAMES) {
        assertTrue(node(each).process().isAlive(), () -> each + " has ended: " + failures);
      }
      assertTrue(
          System.nanoTime() - healed < TimeUnit.SECONDS.toNanos(HANG_SECONDS),
          () -> "%s: not found: %s %s".formatted(fault, seen, failures));
    }
    long taken = millis(System.nanoTime() - healed);
    found.computeIfAbsent(fault, it -> new ArrayList<>()).add(taken);
    if (taken > TimeUnit.SECONDS.toMillis(FOUND_SECONDS)) {
      late.add(fault + " after " + taken + " ms");
    }
    followOperationsOf(NAMES);
  }

  private boolean isWhole() {
    return NAMES.stream().allMatch(each -> seen.getOrDefault(each, 0) == NAMES.size());
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void allGoesOn_andNothingIsLost() throws Exception {
    clocksCanBeSet = clocksCanBeSet();
    setClocks();
    startAll(NAMES.toArray(String[]::new));
    while (!isWhole()) {
      nap(0.05);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    List<Fault> faults =
        Stream.of(Fault.values())
            .filter(each -> FAULTS.isEmpty() || FAULTS.contains(each))
            .filter(each -> each != Fault.CLOCKS || clocksCanBeSet)
            .toList();
    int count = 0;
    for (; count < faults.size() || System.nanoTime() - end < 0; count++) {
      Fault fault = nextFault(faults);
      String victim =
          random.nextInt(3) > 0 && !holder.isEmpty()
              ? holder
              : NAMES.get(random.nextInt(NAMES.size()));
      System.out.printf("%s %s of %s%n", Instant.now(), fault, victim);
      happen(fault, victim);
      settle(fault);
      nap(some(0, 3));
    }
    requireRight();
    assertEquals(Set.of(), difference(taken, got), "confirmed, and not received");
    assertEquals(Set.of(), difference(got, sent), "received, and not sent");
    System.out.printf(
        "%d faults, %d operations answered: linearizable; %d acts with leases; %d messages"
            + " confirmed: none lost; %d runs of a job; %d servers ended by a full disk%n",
        count, history.answers(), leases.size(), taken.size(), runs.size(), ended);
    print("ms until all have found each other", found);
    print("ms until another has the lease", takeOvers);
    print("ms until a process that starts again has joined", Map.of(Fault.KILL, joined));
    failures.forEach((what, times) -> System.out.println(times + " x " + what));
    assertEquals(List.of(), late, "found each other late");
  }

  private static Set<String> difference(Set<String> these, Set<String> those) {
    var left = new HashSet<>(these);
    left.removeAll(those);
    return left;
  }

  private static void print(String what, Map<Fault, List<Long>> figures) {
    System.out.println(what);
    Map<String, List<Long>> all = new LinkedHashMap<>();
    figures.forEach((fault, each) -> {
      all.put(fault.toString(), each);
      all.computeIfAbsent("all", it -> new ArrayList<>()).addAll(each);
    });
    all.values().removeIf(List::isEmpty);
    all.forEach((fault, each) -> {
      List<Long> sorted = each.stream().sorted().toList();
      System.out.printf(
          "%s: %d, median %d, worst %d%n",
          fault, sorted.size(), sorted.get(sorted.size() / 2), sorted.getLast());
    });
  }
}
