package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Endpoint;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.TcpConnection;
import dev.rondo.simulation.internal.net.TcpListener;
import dev.rondo.simulation.internal.net.Timeline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A listening TCP channel of a simulated host.
final class SimulatedServerChannel extends ServerSocketChannel implements Selectable {

  private static final int DEFAULT_BACKLOG = 50;

  private final Host host;
  private final TcpListener listener;
  private final Descriptors descriptors;
  private final Options options;

  private @Nullable ServerSocketAdaptor adaptor;
  private @Nullable InetSocketAddress local;

  SimulatedServerChannel(SelectorProvider provider, Host host) throws IOException {
    super(provider);
    this.host = host;
    this.listener = new TcpListener(host);
    this.descriptors = Descriptors.open(host, this, 1);
    this.options = Options.ofListener(listener.sizes().receive());
  }

  private void enter() throws ClosedChannelException {
    requireOpen();
    host.network().enter();
  }

  private void requireOpen() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public ServerSocket socket() {
    ServerSocketAdaptor known = adaptor;
    if (known == null) {
      known = ServerSocketAdaptor.of(this);
      adaptor = known;
    }
    return known;
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return options.names();
  }

  @Override
  public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    options.set(name, value);
    if (name == StandardSocketOptions.SO_RCVBUF) {
      listener.sizes().receive((Integer) value);
    }
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    return options.get(name);
  }

  @Override
  public ServerSocketChannel bind(@Nullable SocketAddress wanted, int backlog) throws IOException {
    enter();
    if (local != null) {
      throw new AlreadyBoundException();
    }
    local =
        listener.listen(
            Addresses.toBind(wanted),
            options.isSet(StandardSocketOptions.SO_REUSEADDR),
            options.isSet(StandardSocketOptions.SO_REUSEPORT),
            backlog < 1 ? DEFAULT_BACKLOG : backlog);
    return this;
  }

  @Override
  public @Nullable SocketAddress getLocalAddress() throws IOException {
    requireOpen();
    return local;
  }

  /// Even after closing.
  @Nullable InetSocketAddress localAddress() {
    return local;
  }

  @Override
  public @Nullable SocketChannel accept() throws IOException {
    return accept(Timeline.NEVER);
  }

  /// Accepts, and waits no longer than this in blocking mode.
  @Nullable SocketChannel accept(long nanos) throws IOException {
    enter();
    if (local == null) {
      throw new NotYetBoundException();
    }
    if (isBlocking()) {
      block(nanos);
    }
    TcpConnection first = listener.first();
    if (first == null) {
      return null;
    }
    SocketChannel accepted = SimulatedSocketChannel.accepted(provider(), host, first);
    listener.removeFirst();
    return accepted;
  }

  private void block(long nanos) throws IOException {
    boolean done = false;
    try {
      begin();
      requireOpen();
      if (nanos == Timeline.NEVER) {
        host.network().await(listener::hasConnection, () -> "accept: " + this);
        done = true;
      } else {
        done = host.network().runUntil(listener::hasConnection, nanos);
      }
    } finally {
      end(isOpen());
    }
    if (!done) {
      throw new SocketTimeoutException("Accept timed out");
    }
  }

  @Override
  public Endpoint endpoint() {
    return listener;
  }

  @Override
  public int ready(int bits, int interest) {
    boolean ready = Selectable.concernsAll(bits) || (bits & Endpoint.IN) != 0;
    return ready ? interest & SelectionKey.OP_ACCEPT : 0;
  }

  @Override
  protected void implConfigureBlocking(boolean block) {}

  @Override
  protected void implCloseSelectableChannel() throws IOException {
    host.network().enter();
    if (!isRegistered()) {
      kill();
    }
  }

  @Override
  public void kill() {
    if (descriptors.close()) {
      listener.close();
    }
  }

  @Override
  public String toString() {
    String state = !isOpen() ? "closed" : local == null ? "unbound" : "" + local;
    return "java.nio.channels.ServerSocketChannel[" + state + "]";
  }
}
