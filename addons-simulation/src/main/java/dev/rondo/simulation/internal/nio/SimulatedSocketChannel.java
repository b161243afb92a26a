package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Endpoint;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.KeepAlive;
import dev.rondo.simulation.internal.net.SystemError;
import dev.rondo.simulation.internal.net.TcpConnection;
import dev.rondo.simulation.internal.net.Timeline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// A TCP channel of a simulated host. In blocking mode an operation lets the network's time pass.
final class SimulatedSocketChannel extends SocketChannel implements Selectable {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Host host;
  private final TcpConnection connection;
  private final Descriptors descriptors;
  private final Options options;

  private @Nullable SocketAdaptor adaptor;

  /// Null until it connects.
  private @Nullable InetSocketAddress remote;

  /// Null until it is bound, or connected.
  private @Nullable InetSocketAddress local;

  private boolean connected;
  private boolean inputEnded;
  private boolean outputEnded;

  /// Whether a read has found the connection reset: all later reads do.
  private boolean reset;

  SimulatedSocketChannel(SelectorProvider provider, Host host) throws IOException {
    this(provider, host, new TcpConnection(host));
  }

  private SimulatedSocketChannel(SelectorProvider provider, Host host, TcpConnection connection)
      throws IOException {
    super(provider);
    this.host = host;
    this.connection = connection;
    this.descriptors = Descriptors.open(host, this, 1);
    this.options = Options.ofSocket(connection.sizes().send(), connection.sizes().receive());
  }

  /// An accepted connection.
  ///
  /// @throws IOException if the host has no descriptor left
  static SimulatedSocketChannel accepted(
      SelectorProvider provider, Host host, TcpConnection connection) throws IOException {
    var channel = new SimulatedSocketChannel(provider, host, connection);
    channel.local = connection.localAddress();
    channel.remote = connection.remoteAddress();
    channel.connected = true;
    return channel;
  }

  // State.

  private void enter() throws ClosedChannelException {
    requireOpen();
    host.network().enter();
  }

  private void requireOpen() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  private void requireConnected() throws ClosedChannelException {
    enter();
    if (!connected) {
      throw new NotYetConnectedException();
    }
  }

  @Override
  public boolean isConnected() {
    return connected;
  }

  @Override
  public boolean isConnectionPending() {
    return remote != null && !connected;
  }

  boolean isInputEnded() {
    return inputEnded;
  }

  boolean isOutputEnded() {
    return outputEnded;
  }

  @Override
  public @Nullable SocketAddress getLocalAddress() throws IOException {
    requireOpen();
    return local;
  }

  @Override
  public @Nullable SocketAddress getRemoteAddress() throws IOException {
    requireOpen();
    return remote;
  }

  /// Even after closing.
  @Nullable InetSocketAddress localAddress() {
    return local;
  }

  /// Even after closing.
  @Nullable InetSocketAddress remoteAddress() {
    return connected ? remote : null;
  }

  @Override
  public Socket socket() {
    SocketAdaptor known = adaptor;
    if (known == null) {
      known = SocketAdaptor.of(this);
      adaptor = known;
    }
    return known;
  }

