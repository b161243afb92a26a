package dev.rondo.simulation.internal.net;

import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A socket's membership of a multicast group.
public final class Membership {

  private final InetAddress group;
  private final @Nullable InetAddress source;
  private final Set<InetAddress> blocked = new LinkedHashSet<>();

  /// Creates a membership.
  ///
  /// @param group the group
  /// @param source the only sender to receive from; null for any
  public Membership(InetAddress group, @Nullable InetAddress source) {
    this.group = group;
    this.source = source;
  }

  /// Receives nothing more from a sender.
  ///
  /// @param sender which one
  public void block(InetAddress sender) {
    blocked.add(sender);
  }

  /// Undoes [#block(InetAddress)].
  ///
  /// @param sender which one
  /// @return whether it was blocked
  public boolean unblock(InetAddress sender) {
    return blocked.remove(sender);
  }

  boolean admits(InetAddress to, InetAddress sender) {
    return group.equals(to)
        && (source == null || source.equals(sender))
        && !blocked.contains(sender);
  }
}
