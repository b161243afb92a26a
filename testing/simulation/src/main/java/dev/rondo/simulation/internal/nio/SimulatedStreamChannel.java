package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.Buffers;
import dev.rondo.simulation.internal.net.Endpoint;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.StreamEndpoint;
import dev.rondo.simulation.internal.net.SystemError;
import dev.rondo.simulation.internal.net.Timeline;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A channel of a simulated host for a stream of bytes. In blocking mode an operation lets the
/// network's time pass.
///
/// @param <A> the kind of address
abstract sealed class SimulatedStreamChannel<A extends SocketAddress> extends SocketChannel
    implements Selectable permits SimulatedSocketChannel, SimulatedUnixChannel {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  final Host host;
  final Options options;
  private final StreamEndpoint connection;
  private final Descriptors descriptors;

  /// Null until it connects.
  private @Nullable A remote;

  /// Null until it is bound, or connected.
  private @Nullable A local;

  private boolean connected;
  private boolean inputEnded;
  private boolean outputEnded;

  /// Whether a read has found the connection reset: all later reads do.
  private boolean reset;

  SimulatedStreamChannel(
      SelectorProvider provider, Host host, StreamEndpoint connection, Options options)
      throws IOException {
    super(provider);
    this.host = host;
    this.connection = connection;
    this.options = options;
    this.descriptors = Descriptors.open(host, this, 1);
  }

  /// Makes it an accepted connection.
  final void accepted(@Nullable A own, @Nullable A peer) {
    local = own;
    remote = peer;
    connected = true;
  }

  // State.

  private void enter() throws ClosedChannelException {
    requireOpen();
    host.network().enter();
  }

  private void requireConnected() throws ClosedChannelException {
    enter();
    if (!connected) {
      throw new NotYetConnectedException();
    }
  }

  @Override
  public final boolean isConnected() {
    return connected;
  }

  @Override
  public final boolean isConnectionPending() {
    return remote != null && !connected;
  }

  final boolean isInputEnded() {
    return inputEnded;
  }

  final boolean isOutputEnded() {
    return outputEnded;
  }

  @Override
  public final @Nullable SocketAddress getLocalAddress() throws IOException {
    requireOpen();
    return local;
  }

  @Override
  public final @Nullable SocketAddress getRemoteAddress() throws IOException {
    requireOpen();
    return remote;
  }

  /// Even after closing.
  final @Nullable A localAddress() {
    return local;
  }

  /// Even after closing.
  final @Nullable A remoteAddress() {
    return connected ? remote : null;
  }

  // Options.

  @Override
  public final Set<SocketOption<?>> supportedOptions() {
    return options.names();
  }

  @Override
  public final <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    options.set(name, value);
    if (name == StandardSocketOptions.SO_SNDBUF) {
      connection.sendBuffer((Integer) value);
    } else if (name == StandardSocketOptions.SO_RCVBUF) {
      connection.sizes().receive((Integer) value);
    } else if (name == StandardSocketOptions.SO_LINGER) {
      connection.linger(options.get(StandardSocketOptions.SO_LINGER));
    } else {
      optionSet(name, value);
    }
    return this;
  }

  /// An option that only this kind of channel has was set.
  abstract void optionSet(SocketOption<?> name, Object value);

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    return options.get(name);
  }

  // Connecting.

  @Override
  public final SocketChannel bind(@Nullable SocketAddress wanted) throws IOException {
    enter();
    if (isConnectionPending()) {
      throw new ConnectionPendingException();
    }
    if (local != null) {
      throw new AlreadyBoundException();
    }
    local = bindTo(wanted);
    return this;
  }

  /// Binds it.
  ///
  /// @param wanted null for any
  /// @return its address
  abstract A bindTo(@Nullable SocketAddress wanted) throws IOException;

  @Override
  public final boolean connect(SocketAddress wanted) throws IOException {
    return connect(wanted, Timeline.NEVER);
  }

  /// Connects, and waits no longer than this in blocking mode.
  final boolean connect(SocketAddress wanted, long nanos) throws IOException {
    A peer = peerAt(wanted);
    enter();
    if (connected) {
      throw new AlreadyConnectedException();
    }
    if (isConnectionPending()) {
      throw new ConnectionPendingException();
    }
    try {
      local = beginConnecting(peer, nanos);
      remote = peer;
      return isBlocking() ? finishBlocking(nanos) : connectsAtOnce() && finish();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /// {@return the address of a peer}
  abstract A peerAt(SocketAddress wanted);

  /// Begins to connect.
  ///
  /// @param nanos how long it may wait in blocking mode
  /// @return its own address
  abstract A beginConnecting(A peer, long nanos) throws IOException;

  /// {@return whether it is connected as soon as it has begun, in non-blocking mode, too}
  abstract boolean connectsAtOnce();

  @Override
  public final boolean finishConnect() throws IOException {
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
    await(host, () -> !connection.isConnecting(), nanos, "connect");
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

  @Override
  public final void waitBegins() {
    begin();
  }

  @Override
  public final void waitEnds() throws AsynchronousCloseException {
    end(isOpen());
  }

  // Reading.

  @Override
  public final int read(ByteBuffer target) throws IOException {
    return read(target, Timeline.NEVER);
  }

  /// Reads, and waits no longer than this in blocking mode.
  final int read(ByteBuffer target, long nanos) throws IOException {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("Read-only buffer");
    }
    requireConnected();
    if (inputEnded) {
      return -1;
    }
    if (isBlocking() && target.hasRemaining()) {
      await(host, connection::isReadable, nanos, "Read");
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
  public final long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    long total = Buffers.scatter(targets, offset, length, this::read, this::readNow);
    if (total == 0) {
      requireConnected();
    }
    return total;
  }

  @Override
  public final SocketChannel shutdownInput() throws IOException {
    requireConnected();
    inputEnded = true;
    connection.endInput();
    return this;
  }

  // Writing.

  @Override
  public final int write(ByteBuffer source) throws IOException {
    requireConnected();
    if (outputEnded) {
      throw new ClosedChannelException();
    }
    int count = writeNow(source);
    while (isBlocking() && source.hasRemaining()) {
      await(host, connection::hasRoom, Timeline.NEVER, "write");
      count += writeNow(source);
    }
    return count;
  }

  private int writeNow(ByteBuffer source) throws IOException {
    int from = source.position();
    int count = connection.write(source);
    host.written(source, from);
    return count;
  }

  @Override
  public final long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    requireConnected();
    return Buffers.gather(sources, offset, length, this::write);
  }

  @Override
  public final SocketChannel shutdownOutput() throws IOException {
    requireConnected();
    outputEnded = true;
    connection.endOutput();
    return this;
  }

  // Readiness.

  @Override
  public final Endpoint endpoint() {
    return connection;
  }

  @Override
  public final int ready(int bits, int interest) {
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
  protected final void implConfigureBlocking(boolean block) {}

  /// As the JDK does it: while a selector has the channel, only the output ends.
  @Override
  protected final void implCloseSelectableChannel() throws IOException {
    host.network().enter();
    if (!isRegistered()) {
      kill();
    } else if (connected && connection.linger() != 0) {
      connection.linger(-1);
      connection.endOutput();
    }
  }

  @Override
  public final void kill() {
    if (descriptors.close()) {
      connection.close();
      if (isBlocking() && connection.linger() > 0 && host.isRunning()) {
        boolean _ =
            host.network().runUntil(connection::isFlushed, connection.linger() * NANOS_PER_SECOND);
      }
    }
  }

  @Override
  public final String toString() {
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
