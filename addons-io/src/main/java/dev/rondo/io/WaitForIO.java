package dev.rondo.io;

import dev.rondo.io.internal.channel.ChannelSelector;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.io.internal.lent.LoopAccess;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.ReportText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.Objects;

/// Waiting for sockets: an ordinary task of the scheduler. It asks a [Selector], the JDK's or one
/// that uses Linux's own calls (see [Transport]), which channels are ready, and resumes the tasks
/// that wait for them. The loop blocks in the same selector when it has nothing to do: `select` is
/// the only blocking point.
///
/// At first the add-on's task is suspended. The first wait for a channel wakes it, and it idles.
/// When no task is ready, the loop blocks in the selector. Each channel that the selector finds
/// lets its waits advance: they read what there is to read, and make their tasks ready. While other
/// tasks keep the loop busy, this task has a turn now and then and polls without blocking. One
/// event costs one `select` either way. The task goes on idling between waits. It suspends when the
/// loop is about to block while no task waits for a channel.
///
/// **Time.** A timer is never early. It is as late as the operating system's timers (some 50 us on
/// Linux). A near deadline does not delay an event. On the EPOLL transport the system counts in
/// nanoseconds. A `Selector` counts in milliseconds, so the loop blocks in `select` until the last
/// whole millisecond before a deadline. Then it parks. If a task waits for IO, it blocks in
/// `select` instead, and a daemon thread, `rondo-alarm`, wakes it. For the last 50 us it always
/// parks.
///
/// Confined to the scheduler's thread.
public final class WaitForIO implements AddOn {

  static {
    LoopAccess.is(scheduler -> {
      WaitForIO io = scheduler.host().addOn(WaitForIO.class);
      return io == null ? null : io.reactor;
    });
  }

  /// How many connections may wait for a listener to accept them.
  static final int DEFAULT_BACKLOG = 1024;

  private final Reactor reactor;

  /// Installs itself as a task, and its selector as the idle strategy.
  WaitForIO(Scheduler scheduler, Selector selector, ChannelSelector.Opener opener) {
    this(scheduler, SelectorProvider.provider(), selector, opener);
  }

  private WaitForIO(
      Scheduler scheduler,
      SelectorProvider provider,
      Selector selector,
      ChannelSelector.Opener opener) {
    reactor = new Reactor(scheduler, provider, selector, opener, IoFailures.INSTANCE);
    reactor.start(scheduler.host().install(this));
  }

  /// {@return the IO add-on of a scheduler} The first call installs it. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @throws IllegalStateException if the scheduler has none and is closed
  /// @throws UnsupportedOperationException if the system property [Transport#PROPERTY] names a
  ///   transport for which this JVM lacks flags
  /// @throws IllegalArgumentException if that property names no transport
  /// @throws UncheckedIOException if the system has no descriptors left; nothing is installed
  public static WaitForIO on(Scheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    WaitForIO installed = scheduler.host().addOn(WaitForIO.class);
    if (installed != null) {
      return installed;
    }
    Transport transport = Transport.of(scheduler);
    return open(scheduler, SelectorProvider.provider(), transport::open);
  }

