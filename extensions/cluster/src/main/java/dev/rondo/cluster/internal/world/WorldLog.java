package dev.rondo.cluster.internal.world;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/// What the voters of a cluster in a world have agreed on. It stands for the logs on their disks:
/// it outlasts all programs, and nothing of it is lost. A command comes here when a majority of
/// voters has confirmed over the network that it has it.
///
/// Confined to the world's thread.
public final class WorldLog {

  /// After so many bytes of commands a snapshot takes their place.
  private static final int MOST_BYTES = 1 << 20;

  /// Worlds of several tests may run on several threads. Guarded by itself.
  private static final Map<World, Map<String, WorldLog>> LOGS = new WeakHashMap<>();

  private final List<byte[]> commands = new ArrayList<>();

  /// How much of the log each voter has applied, by the names of nodes.
  private final Map<String, Integer> applied = new HashMap<>();

  /// The state that all commands before the first one here have led to; null if there are none.
  private byte @Nullable [] snapshot;

  /// The last term that each voter has confirmed.
  private final Map<String, Long> confirmed = new HashMap<>();

  private int first;
  private int bytes;

  /// In which commands are added.
  private long term;

  /// The last one that a voter has drawn.
  private long lastTerm;

  private WorldLog() {}

  /// {@return the log of a cluster} Members that cannot see each other have logs of their own:
  /// those with TLS and those without, and those of different hosts that listen on loopback
  /// addresses.
  static WorldLog of(WorldHost host, ClusterConfig config, InetAddress address) {
    String key =
        "%s\n%s\n%s\n%s"
            .formatted(
                config.cluster(),
                new TreeSet<>(config.voters()),
                config.tls() != null,
                address.isLoopbackAddress() ? host.name() : "");
    synchronized (LOGS) {
      return LOGS.computeIfAbsent(host.world(), each -> new HashMap<>())
          .computeIfAbsent(key, each -> new WorldLog());
    }
  }

  /// {@return a term that no other voter has} It has not begun.
  long newTerm() {
    return ++lastTerm;
  }

  /// Begins a term, in which one voter leads. That of an earlier one ends.
  ///
  /// @return false if a later one has begun
  boolean begin(long begun) {
    if (begun <= term) {
      return false;
    }
    term = begun;
    return true;
  }

  void confirmed(String voter, long confirmedTerm) {
    confirmed.put(voter, confirmedTerm);
  }

  /// {@return the last term that a voter has confirmed, in any stay; 0 for none}
  long confirmedBy(String voter) {
    return confirmed.getOrDefault(voter, 0L);
  }

  /// Adds a command, unless another voter leads by now.
  ///
  /// @return false if that is so
  boolean append(long leaderTerm, byte[] command) {
    if (leaderTerm != term) {
      return false;
    }
    commands.add(command);
    bytes += command.length;
    return true;
  }

  boolean isLong() {
    return bytes > MOST_BYTES;
  }

  /// Takes the state after all commands in their place.
  void compact(byte[] state) {
    first = end();
    snapshot = state;
    commands.clear();
    bytes = 0;
  }

  /// {@return the index of the first command that is there as such}
  int first() {
    return first;
  }

  int end() {
    return first + commands.size();
  }

  byte[] command(int index) {
    return commands.get(index - first);
  }

  byte @Nullable [] snapshot() {
    return snapshot;
  }

  /// A voter has applied all before an index.
  void applied(String voter, int end) {
    applied.put(voter, end);
  }

  /// {@return how much a voter had applied when it stopped}
  int appliedBy(String voter) {
    return applied.getOrDefault(voter, 0);
  }
}
