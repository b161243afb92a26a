package dev.rondo.simulation.threads.internal;

import static java.net.SocketOptions.IP_TOS;
import static java.net.SocketOptions.SO_BINDADDR;
import static java.net.SocketOptions.SO_KEEPALIVE;
import static java.net.SocketOptions.SO_LINGER;
import static java.net.SocketOptions.SO_RCVBUF;
import static java.net.SocketOptions.SO_REUSEADDR;
import static java.net.SocketOptions.SO_REUSEPORT;
import static java.net.SocketOptions.SO_SNDBUF;
import static java.net.SocketOptions.TCP_NODELAY;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Map;

/// The options of a socket that the JDK asks for by numbers, as those of a channel.
final class SocketOptionIds {

  private static final Map<Integer, SocketOption<?>> OPTIONS =
      Map.of(
          TCP_NODELAY, StandardSocketOptions.TCP_NODELAY,
          SO_REUSEADDR, StandardSocketOptions.SO_REUSEADDR,
          SO_REUSEPORT, StandardSocketOptions.SO_REUSEPORT,
          SO_LINGER, StandardSocketOptions.SO_LINGER,
          SO_SNDBUF, StandardSocketOptions.SO_SNDBUF,
          SO_RCVBUF, StandardSocketOptions.SO_RCVBUF,
          SO_KEEPALIVE, StandardSocketOptions.SO_KEEPALIVE,
          IP_TOS, StandardSocketOptions.IP_TOS);

  private static final Integer NO_LINGER = -1;

  private SocketOptionIds() {}

  /// Sets an option that the channel has, and ignores others.
  static void set(NetworkChannel channel, int id, Object value) throws SocketException {
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
  static Object get(NetworkChannel channel, int id) throws SocketException {
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
