package dev.rondo.simulation.internal.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A UDP channel as a socket.
final class DatagramSocketAdaptor extends DatagramSocket {

  private final SimulatedDatagramChannel channel;
  private final ChannelOptions options;
  private int timeoutMillis;
  private Received lastReceived = Received.NONE;

  private DatagramSocketAdaptor(SimulatedDatagramChannel channel) {
    super(new NoDatagramSocketImpl());
    this.channel = channel;
    this.options = new ChannelOptions(channel);
  }

  static DatagramSocketAdaptor of(SimulatedDatagramChannel channel) {
    return new DatagramSocketAdaptor(channel);
  }

  private void requireOpen() throws SocketException {
    if (isClosed()) {
      throw new SocketException("Socket is closed");
    }
  }

  // Addresses.

  @Override
  public void bind(@Nullable SocketAddress address) throws SocketException {
    requireOpen();
    try {
      channel.bind(address);
    } catch (IOException e) {
      throw ChannelOptions.translated(e);
    }
  }

  @Override
  public void connect(InetAddress address, int port) {
    try {
      connect(new InetSocketAddress(address, port));
    } catch (SocketException e) {
      throw new UncheckedIOException("connect failed", e);
    }
  }

  @Override
  public void connect(SocketAddress address) throws SocketException {
    try {
      channel.disconnect();
      channel.connect(address);
    } catch (IOException e) {
      throw ChannelOptions.translated(e);
    }
  }

  @Override
  public void disconnect() {
    try {
      channel.disconnect();
    } catch (IOException e) {
      throw new UncheckedIOException("disconnect failed", e);
    }
  }

  @Override
  public boolean isBound() {
    return channel.localAddress() != null;
  }

  @Override
  public boolean isConnected() {
    return channel.isConnected();
  }

  @Override
  public @Nullable InetAddress getInetAddress() {
    InetSocketAddress remote = channel.remoteAddress();
    return remote == null ? null : remote.getAddress();
  }

  @Override
  public int getPort() {
    InetSocketAddress remote = channel.remoteAddress();
    return remote == null ? -1 : remote.getPort();
  }

  @Override
  public @Nullable SocketAddress getRemoteSocketAddress() {
    return channel.remoteAddress();
  }

  @Override
  public @Nullable SocketAddress getLocalSocketAddress() {
    return isClosed() ? null : channel.localAddress();
  }

  @Override
  public @Nullable InetAddress getLocalAddress() {
    InetSocketAddress local = channel.localAddress();
    if (isClosed()) {
      return null;
    }
    return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
  }

  @Override
  public int getLocalPort() {
    InetSocketAddress local = channel.localAddress();
    return isClosed() ? -1 : local == null ? 0 : local.getPort();
  }

  @Override
  public DatagramChannel getChannel() {
    return channel;
  }

  // Datagrams.

  @Override
  public void send(DatagramPacket packet) throws IOException {
    requireOpen();
    requireBlocking();
    ByteBuffer bytes = ByteBuffer.wrap(packet.getData(), packet.getOffset(), packet.getLength());
    if (channel.isConnected()) {
      int _ = channel.write(bytes);
    } else {
      int _ = channel.send(bytes, packet.getSocketAddress());
    }
  }

  @Override
  public void receive(DatagramPacket packet) throws IOException {
    requireOpen();
    requireBlocking();
    int room = lastReceived.room(packet);
    ByteBuffer bytes = ByteBuffer.wrap(packet.getData(), packet.getOffset(), room);
    InetSocketAddress sender = channel.receive(bytes, Timeouts.nanos(timeoutMillis));
    packet.setLength(bytes.position() - packet.getOffset());
    packet.setSocketAddress(sender);
    lastReceived = new Received(new WeakReference<>(packet), packet.getLength(), room);
  }

  /// A packet's length after a receive is that of the datagram, but the next receive has the room
  /// it had before. The JDK keeps that in the packet, which other classes cannot.
  ///
  /// @param packet the last one that was received into
  /// @param length which it was given then
  /// @param room which it had before
  private record Received(WeakReference<DatagramPacket> packet, int length, int room) {

    static final Received NONE = new Received(new WeakReference<>(null), 0, 0);

    int room(DatagramPacket next) {
      int wanted = next.getLength();
      boolean unchanged = packet.get() == next && wanted == length;
      return unchanged && next.getOffset() + room <= next.getData().length ? room : wanted;
    }
  }

  private void requireBlocking() {
    if (!channel.isBlocking()) {
      throw new IllegalBlockingModeException();
    }
  }

  // Options.

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    requireOpen();
    if (millis < 0) {
      throw new IllegalArgumentException("timeout < 0");
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
  public void setReuseAddress(boolean on) throws SocketException {
    options.set(StandardSocketOptions.SO_REUSEADDR, on);
  }

  @Override
  public boolean getReuseAddress() throws SocketException {
    return options.get(StandardSocketOptions.SO_REUSEADDR);
  }

  @Override
  public void setBroadcast(boolean on) throws SocketException {
    options.set(StandardSocketOptions.SO_BROADCAST, on);
  }

  @Override
  public boolean getBroadcast() throws SocketException {
    return options.get(StandardSocketOptions.SO_BROADCAST);
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
  public <T> DatagramSocket setOption(SocketOption<T> name, T value) throws IOException {
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

  // Groups.

  @Override
  public void joinGroup(SocketAddress group, @Nullable NetworkInterface networkInterface)
      throws IOException {
    channel.join(((InetSocketAddress) group).getAddress(), known(networkInterface));
  }

  @Override
  public void leaveGroup(SocketAddress group, @Nullable NetworkInterface networkInterface)
      throws IOException {
    channel.join(((InetSocketAddress) group).getAddress(), known(networkInterface)).drop();
  }

  /// The network of a host has one interface, whatever its name is on the computer.
  private static NetworkInterface known(@Nullable NetworkInterface networkInterface)
      throws SocketException {
    NetworkInterface first = networkInterface;
    if (first == null) {
      first = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
    }
    if (first == null) {
      throw new SocketException("the computer has no network");
    }
    return first;
  }

  // State.

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean isClosed() {
    return !channel.isOpen();
  }
}
