package dev.rondo.simulation.internal.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A listening channel as a server socket.
final class ServerSocketAdaptor extends ServerSocket {

  private final SimulatedServerChannel channel;
  private final ChannelOptions options;
  private int timeoutMillis;

  private ServerSocketAdaptor(SimulatedServerChannel channel) throws IOException {
    super();
    this.channel = channel;
    this.options = new ChannelOptions(channel);
  }

  static ServerSocketAdaptor of(SimulatedServerChannel channel) {
    try {
      return new ServerSocketAdaptor(channel);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void requireOpen() throws SocketException {
    if (isClosed()) {
      throw new SocketException("Socket is closed");
    }
  }

  @Override
  public void bind(@Nullable SocketAddress address) throws IOException {
    bind(address, 0);
  }

  @Override
  public void bind(@Nullable SocketAddress address, int backlog) throws IOException {
    requireOpen();
    channel.bind(address, backlog);
  }

  @Override
  public @Nullable InetAddress getInetAddress() {
    InetSocketAddress local = channel.localAddress();
    return local == null ? null : local.getAddress();
  }

  @Override
  public int getLocalPort() {
    InetSocketAddress local = channel.localAddress();
    return local == null ? -1 : local.getPort();
  }

  @Override
  public @Nullable SocketAddress getLocalSocketAddress() {
    return channel.localAddress();
  }

  @Override
  public Socket accept() throws IOException {
    requireOpen();
    if (!isBound()) {
      throw new NotYetBoundException();
    }
    SocketChannel accepted = channel.accept(Timeouts.nanos(timeoutMillis));
    if (accepted == null) {
      throw new IllegalBlockingModeException();
    }
    return accepted.socket();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public ServerSocketChannel getChannel() {
    return channel;
  }

  @Override
  public boolean isBound() {
    return channel.localAddress() != null;
  }

  @Override
  public boolean isClosed() {
    return !channel.isOpen();
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    requireOpen();
    if (millis < 0) {
      throw new IllegalArgumentException("timeout < 0");
    }
    timeoutMillis = millis;
  }

  @Override
  public int getSoTimeout() throws IOException {
    requireOpen();
    return timeoutMillis;
  }

  @Override
  public void setReuseAddress(boolean on) throws SocketException {
    options.set(StandardSocketOptions.SO_REUSEADDR, on);
  }

  @Override
  public boolean getReuseAddress() throws SocketException {
    return options.get(StandardSocketOptions.SO_REUSEADDR);
  }

  @Override
  public void setReceiveBufferSize(int bytes) throws SocketException {
    options.set(StandardSocketOptions.SO_RCVBUF, Timeouts.positive(bytes));
  }

  @Override
  public int getReceiveBufferSize() throws SocketException {
    return options.get(StandardSocketOptions.SO_RCVBUF);
  }

  @Override
  public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
    channel.setOption(name, value);
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    return channel.getOption(name);
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return channel.supportedOptions();
  }

  @Override
  public String toString() {
    return "ServerSocket[" + channel + "]";
  }
}
