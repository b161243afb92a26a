package dev.rondo.io;

import dev.rondo.io.internal.channel.ChannelSelector;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;

/// Waiting for sockets: an ordinary task of the scheduler that asks a [Selector], the JDK's or one
/// upon Linux's own calls (see [Transport]), which channels are ready and puts their tasks back
/// into circulation. Its selector is also where the loop blocks when it has nothing to do: the one
/// blocking point is `select`.
///
/// It goes like this. While nobody waits for a channel the add-on's task is suspended. The first
/// waiter wakes it, and it idles. When nothing is ready to run, the loop blocks in the selector,
/// and what that finds lets its waiters advance: reads what there is to read, and makes their tasks
/// ready. While other tasks keep the loop busy this task gets a turn now and then, and polls
/// without blocking. One event costs one `select` either way.
///
/// **Time.** A `Selector` knows milliseconds only. Up to the last whole millisecond before a
/// deadline the loop blocks in `select`. The rest it parks, which is precise to what the operating
/// system's timers are (some 50 us on Linux); if somebody waits for IO it parks in slices of 50 us
/// with a poll after each. So a timer is never early nor late by a millisecond, and an event is
/// seen late by a slice at most, in the last millisecond before a deadline only.
///
/// Confined to the scheduler's thread.
public final class WaitForIO implements AddOn {

  /// How many connections may wait for a listener to accept them.
  static final int DEFAULT_BACKLOG = 1024;

  private final Reactor reactor;

  /// Installs itself as a task, and its selector as the idle strategy.
  WaitForIO(Scheduler scheduler, Selector selector, ChannelSelector.Opener opener) {
    reactor = new Reactor(scheduler, selector, opener, IoFailures.INSTANCE);
    reactor.start(scheduler.host().install(this));
  }

