package dev.rondo.simulation.internal.nio;

import static java.net.StandardSocketOptions.IP_MULTICAST_IF;
import static java.net.StandardSocketOptions.IP_MULTICAST_LOOP;
import static java.net.StandardSocketOptions.IP_MULTICAST_TTL;
import static java.net.StandardSocketOptions.IP_TOS;
import static java.net.StandardSocketOptions.SO_BROADCAST;
import static java.net.StandardSocketOptions.SO_KEEPALIVE;
import static java.net.StandardSocketOptions.SO_LINGER;
import static java.net.StandardSocketOptions.SO_RCVBUF;
import static java.net.StandardSocketOptions.SO_REUSEADDR;
import static java.net.StandardSocketOptions.SO_REUSEPORT;
import static java.net.StandardSocketOptions.SO_SNDBUF;
import static java.net.StandardSocketOptions.TCP_NODELAY;
import static java.util.Objects.requireNonNull;
import static jdk.net.ExtendedSocketOptions.SO_PEERCRED;

import java.net.SocketException;
import java.net.SocketOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// The socket options of a channel, with the defaults of Linux.
final class Options {

  private static final int LARGEST_BYTE = 255;
  private static final int LONGEST_LINGER = 65_535;

  /// What the JDK reports of a Unix socket's buffers: half of what Linux has.
  private static final int UNIX_BYTES = 106_496;

  private final Map<SocketOption<?>, @Nullable Object> values;

  private Options(Map<SocketOption<?>, @Nullable Object> defaults) {
    values = defaults;
  }

  private static Options of(@Nullable Object... defaults) {
    var map = new LinkedHashMap<SocketOption<?>, @Nullable Object>();
    for (int i = 0; i < defaults.length; i += 2) {
      map.put((SocketOption<?>) requireNonNull(defaults[i]), defaults[i + 1]);
    }
    return new Options(map);
  }

  static Options ofSocket(int sendBytes, int receiveBytes) {
    return of(
        SO_SNDBUF,
        sendBytes,
        SO_RCVBUF,
        receiveBytes,
        SO_KEEPALIVE,
        false,
        SO_REUSEADDR,
        false,
        SO_REUSEPORT,
        false,
        SO_LINGER,
        -1,
        TCP_NODELAY,
        false,
        IP_TOS,
        0,
        ExtendedSocketOptions.TCP_QUICKACK,
        true,
        ExtendedSocketOptions.TCP_KEEPIDLE,
        7200,
        ExtendedSocketOptions.TCP_KEEPINTERVAL,
        75,
        ExtendedSocketOptions.TCP_KEEPCOUNT,
        9);
  }

  static Options ofListener(int receiveBytes) {
    return of(SO_RCVBUF, receiveBytes, SO_REUSEADDR, true, SO_REUSEPORT, false);
  }

  static Options ofUnixSocket() {
    return of(SO_SNDBUF, UNIX_BYTES, SO_RCVBUF, UNIX_BYTES, SO_LINGER, -1, SO_PEERCRED, null);
  }

  static Options ofUnixListener() {
    return of(SO_RCVBUF, UNIX_BYTES);
  }

  static Options ofDatagrams(int sendBytes, int receiveBytes) {
    return of(
        SO_SNDBUF,
        sendBytes,
        SO_RCVBUF,
        receiveBytes,
        SO_REUSEADDR,
        false,
        SO_REUSEPORT,
        false,
        SO_BROADCAST,
        false,
        IP_TOS,
        0,
        IP_MULTICAST_IF,
        null,
        IP_MULTICAST_TTL,
        1,
        IP_MULTICAST_LOOP,
        true);
  }

  /// {@return the options there are}
  Set<SocketOption<?>> names() {
    return Set.copyOf(new HashMap<>(values).keySet());
  }

  private void requireSupported(SocketOption<?> name) {
    if (!values.containsKey(requireNonNull(name, "name is null"))) {
      throw new UnsupportedOperationException("'" + name + "' not supported");
    }
  }

  /// Sets a value.
  ///
  /// @throws UnsupportedOperationException if there is no such option
  /// @throws IllegalArgumentException if it does not take the value
  /// @throws SocketException if it can only be read
  void set(SocketOption<?> name, @Nullable Object value) throws SocketException {
    requireSupported(name);
    if (value == null ? name != IP_MULTICAST_IF : !name.type().isInstance(value)) {
      throw new IllegalArgumentException("Invalid option value: %s=%s".formatted(name, value));
    }
    if (name == SO_PEERCRED) {
      throw new SocketException("SO_PEERCRED cannot be set");
    }
    if (value instanceof Integer number) {
      values.put(name, checked(name, number));
    } else {
      values.put(name, value);
    }
  }

  private static int checked(SocketOption<?> name, int number) {
    if (name == SO_LINGER) {
      return Math.clamp(number, -1, LONGEST_LINGER);
    }
    boolean isByte = name == IP_TOS || name == IP_MULTICAST_TTL;
    if (number < 0 || (isByte && number > LARGEST_BYTE)) {
      throw new IllegalArgumentException("Invalid value: %s=%d".formatted(name, number));
    }
    return number;
  }

  /// {@return a value}
  ///
  /// @throws UnsupportedOperationException if there is no such option
  @SuppressWarnings({"unchecked", "NullAway"}) // set(..) has checked it; null is the default of one
  <T> T get(SocketOption<T> name) {
    requireSupported(name);
    return (T) values.get(name);
  }

  boolean isSet(SocketOption<Boolean> name) {
    return get(name);
  }
}
