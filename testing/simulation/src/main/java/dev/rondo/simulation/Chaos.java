package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which faults happen in a [World] by chance, how often, and within which rules.
///
/// ```
/// world.chaos(
///     Chaos.partitions()
///         .and(Chaos.crashes().every(Duration.ofMinutes(2)).lasting(Duration.ofSeconds(5)))
///         .on(servers)
///         .atMostDown(1));
/// ```
///
/// The times between the beginnings of two faults of a kind, and how long a fault lasts, have an
/// exponential distribution: most are short, a few long. A fault that a rule forbids does not
/// happen.
///
/// Immutable. See [World#chaos(Chaos)].
public final class Chaos {

  /// A kind of faults.
  enum Kind {
    PARTITION("partitions"),
    ONE_WAY_CUT("one-way cuts"),
    HOLD("holds"),
    LOSS("losses"),
    DUPLICATION("duplications"),
    SPLIT("splits"),
    LATENCY_SPIKE("latency spikes"),
    SLOW_LINK("slow links"),
    CRASH("crashes"),
    POWER_FAILURE("power failures"),
    PAUSE("pauses"),
    CLOCK_SKEW("clock skew"),
    DISK_ERROR("disk errors"),
    FORCE_FAILURE("force failures"),
    FULL_DISK("full disks"),
    SLOW_DISK("slow disks");

    private static final Set<Kind> OF_LINKS =
        EnumSet.of(
            PARTITION, ONE_WAY_CUT, HOLD, LOSS, DUPLICATION, SPLIT, LATENCY_SPIKE, SLOW_LINK);
    private static final Set<Kind> CUTTING_OFF = EnumSet.of(PARTITION, ONE_WAY_CUT, HOLD);
    private static final Set<Kind> DEADLY = EnumSet.of(CRASH, POWER_FAILURE);

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /// Whether it ends the program of a host.
    boolean isDeadly() {
      return DEADLY.contains(this);
    }

    /// Whether the program of a host does not run.
    boolean stopsProgram() {
      return isDeadly() || this == PAUSE;
    }

    boolean cutsOff() {
      return CUTTING_OFF.contains(this);
    }

    /// Whether hosts are down, paused or cut off by it.
    boolean impairs() {
      return stopsProgram() || cutsOff();
    }

    /// Whether it concerns what connects a host with others.
    boolean needsLinks() {
      return OF_LINKS.contains(this);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /// Faults of one kind.
  ///
  /// @param kind which
  /// @param every the mean time between two
  /// @param lasting the mean time that one lasts
  /// @param size by the kind: nanoseconds, a part of all, or bytes in a second; 0 if it has none
  /// @param amidWork whether one begins while a host does something
  record Faults(Kind kind, Duration every, Duration lasting, double size, boolean amidWork) {

    @Override
    public String toString() {
      return "%s every %s for %s%s"
          .formatted(
              kind,
              ReportText.duration(every),
              ReportText.duration(lasting),
              amidWork ? ", amid work" : "");
    }
  }

  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration LASTING = Duration.ofSeconds(10);

  /// Of the durations that are the size of a fault.
  private static final Duration LARGEST = Duration.ofDays(365);

  private final List<Faults> faults;

  /// Null for all hosts.
  private final @Nullable List<WorldHost> hosts;

  /// Null for a minority.
  private final @Nullable Integer atMostDown;

  private Chaos(
      List<Faults> faults, @Nullable List<WorldHost> hosts, @Nullable Integer atMostDown) {
    this.faults = List.copyOf(faults);
    this.hosts = hosts;
    this.atMostDown = atMostDown;
  }

  private static Chaos of(Kind kind) {
    return of(kind, 0);
  }

  private static Chaos of(Kind kind, double size) {
    return new Chaos(List.of(new Faults(kind, EVERY, LASTING, size, false)), null, null);
  }

  // Links.

  /// {@return partitions: one or several hosts are cut off from all others of the world, but not
  /// from each other} Every minute, for 10 s. Links that a test has cut stay cut, and
  /// [SimulatedLinks#heal()] does not end a partition of the chaos.
  public static Chaos partitions() {
    return of(Kind.PARTITION);
  }

  /// {@return links of a host that lose all packets in one direction: it hears nothing of the other
  /// hosts of the world, or they hear nothing of it} Every minute, for 10 s. The host counts as cut
  /// off.
  public static Chaos oneWayCuts() {
    return of(Kind.ONE_WAY_CUT);
  }

  /// {@return links of a host that hold all packets, and deliver them in the end, see
  /// [SimulatedLinks#hold()]} Every minute, for 10 s. The host counts as cut off.
  public static Chaos holds() {
    return of(Kind.HOLD);
  }

  /// {@return links of a host that lose packets, more than those that the test has set} Every
  /// minute, for 10 s. The host does not count as cut off.
  ///
  /// @param part of the packets, more than 0, at most 1
  /// @throws IllegalArgumentException if it is not in that range
  public static Chaos losses(double part) {
    return of(Kind.LOSS, requirePart("losses", part));
  }

  /// {@return links of a host that deliver packets twice} Every minute, for 10 s. The host does not
  /// count as cut off.
  ///
  /// @param part of the packets, more than 0, at most 1
  /// @throws IllegalArgumentException if it is not in that range
  public static Chaos duplications(double part) {
    return of(Kind.DUPLICATION, requirePart("duplications", part));
  }

  /// {@return links of a host that deliver a part of what was written to a TCP connection later
  /// than the rest, see [SimulatedLinks#splitting(double)]} Every minute, for 10 s. The host does
  /// not count as cut off.
  ///
  /// @param part of the packets with data, more than 0, at most 1
  /// @throws IllegalArgumentException if it is not in that range
  public static Chaos splits(double part) {
    return of(Kind.SPLIT, requirePart("splits", part));
  }

  /// {@return links of a host that are slow: each packet takes longer, by a time that it draws}
  /// Every minute, for 10 s. The host does not count as cut off.
  ///
  /// @param most by how much a packet is late at most; more than zero, at most 365 days
  /// @throws IllegalArgumentException if it is not
  public static Chaos latencySpikes(Duration most) {
    return of(Kind.LATENCY_SPIKE, nanos("latencySpikes", most));
  }

  /// {@return links of a host that have less bandwidth, see [SimulatedLinks#bandwidth(long)]} Every
  /// minute, for 10 s. The host does not count as cut off.
  ///
  /// @param bytesPerSecond of each link, more than zero
  /// @throws IllegalArgumentException if it is not
  public static Chaos slowLinks(long bytesPerSecond) {
    if (bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "slowLinks must be more than zero: bytesPerSecond=" + bytesPerSecond);
    }
    return of(Kind.SLOW_LINK, (double) bytesPerSecond);
  }

