package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Endpoint;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.ListenerEndpoint;
import dev.rondo.simulation.internal.net.StreamEndpoint;
import dev.rondo.simulation.internal.net.Timeline;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A listening channel of a simulated host.
///
/// @param <A> the kind of address
/// @param <C> the kind of connection
abstract sealed class SimulatedListenerChannel<A extends SocketAddress, C extends StreamEndpoint>
    extends ServerSocketChannel implements Selectable
    permits SimulatedServerChannel, SimulatedUnixServerChannel {

  private static final int DEFAULT_BACKLOG = 50;

  final Host host;
  final Options options;
  private final ListenerEndpoint<C> listener;
  private final Descriptors descriptors;

  private @Nullable A local;

  SimulatedListenerChannel(
      SelectorProvider provider, Host host, ListenerEndpoint<C> listener, Options options)
      throws IOException {
    super(provider);
    this.host = host;
    this.listener = listener;
    this.options = options;
    this.descriptors = Descriptors.open(host, this, 1);
  }

  private void enter() throws ClosedChannelException {
    requireOpen();
    host.network().enter();
  }

  @Override
  public final Set<SocketOption<?>> supportedOptions() {
    return options.names();
  }

  @Override
  public final <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    options.set(name, value);
    if (name == StandardSocketOptions.SO_RCVBUF) {
      listener.sizes().receive((Integer) value);
    }
    return this;
  }

  @Override
  public final <T> T getOption(SocketOption<T> name) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    return options.get(name);
  }

  @Override
  public final ServerSocketChannel bind(@Nullable SocketAddress wanted, int backlog)
      throws IOException {
    enter();
    if (local != null) {
      throw new AlreadyBoundException();
    }
    local = listen(wanted, backlog < 1 ? DEFAULT_BACKLOG : backlog);
    return this;
  }

  /// Binds it and begins to listen.
  ///
  /// @param wanted null for any
  /// @return its address
  abstract A listen(@Nullable SocketAddress wanted, int backlog) throws IOException;

  @Override
  public final @Nullable SocketAddress getLocalAddress() throws IOException {
    requireOpen();
    return local;
  }

  /// Even after closing.
  final @Nullable A localAddress() {
    return local;
  }

  @Override
  public final @Nullable SocketChannel accept() throws IOException {
    return accept(Timeline.NEVER);
  }

  /// Accepts, and waits no longer than this in blocking mode.
  final @Nullable SocketChannel accept(long nanos) throws IOException {
    enter();
    if (local == null) {
      throw new NotYetBoundException();
    }
    if (isBlocking()) {
      await(host, listener::hasConnection, nanos, "Accept");
    }
    C first = listener.first();
    if (first == null) {
      return null;
    }
    SocketChannel accepted = accepted(first);
    listener.removeFirst();
    return accepted;
  }

  /// {@return the channel of a connection}
  ///
  /// @throws IOException if the host has no descriptor left
  abstract SocketChannel accepted(C connection) throws IOException;

  @Override
  public final void waitBegins() {
    begin();
  }

  @Override
  public final void waitEnds() throws AsynchronousCloseException {
    end(isOpen());
  }

  @Override
  public final Endpoint endpoint() {
    return listener;
  }

  @Override
  public final int ready(int bits, int interest) {
    boolean ready = Selectable.concernsAll(bits) || (bits & Endpoint.IN) != 0;
    return ready ? interest & SelectionKey.OP_ACCEPT : 0;
  }

  @Override
  protected final void implConfigureBlocking(boolean block) {}

  @Override
  protected final void implCloseSelectableChannel() throws IOException {
    host.network().enter();
    if (!isRegistered()) {
      kill();
    }
  }

  @Override
  public final void kill() {
    if (descriptors.close()) {
      listener.close();
    }
  }

  @Override
  public final String toString() {
    String state = !isOpen() ? "closed" : local == null ? "unbound" : "" + local;
    return "java.nio.channels.ServerSocketChannel[" + state + "]";
  }
}
