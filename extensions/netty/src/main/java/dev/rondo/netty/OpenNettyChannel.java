package dev.rondo.netty;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.OpenChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ServerChannel;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An open Netty channel, for onlookers. The tasks that wait for a [NettyChannel] or a
/// [NettyListener] are listed with it.
///
/// @param channel the program's own, or one of a library
record OpenNettyChannel(Channel channel) {

  /// The handler of a channel that tasks wait for.
  interface Awaited extends ChannelHandler {

    /// {@return which tasks wait for the channel and for what, for people}
    List<String> waits();
  }

  /// The name of a connection that a listener has accepted. The name stays the same after the
  /// channel was closed and has lost its addresses.
  ///
  /// @param local the listener's side
  /// @param remote the peer
  record Accepted(@Nullable SocketAddress local, @Nullable SocketAddress remote) {

    static Accepted of(Channel channel) {
      return new Accepted(channel.localAddress(), channel.remoteAddress());
    }

    @Override
    public String toString() {
      return "connection of %s from %s".formatted(text(local), text(remote));
    }
  }

  /// {@return whether the system knows the channel} It does not know the streams of an HTTP/2
  /// connection.
  static boolean isListed(Channel channel) {
    return channel.parent() == null || channel.parent() instanceof ServerChannel;
  }

  /// Describes the channel for observers; null if it is closed.
  @Nullable OpenChannel describe() {
    if (!channel.isOpen()) {
      return null;
    }
    Awaited handler = channel.pipeline().get(Awaited.class);
    return new OpenChannel(name(), handler == null ? List.of() : handler.waits());
  }

  private String name() {
    if (channel instanceof ServerChannel) {
      return "listener " + text(channel.localAddress());
    }
    SocketAddress peer = channel.remoteAddress();
    if (channel.parent() != null) {
      return Accepted.of(channel).toString();
    }
    return peer == null ? "channel " + channel : "connection to " + text(peer);
  }

  /// The numeric address. The host name is not shown, because it is not always known.
  static String text(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress inet && inet.getAddress() != null
        ? NetUtil.toSocketAddressString(inet.getAddress().getHostAddress(), inet.getPort())
        : "" + address;
  }

  /// {@return texts for people}
  ///
  /// @param queue the tasks that wait
  /// @param what the event that the tasks wait for
  static List<String> waits(WaitQueue<?> queue, Object what) {
    var waits = new ArrayList<String>();
    for (Task<?> each : queue.tasks()) {
      waits.add("task '%s': %s".formatted(ReportText.escaped(each.name()), what));
    }
    return waits;
  }
}