  // Programs and clocks.

  /// {@return crashes, each followed by a restart, see [WorldHost#crash()]} Every minute; the host
  /// is down for 10 s. Need the backend CONTINUATION. A host crashes between two turns, see
  /// [#amidWork()].
  public static Chaos crashes() {
    return of(Kind.CRASH);
  }

  /// {@return power failures, each followed by a restart, see [WorldHost#powerOff()]} Every minute;
  /// the host is down for 10 s. Need the backend CONTINUATION. The power fails between two turns,
  /// see [#amidWork()].
  public static Chaos powerFailures() {
    return of(Kind.POWER_FAILURE);
  }

  /// {@return pauses, see [WorldHost#pause()]} Every minute, for 10 s.
  public static Chaos pauses() {
    return of(Kind.PAUSE);
  }

  /// {@return wall clocks that jump, see [HostClock#offset(Duration)], and jump back} Every minute,
  /// for 10 s. A host with such a clock does not count as down.
  ///
  /// @param most by how much a clock is changed at most, forwards or backwards; more than zero, at
  ///   most 365 days
  /// @throws IllegalArgumentException if it is not
  public static Chaos clockSkew(Duration most) {
    return of(Kind.CLOCK_SKEW, nanos("clockSkew", most));
  }

  // Disks.

  /// {@return disks of which some reads and writes fail with an [java.io.IOException], see
  /// [SimulatedDisk#failures]} Every minute, for 10 s. A host with such a disk does not count as
  /// down; its program has to cope.
  ///
  /// @param part of the operations, more than 0, at most 1
  /// @throws IllegalArgumentException if it is not in that range
  public static Chaos diskErrors(double part) {
    return of(Kind.DISK_ERROR, requirePart("diskErrors", part));
  }

  /// {@return disks of which some forces fail and lose what was not forced, see
  /// [SimulatedDisk#failures]} Every minute, for 10 s. A host with such a disk does not count as
  /// down.
  ///
  /// @param part of the operations, more than 0, at most 1
  /// @throws IllegalArgumentException if it is not in that range
  public static Chaos forceFailures(double part) {
    return of(Kind.FORCE_FAILURE, requirePart("forceFailures", part));
  }

  /// {@return disks without room for more, see [SimulatedDisk#capacity(long)]} Every minute, for 10
  /// s. A host with such a disk does not count as down.
  public static Chaos fullDisks() {
    return of(Kind.FULL_DISK);
  }

  /// {@return disks that are slow: each operation of [dev.rondo.io.file.WaitForFile] takes longer,
  /// by a time that it draws} Every minute, for 10 s.
  ///
  /// @param most by how much an operation is late at most; more than zero, at most 365 days
  /// @throws IllegalArgumentException if it is not
  public static Chaos slowDisks(Duration most) {
    return of(Kind.SLOW_DISK, nanos("slowDisks", most));
  }

  private static double nanos(String what, Duration most) {
    if (requirePositive(what, "most", most).compareTo(LARGEST) > 0) {
      throw new IllegalArgumentException(
          "%s must be at most %s: most=%s"
              .formatted(what, ReportText.duration(LARGEST), ReportText.duration(most)));
    }
    return (double) most.toNanos();
  }

  private static double requirePart(String what, double part) {
    if (!(part > 0 && part <= 1)) {
      throw new IllegalArgumentException(what + " must be more than 0 and at most 1: part=" + part);
    }
    return part;
  }

