package dev.rondo.simulation.internal.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A channel as a socket.
final class SocketAdaptor extends Socket {

  private final SimulatedSocketChannel channel;
  private final ChannelOptions options;
  private int timeoutMillis;

  private SocketAdaptor(SimulatedSocketChannel channel) throws SocketException {
    super((SocketImpl) null);
    this.channel = channel;
    this.options = new ChannelOptions(channel);
  }

  static SocketAdaptor of(SimulatedSocketChannel channel) {
    try {
      return new SocketAdaptor(channel);
    } catch (SocketException e) {
      throw new AssertionError(e);
    }
  }

  private void requireOpen() throws SocketException {
    if (isClosed()) {
      throw new SocketException("Socket is closed");
    }
  }

  // Connecting.

  @Override
  public void connect(SocketAddress address) throws IOException {
    connect(address, 0);
  }

  @Override
  public void connect(SocketAddress address, int millis) throws IOException {
    if (millis < 0) {
      throw new IllegalArgumentException("connect: timeout can't be negative");
    }
    requireOpen();
    requireBlocking();
    if (isConnected()) {
      throw new SocketException("Already connected");
    }
    boolean _ = channel.connect(address, Timeouts.nanos(millis));
  }

  private void requireBlocking() {
    if (!channel.isBlocking()) {
      throw new IllegalBlockingModeException();
    }
  }

  @Override
  public void bind(@Nullable SocketAddress address) throws IOException {
    requireOpen();
    channel.bind(address);
  }

  // Addresses.

  @Override
  public @Nullable InetAddress getInetAddress() {
    InetSocketAddress remote = channel.remoteAddress();
    return remote == null ? null : remote.getAddress();
  }

  @Override
  public int getPort() {
    InetSocketAddress remote = channel.remoteAddress();
    return remote == null ? 0 : remote.getPort();
  }

  @Override
  public @Nullable SocketAddress getRemoteSocketAddress() {
    return channel.remoteAddress();
  }

  @Override
  public InetAddress getLocalAddress() {
    InetSocketAddress local = channel.localAddress();
    return local == null || isClosed() ? new InetSocketAddress(0).getAddress() : local.getAddress();
  }

  @Override
  public int getLocalPort() {
    InetSocketAddress local = channel.localAddress();
    return local == null ? -1 : local.getPort();
  }

  @Override
  public @Nullable SocketAddress getLocalSocketAddress() {
    InetSocketAddress local = channel.localAddress();
    return local != null && isClosed() ? new InetSocketAddress(local.getPort()) : local;
  }

  @Override
  public SocketChannel getChannel() {
    return channel;
  }

  // Streams.

  @Override
  public InputStream getInputStream() throws IOException {
    requireOpen();
    requireConnected();
    if (isInputShutdown()) {
      throw new SocketException("Socket input is shutdown");
    }
    return new Input();
  }

  private void requireConnected() throws SocketException {
    if (!isConnected()) {
      throw new SocketException("Socket is not connected");
    }
  }

  private final class Input extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      requireBlocking();
      try {
        return channel.read(ByteBuffer.wrap(target, offset, length), Timeouts.nanos(timeoutMillis));
      } catch (ClosedChannelException e) {
        throw ChannelOptions.translated(e);
      }
    }

    @Override
    public void close() throws IOException {
      SocketAdaptor.this.close();
    }
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    requireOpen();
    requireConnected();
    if (isOutputShutdown()) {
      throw new SocketException("Socket output is shutdown");
    }
    return new Output();
  }

  private final class Output extends OutputStream {

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value});
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      requireBlocking();
      try {
        int _ = channel.write(ByteBuffer.wrap(source, offset, length));
      } catch (ClosedChannelException e) {
        throw ChannelOptions.translated(e);
      }
    }

    @Override
    public void close() throws IOException {
      SocketAdaptor.this.close();
    }
  }

  @Override
  public void sendUrgentData(int data) throws IOException {
    throw new SocketException("a simulated socket has no urgent data");
  }

  // Options.

  @Override
  public void setTcpNoDelay(boolean on) throws SocketException {
    options.set(StandardSocketOptions.TCP_NODELAY, on);
  }

  @Override
  public boolean getTcpNoDelay() throws SocketException {
    return options.get(StandardSocketOptions.TCP_NODELAY);
  }

  @Override
  public void setSoLinger(boolean on, int seconds) throws SocketException {
    if (on && seconds < 0) {
      throw new IllegalArgumentException("invalid value for SO_LINGER");
    }
    options.set(StandardSocketOptions.SO_LINGER, on ? seconds : -1);
  }

  @Override
  public int getSoLinger() throws SocketException {
    return options.get(StandardSocketOptions.SO_LINGER);
  }

  @Override
  public void setOOBInline(boolean on) throws SocketException {
    requireOpen();
  }

  @Override
  public boolean getOOBInline() throws SocketException {
    requireOpen();
    return false;
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    requireOpen();
    if (millis < 0) {
      throw new IllegalArgumentException("timeout can't be negative");
    }
    timeoutMillis = millis;
  }

  @Override
  public int getSoTimeout() throws SocketException {
    requireOpen();
    return timeoutMillis;
  }

  @Override
  public void setSendBufferSize(int bytes) throws SocketException {
    options.set(StandardSocketOptions.SO_SNDBUF, Timeouts.positive(bytes));
  }

  @Override
  public int getSendBufferSize() throws SocketException {
    return options.get(StandardSocketOptions.SO_SNDBUF);
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
  public void setKeepAlive(boolean on) throws SocketException {
    options.set(StandardSocketOptions.SO_KEEPALIVE, on);
  }

  @Override
  public boolean getKeepAlive() throws SocketException {
    return options.get(StandardSocketOptions.SO_KEEPALIVE);
  }

  @Override
  public void setTrafficClass(int trafficClass) throws SocketException {
    options.set(StandardSocketOptions.IP_TOS, trafficClass);
  }

  @Override
  public int getTrafficClass() throws SocketException {
    return options.get(StandardSocketOptions.IP_TOS);
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
  public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
    channel.setOption(Objects.requireNonNull(name), value);
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

  // State.

  @Override
  public void shutdownInput() throws IOException {
    requireOpen();
    requireConnected();
    channel.shutdownInput();
  }

  @Override
  public void shutdownOutput() throws IOException {
    requireOpen();
    requireConnected();
    channel.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public boolean isConnected() {
    return channel.isConnected();
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
  public boolean isInputShutdown() {
    return channel.isInputEnded();
  }

  @Override
  public boolean isOutputShutdown() {
    return channel.isOutputEnded();
  }

  @Override
  public String toString() {
    return "Socket[" + channel + "]";
  }
}