  /// Installs the IO add-on with the channels and selectors of a provider, such as a simulated
  /// host. The provider opens the add-on's sockets, listeners and pipes; programs open their own
  /// channels with it, too, see [#provider()]. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @param provider opens everything
  /// @return the add-on, which [#on(Scheduler)] returns from now on
  /// @throws IllegalStateException if the scheduler has an IO add-on already, or is closed
  /// @throws UncheckedIOException if the provider cannot open a selector; nothing is installed
  public static WaitForIO on(Scheduler scheduler, SelectorProvider provider) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    Objects.requireNonNull(provider, "provider is null");
    if (scheduler.host().addOn(WaitForIO.class) != null) {
      throw new IllegalStateException(
          "the scheduler has IO already; install a provider before IO is first used");
    }
    return open(scheduler, provider, provider::openSelector);
  }

  private static WaitForIO open(
      Scheduler scheduler, SelectorProvider provider, ChannelSelector.Opener opener) {
    Selector selector;
    try {
      selector = opener.open();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open a selector: " + e.getMessage(), e);
    }
    try {
      return new WaitForIO(scheduler, provider, selector, opener);
    } catch (RuntimeException e) {
      try {
        selector.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /// Limits how long one poll may block. There is no limit by default. When the time is over, the
  /// loop makes a pass and blocks again. Never a suspension point.
  ///
  /// @param quanta more than zero, because the loop would spin otherwise
  /// @throws IllegalArgumentException if `quanta` is zero or negative; the earlier limit stays
  public void messageQuanta(Duration quanta) {
    Objects.requireNonNull(quanta, "quanta is null");
    reactor.checkThread();
    if (!quanta.isPositive()) {
      throw new IllegalArgumentException(
          "messageQuanta must be more than zero, or the loop would spin: quanta="
              + ReportText.duration(quanta));
    }
    reactor.idleStrategy().maxBlock(quanta);
  }

  /// {@return the transport of this scheduler} Any thread; never a suspension point.
  public Transport transport() {
    if (reactor.provider() != SelectorProvider.provider()) {
      return Transport.PROVIDED;
    }
    return reactor.selector().isEpoll() ? Transport.EPOLL : Transport.NIO;
  }

  /// {@return the provider that opens the channels of this scheduler} For channels of a program's
  /// own. Any thread; never a suspension point.
  public SelectorProvider provider() {
    return reactor.provider();
  }

  // TCP.

  /// Connects to an address. An address that is not resolved is resolved first, see
  /// [#connect(String, int)]. A *possible* suspension point.
  ///
  /// @param address of a TCP peer
  /// @return the connected socket, which the caller closes
  /// @throws ConnectException if nothing listens there; the message has the address; nothing stays
  ///   open
  /// @throws IOException if it fails otherwise; nothing stays open
  public TcpSocket connect(SocketAddress address) throws IOException {
    if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
      return connect(inet.getHostString(), inet.getPort());
    }
    return TcpSocket.connect(reactor, address, SocketOptions.NONE);
  }

  /// Connects to an address, with socket options. A *possible* suspension point.
  ///
  /// @param address of a TCP peer, resolved
  /// @param options set before it connects
  /// @return the connected socket, which the caller closes
  /// @throws UnsupportedOperationException if sockets have no such option; nothing stays open
  /// @throws IllegalArgumentException if an option does not take its value, or the address is not
  ///   resolved; nothing stays open
  /// @throws IOException as [#connect(SocketAddress)] does
  public TcpSocket connect(SocketAddress address, SocketOptions options) throws IOException {
    return TcpSocket.connect(reactor, address, options);
  }

  /// {@return a wait that connects to an address, as [#connect(SocketAddress)], to be awaited with
  /// a limit or as a branch of a choice} The wait returns the connected socket, which the caller
  /// closes. If the branch is not taken, nothing stays open.
  ///
  /// @param address of a TCP peer, resolved; the wait fails with an [IllegalArgumentException] if
  ///   it is not
  public Waitable<TcpSocket> connecting(SocketAddress address) {
    return TcpSocket.connecting(reactor, address);
  }

  /// Connects to a host by the address that answers first, see [WaitForName]. Its name is looked up
  /// on another thread. *Always* a suspension point, unless the host is numeric; a *possible* one
  /// then.
  ///
  /// @param host a name or a numeric IPv4 or IPv6 address
  /// @param port from 1 to 65535
  /// @return the connected socket, which the caller closes
  /// @throws UnknownHostException if there is no such host
  /// @throws ConnectException if nothing listens there; the message has the address; nothing stays
  ///   open
  /// @throws IOException if all addresses failed otherwise: the last failure, with the earlier ones
  ///   suppressed; nothing stays open
  /// @throws IllegalArgumentException if the port is out of range, or the name blank
  public TcpSocket connect(String host, int port) throws IOException {
    Objects.requireNonNull(host, "host is null");
    return WaitForName.on(reactor.scheduler()).connect(host, port);
  }

  /// Listens for TCP connections on a port of every interface. Never a suspension point.
  ///
  /// @param port from 1 to 65535; 0 for any free port, see [TcpListener#localAddress()]
  /// @return the listener, which the caller closes
  /// @throws java.net.BindException if the port is in use or not allowed; the message names it
  /// @throws IOException if it fails otherwise; nothing stays open
  /// @throws IllegalArgumentException if the port is out of range
  public TcpListener listen(int port) throws IOException {
    return listen(new InetSocketAddress(port));
  }

  /// [#listen(int)] on one address.
  ///
  /// @param address resolved
  /// @return the listener, which the caller closes
  /// @throws IllegalArgumentException if the address is not resolved
  /// @throws IOException as [#listen(int)] does
  public TcpListener listen(SocketAddress address) throws IOException {
    return listen(address, DEFAULT_BACKLOG, SocketOptions.NONE);
  }

  /// [#listen(SocketAddress)] with a limit on the connections that wait to be accepted, and with
  /// options that the socket has before it is bound.
  ///
  /// @param address resolved
  /// @param backlog how many, at least one; the system may allow fewer
  /// @param options `SO_REUSEPORT` for instance, with which several listeners share a port
  /// @return the listener, which the caller closes
  /// @throws UnsupportedOperationException if listeners have no such option; nothing stays open
  /// @throws IllegalArgumentException if the address is not resolved, the backlog less than one, or
  ///   an option does not take its value; nothing stays open
  /// @throws IOException as [#listen(int)] does
  public TcpListener listen(SocketAddress address, int backlog, SocketOptions options)
      throws IOException {
    Objects.requireNonNull(address, "address is null");
    Objects.requireNonNull(options, "options is null");
    reactor.checkThread();
    return TcpListener.open(reactor, address, backlog, options);
  }

  /// Adopts a connection that was accepted elsewhere: by another scheduler's listener, or by the
  /// program that has started this one. The connection belongs to the returned socket from now on.
  /// Never a suspension point.
  ///
  /// @param connection connected, and registered with no selector
  /// @return the socket, which the caller closes
  /// @throws IllegalArgumentException if the connection has another provider, see [#provider()], is
  ///   not connected, or is registered with a selector, as another socket's channel is; the
  ///   connection stays open
  /// @throws ChannelClosedException if the connection is closed
  /// @throws IOException if the peer is gone already; the connection is closed
  public TcpSocket adopt(SocketChannel connection) throws IOException {
    Objects.requireNonNull(connection, "connection is null");
    reactor.checkThread();
    if (connection.provider() != reactor.provider()) {
      throw new IllegalArgumentException(
          "the connection has another provider than this scheduler: connection=%s, provider=%s, required=%s"
              .formatted(connection, connection.provider(), reactor.provider()));
    }
    if (!connection.isOpen()) {
      throw new ChannelClosedException("adopt " + connection + ": it is closed");
    }
    if (connection.isRegistered()) {
      throw new IllegalArgumentException(
          "the connection is registered with a selector: connection=" + connection);
    }
    if (!connection.isConnected()) {
      throw new IllegalArgumentException(
          "the connection must be connected: connection=" + connection);
    }
    return TcpSocket.of(reactor, connection).openedHere();
  }

  // Any channel.

  /// {@return a wait until a channel has something to read, or is at its end} One task at a time
  /// can wait to read or accept.
  ///
  /// @param <C> the kind of channel
  /// @param channel in non-blocking mode; to be closed with [#close(SelectableChannel)]
  /// @throws IllegalStateException if the channel is in blocking mode
  /// @throws IllegalArgumentException if the channel has no such operation
  public <C extends SelectableChannel> Waitable<C> readable(C channel) {
    return ready(channel, SelectionKey.OP_READ);
  }

  /// {@return a wait until a channel accepts something to write} One task at a time can wait to
  /// write or connect.
  ///
  /// @param <C> the kind of channel
  /// @param channel in non-blocking mode; to be closed with [#close(SelectableChannel)]
  /// @throws IllegalStateException if the channel is in blocking mode
  /// @throws IllegalArgumentException if the channel has no such operation
  public <C extends SelectableChannel> Waitable<C> writable(C channel) {
    return ready(channel, SelectionKey.OP_WRITE);
  }

  /// {@return a wait until a listening channel has a connection to accept} As [#readable].
  ///
  /// @param <C> the kind of channel
  /// @param channel in non-blocking mode; to be closed with [#close(SelectableChannel)]
  /// @throws IllegalStateException if the channel is in blocking mode
  /// @throws IllegalArgumentException if the channel has no such operation
  public <C extends SelectableChannel> Waitable<C> acceptable(C channel) {
    return ready(channel, SelectionKey.OP_ACCEPT);
  }

  /// {@return a wait until a connecting channel has an answer from its peer, which `finishConnect`
  /// returns} As [#writable].
  ///
  /// @param <C> the kind of channel
  /// @param channel in non-blocking mode; to be closed with [#close(SelectableChannel)]
  /// @throws IllegalStateException if the channel is in blocking mode
  /// @throws IllegalArgumentException if the channel has no such operation
  public <C extends SelectableChannel> Waitable<C> connectable(C channel) {
    return ready(channel, SelectionKey.OP_CONNECT);
  }

  private <C extends SelectableChannel> Waitable<C> ready(C channel, int operation) {
    Objects.requireNonNull(channel, "channel is null");
    reactor.checkThread();
    return reactor.ready(channel, operation);
  }

  /// Closes a channel that was awaited here. Waits on it fail with a [ChannelClosedException] at
  /// once, and the descriptor is free in the next round. After the channel's own `close`, which any
  /// thread may call, both happen soon. Never a suspension point.
  ///
  /// @param channel any; nothing happens if it is closed already
  /// @throws IOException if closing fails; it counts as closed all the same
  public void close(SelectableChannel channel) throws IOException {
    Objects.requireNonNull(channel, "channel is null");
    reactor.checkThread();
    reactor.close(channel);
  }

  // The task.

  /// Polls if that is due, and lets the waits on ready channels advance.
  @Override
  public StepResult turn(StepTask<Void> self) throws IOException {
    return reactor.turn(self);
  }

  /// Closes all channels that are still open, and the selector.
  @Override
  public void close() throws IOException {
    reactor.close();
  }

  /// For the sockets of this package.
  Reactor reactor() {
    return reactor;
  }
}
