package dev.rondo.simulation.internal.net;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// The two addresses of a TCP connection, seen from one side.
///
/// Each segment has one, and is looked up by it: the hash code is computed once, and so is the flow
/// of the other side, which both sides of a connection share.
final class Flow {

  /// 2 to the 32nd, divided by the golden ratio: spreads what it multiplies.
  private static final int GOLDEN = 0x9e3779b9;

  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private final Flow reversed;
  private final int hash;

  /// @param local this side's
  /// @param remote the peer's
  Flow(InetSocketAddress local, InetSocketAddress remote) {
    this.local = local;
    this.remote = remote;
    this.hash = hash();
    this.reversed = new Flow(this);
  }

  private Flow(Flow reversed) {
    this.local = reversed.remote;
    this.remote = reversed.local;
    this.hash = hash();
    this.reversed = reversed;
  }

  /// Addresses and ports that follow each other must not have the same sum, as those of
  /// [InetSocketAddress] have.
  private int hash() {
    return 31 * hash(local) + hash(remote);
  }

  private static int hash(InetSocketAddress address) {
    return (address.getAddress().hashCode() ^ address.getPort() << Short.SIZE) * GOLDEN;
  }

  InetSocketAddress local() {
    return local;
  }

  InetSocketAddress remote() {
    return remote;
  }

  /// {@return the same connection, seen from the other side}
  Flow reversed() {
    return reversed;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Flow flow && local.equals(flow.local) && remote.equals(flow.remote));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return local + " to " + remote;
  }
}
