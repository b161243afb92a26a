package dev.rondo.simulation.threads.internal.net;

import static java.net.SocketOptions.IP_MULTICAST_IF2;
import static java.net.SocketOptions.IP_MULTICAST_LOOP;
import static java.net.SocketOptions.IP_TOS;
import static java.net.SocketOptions.SO_BINDADDR;
import static java.net.SocketOptions.SO_BROADCAST;
import static java.net.SocketOptions.SO_KEEPALIVE;
import static java.net.SocketOptions.SO_LINGER;
import static java.net.SocketOptions.SO_RCVBUF;
import static java.net.SocketOptions.SO_REUSEADDR;
import static java.net.SocketOptions.SO_REUSEPORT;
import static java.net.SocketOptions.SO_SNDBUF;
import static java.net.SocketOptions.TCP_NODELAY;
import static java.util.Map.entry;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Map;

/// The options of a socket that the JDK asks for by numbers, as those of a channel.
public final class SocketOptionIds {

  private static final Map<Integer, SocketOption<?>> OPTIONS =
      Map.ofEntries(
          entry(TCP_NODELAY, StandardSocketOptions.TCP_NODELAY),
          entry(SO_BROADCAST, StandardSocketOptions.SO_BROADCAST),
          entry(SO_REUSEADDR, StandardSocketOptions.SO_REUSEADDR),
          entry(SO_REUSEPORT, StandardSocketOptions.SO_REUSEPORT),
          entry(SO_LINGER, StandardSocketOptions.SO_LINGER),
          entry(SO_SNDBUF, StandardSocketOptions.SO_SNDBUF),
          entry(SO_RCVBUF, StandardSocketOptions.SO_RCVBUF),
          entry(SO_KEEPALIVE, StandardSocketOptions.SO_KEEPALIVE),
          entry(IP_MULTICAST_IF2, StandardSocketOptions.IP_MULTICAST_IF),
          entry(IP_MULTICAST_LOOP, StandardSocketOptions.IP_MULTICAST_LOOP),
          entry(IP_TOS, StandardSocketOptions.IP_TOS));

  private static final Integer NO_LINGER = -1;

  private SocketOptionIds() {}

  /// Sets an option that the channel has, and ignores others.
  ///
  /// @param id of [java.net.SocketOptions]
  /// @throws SocketException if the channel is closed
  public static void set(NetworkChannel channel, int id, Object value) throws SocketException {
    SocketOption<?> option = OPTIONS.get(id);
    if (option != null && channel.supportedOptions().contains(option)) {
      try {
        set(channel, option, id == SO_LINGER && value instanceof Boolean ? NO_LINGER : value);
      } catch (IOException e) {
        throw asOfSocket(e);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> void set(NetworkChannel channel, SocketOption<T> option, Object value)
      throws IOException {
    channel.setOption(option, (T) value);
  }

  /// {@return the value of an option; false if the channel does not have it}
  ///
  /// @param id of [java.net.SocketOptions]
  /// @throws SocketException if the channel is closed
  public static Object get(NetworkChannel channel, int id) throws SocketException {
    try {
      if (id == SO_BINDADDR) {
        return channel.getLocalAddress() instanceof InetSocketAddress local
            ? local.getAddress()
            : InetAddress.ofLiteral("0.0.0.0");
      }
      SocketOption<?> option = OPTIONS.get(id);
      boolean has = option != null && channel.supportedOptions().contains(option);
      Object value = has ? channel.getOption(option) : null;
      return value != null ? value : id == SO_LINGER ? NO_LINGER : false;
    } catch (IOException e) {
      throw asOfSocket(e);
    }
  }

  private static SocketException asOfSocket(IOException failure) {
    var same = new SocketException(failure.getMessage());
    same.initCause(failure);
    return same;
  }
}