  /// {@return the IO add-on of a scheduler} The first call installs it. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @throws IllegalStateException if it has none and is closed
  /// @throws UnsupportedOperationException if the system property [Transport#PROPERTY] names a
  ///   transport that this JVM was not started for
  /// @throws IllegalArgumentException if it names none
  /// @throws UncheckedIOException if the system has no descriptors left; nothing is installed
  public static WaitForIO on(Scheduler scheduler) {
    WaitForIO installed = scheduler.addOn(WaitForIO.class);
    if (installed != null) {
      return installed;
    }
    Transport transport = Transport.of(scheduler);
    Selector selector;
    try {
      selector = transport.open();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open a selector: " + e.getMessage(), e);
    }
    try {
      return new WaitForIO(scheduler, selector, transport::open);
    } catch (RuntimeException e) {
      try {
        selector.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /// Sets how long one poll may block, at most. The default is for as long as nothing happens. When
  /// the time is over the loop makes a pass and blocks again. Never a suspension point.
  ///
  /// @param quanta more than zero: the loop would spin otherwise
  /// @throws IllegalArgumentException if it is not; the earlier one stands
  public void messageQuanta(Duration quanta) {
    reactor.checkThread();
    if (!quanta.isPositive()) {
      throw new IllegalArgumentException(
          "messageQuanta must be more than zero, or the loop would spin: quanta=" + quanta);
    }
    reactor.idleStrategy().maxBlock(quanta);
  }

  /// {@return how many channels are open and registered: zero when every socket and listener is
  /// closed} For leak checks. Never a suspension point.
  public int openCount() {
    reactor.checkThread();
    return reactor.registeredCount();
  }

  /// {@return how many waits for channels there are at this moment} Never a suspension point.
  public int waiterCount() {
    reactor.checkThread();
    return reactor.waitCount();
  }

  /// {@return what it asks which channels are ready} Any thread; never a suspension point.
  public Transport transport() {
    return reactor.selector().isEpoll() ? Transport.EPOLL : Transport.NIO;
  }

  // TCP.

  /// Connects to an address. If its name is not resolved yet, that happens first, see
  /// [#connect(String, int)]. A *possible* suspension point.
  ///
  /// @param address of a TCP peer
  /// @return the connected socket, its caller's to close
  /// @throws ConnectException if nobody listens there; the message has the address; nothing stays
  ///   open
  /// @throws IOException if it failed otherwise; nothing stays open
  public TcpSocket connect(SocketAddress address) throws IOException {
    if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
      return connect(inet.getHostString(), inet.getPort());
    }
    return TcpSocket.connect(reactor, address);
  }

  /// Connects to a host by whichever of its addresses answers first, see
  /// [WaitForName#connect(String, int)]; its name is looked up on another thread. A *possible*
  /// suspension point; *always* one if the host is not given by a numeric address, which is
  /// connected to at once.
  ///
  /// @param host a name or a numeric IPv4 or IPv6 address
  /// @param port from 1 to 65535
  /// @return the connected socket, its caller's to close
  /// @throws UnknownHostException if there is no such host
  /// @throws ConnectException if nobody listens there; the message has the address; nothing stays
  ///   open
  /// @throws IOException if all addresses failed otherwise: the last failure, those before
  ///   suppressed; nothing stays open
  /// @throws IllegalArgumentException if the port is out of range, or the name blank
  public TcpSocket connect(String host, int port) throws IOException {
    return WaitForName.on(reactor.scheduler()).connect(host, port);
  }

  /// Listens for TCP connections on a port of every interface. Never a suspension point.
  ///
  /// @param port from 1 to 65535; 0 for any that is free, see [TcpListener#localAddress()]
  /// @return the listener, its caller's to close
  /// @throws java.net.BindException if the port is in use or not allowed; the message has it
  /// @throws IOException if it failed otherwise; nothing stays open
  public TcpListener listen(int port) throws IOException {
    return listen(new InetSocketAddress(port), DEFAULT_BACKLOG);
  }

  /// [#listen(int)] on one address.
  ///
  /// @param address resolved
  /// @return the listener, its caller's to close
  /// @throws IllegalArgumentException if the address is not resolved
  /// @throws IOException as [#listen(int)] does
  public TcpListener listen(SocketAddress address) throws IOException {
    return listen(address, DEFAULT_BACKLOG);
  }

  /// [#listen(SocketAddress)] with a limit on the connections that wait to be accepted.
  ///
  /// @param address resolved
  /// @param backlog how many, at least one; the system may have a limit of its own
  /// @return the listener, its caller's to close
  /// @throws IllegalArgumentException if the address is not resolved, or the backlog less than one
  /// @throws IOException as [#listen(int)] does
  public TcpListener listen(SocketAddress address, int backlog) throws IOException {
    reactor.checkThread();
    return TcpListener.open(reactor, address, backlog);
  }

  // Any channel.

  /// {@return a channel having something to read, or being at its end} One task at a time can await
  /// this, or any other operation inward.
  ///
  /// @param <C> the kind of channel
  /// @param channel in non-blocking mode; to be closed with [#close(SelectableChannel)] from now on
  /// @throws IllegalStateException if the channel is in blocking mode
  /// @throws IllegalArgumentException if it knows no such operation
  public <C extends SelectableChannel> Waitable<C> readable(C channel) {
    return ready(channel, SelectionKey.OP_READ);
  }

  /// {@return a channel taking something to write} One task at a time can await this, or any other
  /// operation outward.
  ///
  /// @param <C> the kind of channel
  /// @param channel in non-blocking mode; to be closed with [#close(SelectableChannel)] from now on
  /// @throws IllegalStateException if the channel is in blocking mode
  /// @throws IllegalArgumentException if it knows no such operation
  public <C extends SelectableChannel> Waitable<C> writable(C channel) {
    return ready(channel, SelectionKey.OP_WRITE);
  }

  /// {@return a listening channel having a connection to accept} As [#readable].
  ///
  /// @param <C> the kind of channel
  /// @param channel in non-blocking mode; to be closed with [#close(SelectableChannel)] from now on
  /// @throws IllegalStateException if the channel is in blocking mode
  /// @throws IllegalArgumentException if it knows no such operation
  public <C extends SelectableChannel> Waitable<C> acceptable(C channel) {
    return ready(channel, SelectionKey.OP_ACCEPT);
  }

  /// {@return a connecting channel having an answer from its peer, to be told by `finishConnect`}
  /// As [#writable].
  ///
  /// @param <C> the kind of channel
  /// @param channel in non-blocking mode; to be closed with [#close(SelectableChannel)] from now on
  /// @throws IllegalStateException if the channel is in blocking mode
  /// @throws IllegalArgumentException if it knows no such operation
  public <C extends SelectableChannel> Waitable<C> connectable(C channel) {
    return ready(channel, SelectionKey.OP_CONNECT);
  }

  private <C extends SelectableChannel> Waitable<C> ready(C channel, int operation) {
    reactor.checkThread();
    return reactor.ready(channel, operation);
  }

  /// Closes a channel that was awaited here: whoever waits is told with a [ChannelClosedException]
  /// at once, which its own `close` cannot do. Never a suspension point.
  ///
  /// @param channel any; nothing happens if it is closed already
  /// @throws IOException if closing fails; it counts as closed all the same
  public void close(SelectableChannel channel) throws IOException {
    reactor.checkThread();
    reactor.close(channel);
  }

  // The task.

  /// Polls, if that is due, and lets the waiters of the channels that were found advance.
  @Override
  public StepResult turn(StepTask<Void> self) throws IOException {
    return reactor.turn(self);
  }

  /// Closes whatever is still registered, and the selector.
  @Override
  public void close() throws IOException {
    reactor.close();
  }

  /// For the sockets of this package.
  Reactor reactor() {
    return reactor;
  }
}
