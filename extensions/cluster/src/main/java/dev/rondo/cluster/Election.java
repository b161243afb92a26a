package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.condition.Cell;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import java.time.Duration;
import java.util.Optional;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// An election of one node among those that stand for it. See [WaitForCluster#election].
///
/// The elected node holds a [Lease], and is as sure of it as any holder is. The other nodes see
/// what was so a moment ago.
///
/// Confined to the scheduler's thread.
public final class Election {

  private final ClusterLease lease;
  private final Duration ttl;
  private final Cell<Optional<String>> leader;

  Election(ClusterLease lease, Duration ttl, Cell<Optional<String>> leader) {
    this.lease = lease;
    this.ttl = ttl;
    this.leader = leader;
  }

  /// {@return the name of the node that is elected, as far as this node knows; empty if none is}
  /// Only this add-on sets it. Never a suspension point.
  public Cell<Optional<String>> leader() {
    return leader;
  }

  /// Stands for election, waits until this node is elected, and runs code as the leader; then
  /// another node is. A suspension point.
  ///
  /// @param <T> what it results in
  /// @param <X> the checked exceptions that the code throws
  /// @param code is cancelled before another node is elected
  /// @return what the code returns
  /// @throws LeaseLostException if another node may be elected before the code has ended
  /// @throws OutcomeUnknownException if the node leaves before it is elected
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws X any failure of the code
  public <T extends @Nullable Object, X extends Exception> T elected(TaskCall<? extends T, X> code)
      throws X {
    requireNonNull(code, "code is null");
    try (Lease held = lease.acquire(ttl)) {
      return held.run(code);
    }
  }

  /// [#elected(TaskCall)] for code without a result. A suspension point.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code is cancelled before another node is elected
  /// @throws LeaseLostException if another node may be elected before the code has ended
  /// @throws OutcomeUnknownException if the node leaves before it is elected
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public <X extends Exception> void elected(TaskAction<X> code) throws X {
    requireNonNull(code, "code is null");
    try (Lease held = lease.acquire(ttl)) {
      held.run(code);
    }
  }

  /// [#elected(TaskCall)] for code that uses what other nodes use too, and so needs the fencing
  /// token. A suspension point.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code receives the lease; is cancelled before another node is elected
  /// @throws LeaseLostException if another node may be elected before the code has ended
  /// @throws OutcomeUnknownException if the node leaves before it is elected
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // a lambda of Kotlin without parameters is a TaskCall
  public <X extends Exception> void elected(ElectedAction<X> code) throws X {
    requireNonNull(code, "code is null");
    try (Lease held = lease.acquire(ttl)) {
      held.run(() -> code.run(held));
    }
  }

  @Override
  public String toString() {
    return lease.toString();
  }
}
