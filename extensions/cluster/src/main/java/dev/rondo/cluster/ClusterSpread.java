package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import com.google.common.hash.Hashing;
import dev.rondo.condition.Cell;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Keys that are spread over the members of the cluster, each served by one of them. See
/// [WaitForCluster#spread(String, Collection, SpreadAction)].
///
/// A key belongs to the node with the highest score, a hash of the node's name and the key:
/// rendezvous hashing, after D. Thaler and C. Ravishankar, *Using Name-Based Mappings to Increase
/// Hit Rates* (1998). A node that leaves loses its own keys only, and one that joins takes its
/// share and nothing else moves. A node that comes back under its name has the keys that it had.
///
/// Keys are spread over the nodes that take part: each has a lease that says so, and all nodes
/// agree on leases, whichever members they see. Some learn of a change later than others; that no
/// two serve a key at the same time is as sure as a [Lease], because the action runs with one of
/// the key. A spread keeps the scheduler running until it is cancelled, or the node leaves; in a
/// cluster of one, until all actions have ended.
///
/// Confined to the scheduler's thread.
public final class ClusterSpread {

  private final Scheduler scheduler;
  private final String name;
  private final String node;
  private final Cell<Set<String>> nodes;
  private final Function<String, ClusterLease> leases;
  private final Duration ttl;
  private final boolean isAlone;
  private final BooleanSupplier isMember;
  private final Set<String> keys;
  private final SpreadAction action;
  private final Task<Void> task;

  /// Null in a cluster of one.
  private final @Nullable Task<Void> presence;

  /// The tasks of the keys that belong to this node, ended ones included.
  private final Map<String, Task<Void>> own = new LinkedHashMap<>();

  private final Set<String> served = new TreeSet<>();

  /// The surroundings of a spread.
  ///
  /// @param node the name of this one
  /// @param nodes the names of those that take part
  /// @param presence the lease of this node that says that it takes part
  /// @param leases by key
  /// @param isAlone whether the node is a cluster of one for ever
  /// @param isMember whether the node can still take part
  record Place(
      Scheduler scheduler,
      String name,
      String node,
      Cell<Set<String>> nodes,
      ClusterLease presence,
      Function<String, ClusterLease> leases,
      Duration ttl,
      boolean isAlone,
      BooleanSupplier isMember) {}

  ClusterSpread(Place place, Collection<String> keys, SpreadAction action) {
    this.scheduler = place.scheduler();
    this.name = place.name();
    this.node = place.node();
    this.nodes = place.nodes();
    this.leases = place.leases();
    this.ttl = place.ttl();
    this.isAlone = place.isAlone();
    this.isMember = place.isMember();
    this.keys = Collections.unmodifiableSet(new LinkedHashSet<>(keys));
    this.action = action;
    if (isAlone) {
      this.presence = null;
      this.task = scheduler.spawn(name, () -> serveOwn(Set.of(node)));
    } else {
      this.presence = scheduler.spawn(name + " presence", () -> takePart(place.presence()));
      this.task = scheduler.spawn(name, this::assign);
    }
  }

  /// Has the others know that this node takes part.
  private void takePart(ClusterLease presence) {
    while (isMember.getAsBoolean()) {
      try (Lease held = presence.acquire(ttl)) {
        held.run(scheduler::suspend);
      } catch (LeaseLostException | OutcomeUnknownException e) {
        // The keys go to others; and come back when there is a lease again.
      }
    }
  }

  /// Serves the keys of this node, whenever the nodes have changed.
  private void assign() {
    while (isMember.getAsBoolean()) {
      Set<String> now = nodes.get();
      serveOwn(now);
      WaitForCondition.on(scheduler)
          .waitFor(() -> !nodes.get().equals(now) || !isMember.getAsBoolean());
      scheduler.yield(); // if the scheduler closes this task ends here: it can spawn no others
    }
    endAll();
  }

  private void serveOwn(Set<String> now) {
    for (String key : keys) {
      Optional<String> owner = owner(now, key);
      if (owner.equals(Optional.of(node))) {
        own.computeIfAbsent(key, this::begin);
      } else {
        Task<Void> moved = own.remove(key);
        if (moved != null) {
          moved.cancel("key '%s' of %s moves to %s".formatted(key, name, owner.orElse("no node")));
        }
      }
    }
  }

  private void endAll() {
    own.values().forEach(each -> each.cancel(name + " has ended"));
    own.clear();
  }

  static Optional<String> owner(Set<String> nodes, String key) {
    return nodes.stream()
        .max(
            Comparator.comparingLong((String node) -> score(node, key))
                .thenComparing(Comparator.naturalOrder()));
  }

  private static long score(String node, String key) {
    return Hashing.farmHashFingerprint64()
        .newHasher()
        .putInt(node.length())
        .putString(node, StandardCharsets.UTF_8)
        .putString(key, StandardCharsets.UTF_8)
        .hash()
        .asLong();
  }

  private Task<Void> begin(String key) {
    return scheduler.spawn(name + " key '" + key + "'", () -> serve(key));
  }

  private void serve(String key) {
    while (isMember.getAsBoolean()) {
      try (Lease held = leases.apply(key).acquire(ttl)) {
        served.add(key);
        held.run(() -> act(key, held));
        return;
      } catch (LeaseLostException | OutcomeUnknownException e) {
        // The key is this node's still, and is served when there is a lease again.
      } finally {
        served.remove(key);
      }
    }
  }

  private void act(String key, Lease held) {
    try {
      action.serve(key, held);
    } catch (LeaseLostException e) {
      held.check(); // of the key; another lease is the action's own failure
      scheduler.host().report(name, e);
    } catch (Exception e) {
      scheduler.host().report(name, e);
    }
  }

  /// {@return the name of the node that is to serve a key, as far as this node knows} It may not
  /// serve it yet. Never a suspension point.
  ///
  /// @param key one of those that are spread; empty is returned for others, and if this node knows
  ///   of none that takes part
  public Optional<String> owner(String key) {
    requireNonNull(key, "key is null");
    Set<String> now = isAlone ? Set.of(node) : nodes.get();
    return keys.contains(key) ? owner(now, key) : Optional.empty();
  }

  /// {@return the keys that this node serves at present, in their order} Never a suspension point.
  public Set<String> served() {
    scheduler.host().checkThread();
    return Collections.unmodifiableSet(new TreeSet<>(served));
  }

  /// Ends the part of this node: its keys go to the others when their actions have ended. Later
  /// calls do nothing. Never a suspension point.
  public void cancel() {
    scheduler.host().checkThread();
    task.cancel(name + " was cancelled");
    if (presence != null) {
      presence.cancel(name + " was cancelled");
    }
    endAll();
  }

  /// {@return its name}
  String name() {
    return name;
  }

  @Override
  public String toString() {
    return "%s, %d of %d keys served by this node".formatted(name, served.size(), keys.size());
  }
}