  // Options.

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return options.names();
  }

  @Override
  public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    options.set(name, value);
    if (name == StandardSocketOptions.SO_SNDBUF) {
      connection.sizes().send((Integer) value);
    } else if (name == StandardSocketOptions.SO_RCVBUF) {
      connection.sizes().receive((Integer) value);
    } else if (name == StandardSocketOptions.SO_LINGER) {
      connection.linger(options.get(StandardSocketOptions.SO_LINGER));
    } else {
      setKeepAlive(name, value);
    }
    return this;
  }

  private void setKeepAlive(SocketOption<?> name, Object value) {
    KeepAlive keepAlive = connection.keepAlive();
    if (name == StandardSocketOptions.SO_KEEPALIVE) {
      keepAlive.enable((Boolean) value);
    } else if (name == ExtendedSocketOptions.TCP_KEEPIDLE) {
      keepAlive.idle((Integer) value);
    } else if (name == ExtendedSocketOptions.TCP_KEEPINTERVAL) {
      keepAlive.interval((Integer) value);
    } else if (name == ExtendedSocketOptions.TCP_KEEPCOUNT) {
      keepAlive.count((Integer) value);
    }
  }

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    return options.get(name);
  }

  // Connecting.

  @Override
  public SocketChannel bind(@Nullable SocketAddress wanted) throws IOException {
    enter();
    if (isConnectionPending()) {
      throw new ConnectionPendingException();
    }
    if (local != null) {
      throw new AlreadyBoundException();
    }
    connection.bind(
        Addresses.toBind(wanted),
        options.isSet(StandardSocketOptions.SO_REUSEADDR),
        options.isSet(StandardSocketOptions.SO_REUSEPORT));
    local = connection.localAddress();
    return this;
  }

  @Override
  public boolean connect(SocketAddress wanted) throws IOException {
    return connect(wanted, Timeline.NEVER);
  }

  /// Connects, and waits no longer than this in blocking mode.
  boolean connect(SocketAddress wanted, long nanos) throws IOException {
    InetSocketAddress peer = Addresses.ofPeer(wanted);
    enter();
    if (connected) {
      throw new AlreadyConnectedException();
    }
    if (isConnectionPending()) {
      throw new ConnectionPendingException();
    }
    try {
      connection.connect(peer);
      remote = peer;
      local = connection.localAddress();
      return isBlocking() && finishBlocking(nanos);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public boolean finishConnect() throws IOException {
    enter();
    if (connected) {
      return true;
    }
    if (!isConnectionPending()) {
      throw new NoConnectionPendingException();
    }
    try {
      return isBlocking() ? finishBlocking(Timeline.NEVER) : finish();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private boolean finishBlocking(long nanos) throws IOException {
    block(() -> !connection.isConnecting(), nanos, "connect");
    return finish();
  }

  private boolean finish() throws IOException {
    if (connection.isConnecting()) {
      return false;
    }
    connection.throwConnectError();
    connected = true;
    return true;
  }

  /// Lets time pass until a condition holds.
  private void block(BooleanSupplier condition, long nanos, String what) throws IOException {
    boolean done = false;
    try {
      begin();
      requireOpen();
      if (nanos == Timeline.NEVER) {
        host.network().await(condition, () -> what + ": " + this);
        done = true;
      } else {
        done = host.network().runUntil(condition, nanos);
      }
    } finally {
      end(isOpen());
    }
    if (!done) {
      throw new SocketTimeoutException(what + " timed out");
    }
  }

  // Reading.

  @Override
  public int read(ByteBuffer target) throws IOException {
    return read(target, Timeline.NEVER);
  }

  /// Reads, and waits no longer than this in blocking mode.
  int read(ByteBuffer target, long nanos) throws IOException {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("Read-only buffer");
    }
    requireConnected();
    if (inputEnded) {
      return -1;
    }
    if (isBlocking() && target.hasRemaining()) {
      block(connection::isReadable, nanos, "Read");
    }
    return readNow(target);
  }

  private int readNow(ByteBuffer target) throws IOException {
    try {
      if (!reset) {
        return connection.read(target);
      }
    } catch (IOException e) {
      if (!SystemError.isReset(e)) {
        throw e;
      }
      reset = true;
    }
    throw new SocketException("Connection reset");
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, targets.length);
    long total = 0;
    for (int i = offset; i < offset + length; i++) {
      if (!targets[i].hasRemaining() && !targets[i].isReadOnly()) {
        continue;
      }
      int count = total == 0 ? read(targets[i]) : readNow(targets[i]);
      if (count < 0) {
        return total == 0 ? -1 : total;
      }
      total += count;
      if (targets[i].hasRemaining()) {
        break;
      }
    }
    if (total == 0) {
      requireConnected();
    }
    return total;
  }

  @Override
  public SocketChannel shutdownInput() throws IOException {
    requireConnected();
    inputEnded = true;
    connection.endInput();
    return this;
  }

  // Writing.

  @Override
  public int write(ByteBuffer source) throws IOException {
    requireConnected();
    if (outputEnded) {
      throw new ClosedChannelException();
    }
    int count = connection.write(source);
    while (isBlocking() && source.hasRemaining()) {
      block(connection::hasRoom, Timeline.NEVER, "write");
      count += connection.write(source);
    }
    return count;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, sources.length);
    long total = 0;
    requireConnected();
    for (int i = offset; i < offset + length; i++) {
      total += write(sources[i]);
      if (sources[i].hasRemaining()) {
        break;
      }
    }
    return total;
  }

  @Override
  public SocketChannel shutdownOutput() throws IOException {
    requireConnected();
    outputEnded = true;
    connection.endOutput();
    return this;
  }

  // Readiness.

  @Override
  public Endpoint endpoint() {
    return connection;
  }

  @Override
  public int ready(int bits, int interest) {
    if (Selectable.concernsAll(bits)) {
      return interest;
    }
    int ready = 0;
    if ((bits & Endpoint.IN) != 0 && connected) {
      ready |= SelectionKey.OP_READ;
    }
    if ((bits & Endpoint.OUT) != 0) {
      ready |= connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT;
    }
    return ready & interest;
  }

  // The end.

  @Override
  protected void implConfigureBlocking(boolean block) {}

  /// As the JDK does it: while a selector has the channel, only the output ends.
  @Override
  protected void implCloseSelectableChannel() throws IOException {
    host.network().enter();
    if (!isRegistered()) {
      kill();
    } else if (connected && connection.linger() != 0) {
      connection.linger(-1);
      connection.endOutput();
    }
  }

  @Override
  public void kill() {
    if (descriptors.close()) {
      connection.close();
      if (isBlocking() && connection.linger() > 0 && host.isRunning()) {
        boolean _ =
            host.network().runUntil(connection::isFlushed, connection.linger() * NANOS_PER_SECOND);
      }
    }
  }

  @Override
  public String toString() {
    var text = new StringBuilder("java.nio.channels.SocketChannel[");
    if (!isOpen()) {
      return text.append("closed]").toString();
    }
    text.append(
        connected ? "connected" : isConnectionPending() ? "connection-pending" : "unconnected");
    if (inputEnded) {
      text.append(" ishut");
    }
    if (outputEnded) {
      text.append(" oshut");
    }
    if (local != null) {
      text.append(" local=").append(local);
    }
    if (remote != null) {
      text.append(" remote=").append(remote);
    }
    return text.append(']').toString();
  }
}