  private static Duration requirePositive(String what, String name, Duration duration) {
    if (!requireNonNull(duration, () -> name + " is null").isPositive()) {
      throw new IllegalArgumentException(
          "%s must be more than zero: %s=%s".formatted(what, name, ReportText.duration(duration)));
    }
    return duration;
  }

  /// {@return this and other faults, each with its own interval and length, and with the rules of
  /// this}
  ///
  /// @param other without rules; faults with rules of their own are another chaos of the world
  /// @throws IllegalArgumentException if the other has rules, or both have faults of the same kind
  public Chaos and(Chaos other) {
    requireNonNull(other, "other is null");
    if (other.hosts != null || other.atMostDown != null) {
      throw new IllegalArgumentException(
          "rules hold for all faults: call on(..) and atMostDown(..) after and(..), or call"
              + " World.chaos(..) once for each set of rules");
    }
    var all = new ArrayList<>(faults);
    for (Faults each : other.faults) {
      if (has(each.kind())) {
        throw new IllegalArgumentException("there are %s already: %s".formatted(each.kind(), this));
      }
      all.add(each);
    }
    return new Chaos(all, hosts, atMostDown);
  }

  // How often and how long.

  /// {@return this with another mean time between the beginnings of two faults of a kind, for each
  /// of its kinds}
  ///
  /// @param interval more than zero, virtual
  /// @throws IllegalArgumentException if it is not
  public Chaos every(Duration interval) {
    requirePositive("every", "interval", interval);
    return forEach(it -> new Faults(it.kind(), interval, it.lasting(), it.size(), it.amidWork()));
  }

  /// {@return this with another mean time that a fault lasts, for each of its kinds}
  ///
  /// @param length more than zero, virtual
  /// @throws IllegalArgumentException if it is not
  public Chaos lasting(Duration length) {
    requirePositive("lasting", "length", length);
    return forEach(it -> new Faults(it.kind(), it.every(), length, it.size(), it.amidWork()));
  }

  /// {@return this with faults that begin while a host does something, for each of its kinds}
  ///
  /// Without this call a fault begins at an instant, and most programs do nothing at most instants:
  /// what goes wrong only between a write and its `force`, or between two messages, is rarely hit.
  /// With it, a fault that is due at an instant waits for up to 63 *steps* of its host from then
  /// on; mostly for few. A turn of a task is a step, and so is each operation that changes the
  /// [WorldHost#disk()]. A host can crash, or lose its power, before such an operation: then the
  /// operation does not happen, although the code does not suspend. A fault of several hosts waits
  /// for steps of the first.
  public Chaos amidWork() {
    return forEach(it -> new Faults(it.kind(), it.every(), it.lasting(), it.size(), true));
  }

  private Chaos forEach(UnaryOperator<Faults> change) {
    return new Chaos(faults.stream().map(change).toList(), hosts, atMostDown);
  }

  // Rules.

  /// {@return this with faults on some hosts only} Without this call they are on all hosts that
  /// there are when the chaos begins.
  ///
  /// @param some hosts of one world
  /// @throws IllegalArgumentException if there are none
  public Chaos on(Collection<WorldHost> some) {
    for (WorldHost each : requireNonNull(some, "some is null")) {
      requireNonNull(each, "an element of some is null");
    }
    var distinct = List.copyOf(new LinkedHashSet<>(some));
    if (distinct.isEmpty()) {
      throw new IllegalArgumentException("chaos needs hosts to be on");
    }
    return new Chaos(faults, distinct, atMostDown);
  }

  /// {@return this with another limit on how many of the hosts are down, paused or cut off at the
  /// same time} A minority by default: 1 of 3, 1 of 4, 2 of 5. Faults of the test itself on these
  /// hosts count.
  ///
  /// @param count at least zero; at most the number of hosts, which [World#chaos(Chaos)] checks
  /// @throws IllegalArgumentException if it is negative
  public Chaos atMostDown(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("atMostDown must be at least 0: count=" + count);
    }
    return new Chaos(faults, hosts, count);
  }

  // For the world.

  List<Faults> faults() {
    return faults;
  }

  private boolean has(Kind kind) {
    return faults.stream().anyMatch(each -> each.kind() == kind);
  }

  /// {@return the hosts that the faults are on}
  ///
  /// @param all hosts of the world
  List<WorldHost> hostsAmong(List<WorldHost> all) {
    List<WorldHost> chosen = hosts;
    if (chosen == null) {
      return all;
    }
    for (WorldHost each : chosen) {
      if (!all.contains(each)) {
        throw new IllegalArgumentException("%s is not of this world".formatted(each));
      }
    }
    return chosen;
  }

  /// {@return how many may be down, paused or cut off}
  ///
  /// @param count of the hosts that the faults are on
  int mostDownOf(int count) {
    Integer most = atMostDown;
    if (most == null) {
      return Math.max(0, (count - 1) / 2);
    }
    if (most > count) {
      throw new IllegalArgumentException(
          "atMostDown must be at most the number of hosts: count=%d, hosts=%d"
              .formatted(most, count));
    }
    return most;
  }

  @Override
  public String toString() {
    return faults.stream().map(Faults::toString).collect(Collectors.joining(", ", "chaos: ", ""));
  }
}
