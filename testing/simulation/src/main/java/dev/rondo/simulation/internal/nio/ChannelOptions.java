package dev.rondo.simulation.internal.nio;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;

/// The options of a channel, with the exceptions of a socket.
final class ChannelOptions {

  private final NetworkChannel channel;

  ChannelOptions(NetworkChannel channel) {
    this.channel = channel;
  }

  <T> void set(SocketOption<T> name, T value) throws SocketException {
    try {
      channel.setOption(name, value);
    } catch (IOException e) {
      throw translated(e);
    }
  }

  <T> T get(SocketOption<T> name) throws SocketException {
    try {
      return channel.getOption(name);
    } catch (IOException e) {
      throw translated(e);
    }
  }

  static SocketException translated(IOException e) {
    if (e instanceof SocketException known) {
      return known;
    }
    String text = e instanceof ClosedChannelException ? "Socket is closed" : "" + e.getMessage();
    return new SocketException(text, e);
  }
}
