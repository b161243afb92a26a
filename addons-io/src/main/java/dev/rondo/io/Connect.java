package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/// Connecting a stream socket.
final class Connect extends ChannelWait {

  private final SocketChannel channel;

  private Connect(SocketChannel channel, ChannelRegistration registration) {
    super(registration, SelectionKey.OP_CONNECT);
    this.channel = channel;
  }

  /// What makes a channel.
  @FunctionalInterface
  interface Opening {
    SocketChannel open() throws IOException;
  }

  /// What makes a socket of a channel that is connected.
  @FunctionalInterface
  interface Making<S> {
    S make(ChannelRegistration registration) throws IOException;
  }

  static SocketChannel open(Opening opening, String peer) throws IOException {
    try {
      return opening.open();
    } catch (IOException e) {
      throw Failures.of("connect to " + peer, e); // no descriptor left, most likely
    }
  }

  /// Connects and makes a socket. On any failure, being cancelled too, the channel is closed.
  ///
  /// @param peer what messages call it until it is connected
  static <S> S to(
      Scheduler scheduler,
      WaitForIO io,
      SocketChannel channel,
      SocketAddress address,
      String peer,
      Making<S> making)
      throws IOException {
    ChannelRegistration registration = null;
    try {
      channel.configureBlocking(false);
      registration = new ChannelRegistration(io, channel, peer);
      var connect = new Connect(channel, registration);
      connect.begin(address);
      do {
        scheduler.await(connect);
        connect.throwIfFailed();
      } while (!channel.isConnected()); // scheduled directly: there is nothing to return yet
      return making.make(registration);
    } catch (Throwable e) {
      try {
        if (registration == null) {
          channel.close();
        } else {
          registration.close();
        }
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private void begin(SocketAddress address) throws IOException {
    try {
      channel.connect(address);
    } catch (IOException e) {
      throw translated(e);
    } catch (UnresolvedAddressException | UnsupportedAddressTypeException e) {
      throw new IllegalArgumentException("cannot " + this + ": " + e, e);
    }
  }

  @Override
  boolean attempt() throws IOException {
    return channel.finishConnect();
  }

  @Override
  public String toString() {
    return "connect to " + registration;
  }
}
