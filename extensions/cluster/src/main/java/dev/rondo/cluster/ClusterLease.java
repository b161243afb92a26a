package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.condition.Cell;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.Optional;

/// A name that one node of the cluster at a time can have a [Lease] of. See [WaitForCluster#lease].
///
/// The tasks of one node compete for it as those of several do. The nodes elect a leader when each
/// acquires the same lease: the leader is its holder, which all nodes see.
///
/// Confined to the scheduler's thread.
public final class ClusterLease {

  private static final Duration LEAST = Duration.ofMillis(100);

  private final AddOnHost host;
  private final Participation participation;
  private final String name;

  ClusterLease(AddOnHost host, Participation participation, String name) {
    this.host = host;
    this.participation = participation;
    this.name = name;
  }

  /// Waits until this node has the lease, behind those that have waited longer. If it has ended
  /// because its holder was lost, that is its holder's time after the last renewal. *Always* a
  /// suspension point. A task that is cancelled, or out of time, does not get it.
  ///
  /// @param ttl how long the cluster waits for a renewal, until it gives the lease to another; at
  ///   least 100 ms. The lease is renewed three times as often
  /// @return the lease, to be closed
  /// @throws IllegalArgumentException if the time is less
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws OutcomeUnknownException if the node leaves meanwhile
  public Lease acquire(Duration ttl) {
    return take(ttl, true).orElseThrow();
  }

  /// Acquires the lease if no node has it. *Always* a suspension point: the cluster has to agree.
  ///
  /// @param ttl as for [#acquire(Duration)]
  /// @return the lease, to be closed; empty if a node has it
  /// @throws IllegalArgumentException if the time is less
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws OutcomeUnknownException if the node leaves meanwhile, or there is no answer in time;
  ///   the node does not get the lease
  public Optional<Lease> acquireIfFree(Duration ttl) {
    return take(ttl, false);
  }

  private Optional<Lease> take(Duration ttl, boolean waits) {
    requireTtl(ttl);
    host.checkThread();
    Consensus agreement = participation.onLeases();
    Acquisition acquisition = agreement.desk().begin(name, Engine.nanos(ttl), waits);
    boolean settled = false;
    try {
      Optional<Lease> lease =
          waits
              ? host.awaitEvent(acquisition)
              : agreement.await(acquisition, name, () -> {}); // given up below
      settled = true;
      return lease;
    } finally {
      if (!settled) {
        acquisition.abandon();
      }
    }
  }

  static void requireTtl(Duration ttl) {
    requireNonNull(ttl, "ttl is null");
    if (ttl.compareTo(LEAST) < 0) {
      throw new IllegalArgumentException(
          "ttl must be at least 100 ms, but is " + ReportText.duration(ttl));
    }
  }

  /// {@return the name of the node that holds the lease, as far as this node knows; empty if none
  /// does, or this node has not joined} A predicate that reads the cell watches it. The holder is
  /// sure of its lease, the other nodes see what was so a moment ago. Only this add-on sets the
  /// cell. Never a suspension point.
  public Cell<Optional<String>> holder() {
    host.checkThread();
    return participation.holder(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
