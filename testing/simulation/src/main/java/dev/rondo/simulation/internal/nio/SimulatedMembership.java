package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Membership;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.channels.MembershipKey;
import java.nio.channels.MulticastChannel;
import org.jspecify.annotations.Nullable;

/// A channel's membership of a multicast group.
final class SimulatedMembership extends MembershipKey {

  private final SimulatedDatagramChannel channel;
  private final InetAddress group;
  private final NetworkInterface networkInterface;
  private final @Nullable InetAddress source;
  private final Membership membership;

  SimulatedMembership(
      SimulatedDatagramChannel channel,
      InetAddress group,
      NetworkInterface networkInterface,
      @Nullable InetAddress source,
      Membership membership) {
    this.channel = channel;
    this.group = group;
    this.networkInterface = networkInterface;
    this.source = source;
    this.membership = membership;
  }

  boolean isFor(InetAddress otherGroup, NetworkInterface other) {
    return group.equals(otherGroup) && networkInterface.equals(other);
  }

  Membership membership() {
    return membership;
  }

  @Override
  public boolean isValid() {
    return channel.has(this);
  }

  @Override
  public void drop() {
    channel.leave(this);
  }

  private void requireValid() {
    if (!isValid()) {
      throw new IllegalStateException("key is no longer valid");
    }
  }

  @Override
  public MembershipKey block(InetAddress sender) {
    if (source != null) {
      throw new IllegalStateException("key is source-specific");
    }
    if (sender.isAnyLocalAddress() || sender.isMulticastAddress()) {
      throw new IllegalArgumentException("Source address is not a unicast address: " + sender);
    }
    requireValid();
    membership.block(sender);
    return this;
  }

  @Override
  public MembershipKey unblock(InetAddress sender) {
    requireValid();
    if (!membership.unblock(sender)) {
      throw new IllegalStateException("not blocked");
    }
    return this;
  }

  @Override
  public MulticastChannel channel() {
    return channel;
  }

  @Override
  public InetAddress group() {
    return group;
  }

  @Override
  public NetworkInterface networkInterface() {
    return networkInterface;
  }

  @Override
  public @Nullable InetAddress sourceAddress() {
    return source;
  }
}
