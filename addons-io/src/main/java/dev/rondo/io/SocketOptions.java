package dev.rondo.io;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.NetworkChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// Options that are set before a socket is bound or connects. Some have no effect later:
/// `SO_REUSEPORT` lets several listeners share a port, and a large `SO_RCVBUF` makes TCP offer a
/// large window.
///
/// Immutable. Any thread.
public final class SocketOptions {

  /// No options.
  public static final SocketOptions NONE = new SocketOptions(Map.of());

  private final Map<SocketOption<?>, Object> values;

  private SocketOptions(Map<SocketOption<?>, Object> values) {
    this.values = values;
  }

  /// {@return one option}
  ///
  /// @param <T> the option's kind of value
  /// @param option of `StandardSocketOptions` or `ExtendedSocketOptions`
  /// @param value as the option requires
  public static <T> SocketOptions of(SocketOption<T> option, T value) {
    return NONE.and(option, value);
  }

  /// {@return these options and another one} They are set in this order.
  ///
  /// @param <T> the option's kind of value
  /// @param option of `StandardSocketOptions` or `ExtendedSocketOptions`
  /// @param value as the option requires
  public <T> SocketOptions and(SocketOption<T> option, T value) {
    var more = new LinkedHashMap<>(values);
    more.put(
        Objects.requireNonNull(option, "option is null"),
        Objects.requireNonNull(value, "value is null"));
    return new SocketOptions(more);
  }

  /// {@return the channel with these options; closed if it refuses one}
  <C extends NetworkChannel> C applyTo(C channel) throws IOException {
    try {
      for (Map.Entry<SocketOption<?>, Object> each : values.entrySet()) {
        set(channel, each.getKey(), each.getValue());
      }
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @SuppressWarnings("unchecked") // only `and` puts values there
  private static <T> void set(NetworkChannel channel, SocketOption<T> option, Object value)
      throws IOException {
    channel.setOption(option, (T) value);
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
