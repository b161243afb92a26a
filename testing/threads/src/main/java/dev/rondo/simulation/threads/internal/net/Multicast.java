package dev.rondo.simulation.threads.internal.net;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.DatagramSocketImpl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The implementation of a `MulticastSocket` on a simulated host: a channel of its network.
public final class Multicast extends DatagramSocketImpl {

  private final DatagramChannel channel;
  private final DatagramSocket socket;

  private Multicast(DatagramChannel channel) {
    this.channel = channel;
    this.socket = channel.socket();
  }

  /// {@return a socket that is not bound}
  ///
  /// @param provider opens its channel
  /// @throws IOException if the host has too many
  public static MulticastSocket open(SelectorProvider provider) throws IOException {
    try {
      Constructor<?> made =
          Class.forName("java.net.NetMulticastSocket")
              .getDeclaredConstructor(DatagramSocketImpl.class);
      return (MulticastSocket)
          MethodHandles.privateLookupIn(made.getDeclaringClass(), MethodHandles.lookup())
              .unreflectConstructor(made)
              .invoke(new Multicast(provider.openDatagramChannel()));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("Java " + Runtime.version() + " has other sockets", e);
    }
  }

  @Override
  protected void create() {}

  @Override
  protected void bind(int port, InetAddress address) throws SocketException {
    socket.bind(new InetSocketAddress(address, port));
  }

  @Override
  protected int getLocalPort() {
    return socket.getLocalPort();
  }

  @Override
  protected void connect(InetAddress address, int port) throws SocketException {
    socket.connect(new InetSocketAddress(address, port));
  }

  @Override
  protected void disconnect() {
    socket.disconnect();
  }

  @Override
  protected void close() {
    socket.close();
  }

  // Datagrams.

  @Override
  protected void send(DatagramPacket packet) throws IOException {
    socket.send(packet);
  }

  @Override
  protected void receive(DatagramPacket packet) throws IOException {
    socket.receive(packet);
  }

  /// Is called for a socket that cannot connect.
  @Override
  protected int peek(InetAddress from) {
    throw new UnsupportedOperationException("peek");
  }

  @Override
  protected int peekData(DatagramPacket packet) {
    throw new UnsupportedOperationException("peekData");
  }

  // Groups.

  @Override
  protected void join(InetAddress group) throws IOException {
    joinGroup(new InetSocketAddress(group, 0), null);
  }

  @Override
  protected void leave(InetAddress group) throws IOException {
    leaveGroup(new InetSocketAddress(group, 0), null);
  }

  @Override
  protected void joinGroup(SocketAddress group, @Nullable NetworkInterface on) throws IOException {
    socket.joinGroup(group, on);
  }

  @Override
  protected void leaveGroup(SocketAddress group, @Nullable NetworkInterface on) throws IOException {
    socket.leaveGroup(group, on);
  }

  // Options.

  @Override
  public void setOption(int id, Object value) throws SocketException {
    switch (id) {
      case SocketOptions.SO_TIMEOUT -> socket.setSoTimeout((Integer) value);
      case SocketOptions.IP_MULTICAST_LOOP -> // whether there is none
          SocketOptionIds.set(channel, id, !(Boolean) value);
      default -> SocketOptionIds.set(channel, id, value);
    }
  }

  @Override
  public Object getOption(int id) throws SocketException {
    return switch (id) {
      case SocketOptions.SO_TIMEOUT -> socket.getSoTimeout();
      case SocketOptions.IP_MULTICAST_LOOP -> !(Boolean) SocketOptionIds.get(channel, id);
      default -> SocketOptionIds.get(channel, id);
    };
  }

  @Override
  protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
    DatagramChannel _ = channel.setOption(name, value);
  }

  @Override
  protected <T> T getOption(SocketOption<T> name) throws IOException {
    return channel.getOption(name);
  }

  @Override
  protected Set<SocketOption<?>> supportedOptions() {
    return channel.supportedOptions();
  }

  @Override
  protected void setTimeToLive(int ttl) throws IOException {
    setOption(StandardSocketOptions.IP_MULTICAST_TTL, ttl);
  }

  @Override
  protected int getTimeToLive() throws IOException {
    return getOption(StandardSocketOptions.IP_MULTICAST_TTL);
  }

  @Deprecated
  @Override
  @SuppressWarnings({"removal", "InlineMeSuggester"})
  protected void setTTL(byte ttl) throws IOException {
    setTimeToLive(Byte.toUnsignedInt(ttl));
  }

  @Deprecated
  @Override
  @SuppressWarnings({"removal", "InlineMeSuggester"})
  protected byte getTTL() throws IOException {
    return (byte) getTimeToLive();
  }
}
