package dev.rondo.simulation.internal.nio;

import java.net.DatagramPacket;
import java.net.DatagramSocketImpl;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// What a [java.net.DatagramSocket] demands of a subclass, and a [DatagramSocketAdaptor] never
/// uses.
final class NoDatagramSocketImpl extends DatagramSocketImpl {

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("a simulated socket has no such operation");
  }

  @Override
  protected void create() {
    throw unused();
  }

  @Override
  protected void bind(int port, InetAddress address) {
    throw unused();
  }

  @Override
  protected void send(DatagramPacket packet) {
    throw unused();
  }

  @Override
  protected int peek(InetAddress address) {
    throw unused();
  }

  @Override
  protected int peekData(DatagramPacket packet) {
    throw unused();
  }

  @Override
  protected void receive(DatagramPacket packet) {
    throw unused();
  }

  @Override
  @SuppressWarnings("removal")
  @Deprecated
  protected void setTTL(byte ttl) {
    throw unused();
  }

  @Override
  @SuppressWarnings("removal")
  @Deprecated
  protected byte getTTL() {
    throw unused();
  }

  @Override
  protected void setTimeToLive(int ttl) {
    throw unused();
  }

  @Override
  protected int getTimeToLive() {
    throw unused();
  }

  @Override
  protected void join(InetAddress group) {
    throw unused();
  }

  @Override
  protected void leave(InetAddress group) {
    throw unused();
  }

  @Override
  protected void joinGroup(SocketAddress group, @Nullable NetworkInterface networkInterface) {
    throw unused();
  }

  @Override
  protected void leaveGroup(SocketAddress group, @Nullable NetworkInterface networkInterface) {
    throw unused();
  }

  @Override
  protected void close() {}

  @Override
  public void setOption(int option, Object value) {
    throw unused();
  }

  @Override
  public Object getOption(int option) {
    throw unused();
  }
}
