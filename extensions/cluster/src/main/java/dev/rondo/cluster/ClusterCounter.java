package dev.rondo.cluster;

import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Command.Kind;
import java.util.function.Supplier;

/// A number that all nodes of the cluster count with. See [WaitForCluster#counter].
///
/// It is linearizable: an operation takes effect at one instant between its call and its return,
/// for all nodes. Each is *always* a suspension point, and waits while etcd is out of reach, for
/// [dev.rondo.cluster.config.ClusterLimits#answer()] at most. A task that is cancelled meanwhile
/// does not know whether it took effect.
///
/// Confined to the scheduler's thread.
public final class ClusterCounter {

  private final Supplier<Consensus> consensus;
  private final String name;

  ClusterCounter(Supplier<Consensus> consensus, String name) {
    this.consensus = consensus;
    this.name = name;
  }

  /// {@return the number; 0 at first} *Always* a suspension point.
  ///
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws OutcomeUnknownException if the node leaves meanwhile, or there is no answer in time
  public long get() {
    return add(0);
  }

  /// Adds to the number, once. *Always* a suspension point.
  ///
  /// @param delta any; the sum wraps around
  /// @return the sum
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws OutcomeUnknownException if the node leaves meanwhile, or there is no answer in time;
  ///   it may have been added
  public long add(long delta) {
    return consensus.get().call(Command.of(Kind.ADD, name, delta, 0)).number();
  }

  /// Sets the number if it is a certain one. *Always* a suspension point.
  ///
  /// @param expected what it has to be
  /// @param value what it becomes
  /// @return false if it is another; nothing has changed then
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws OutcomeUnknownException if the node leaves meanwhile, or there is no answer in time;
  ///   it may have been set
  public boolean compareAndSet(long expected, long value) {
    return consensus.get().call(Command.of(Kind.SWAP, name, expected, value)).isDone();
  }

  @Override
  public String toString() {
    return name;
  }
}
