package dev.rondo.netty;

import dev.rondo.io.Transport;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Netty on the loop of a scheduler: its event loop runs on the scheduler's thread, which blocks in
/// Netty's transport when no task is ready. Channels, handlers and codecs are Netty's own; a task
/// waits for any Netty future, and receives and sends the messages of a [NettyChannel].
///
/// **Where handlers run.** On the scheduler's thread, outside of tasks: while the loop sleeps, in
/// its passes while tasks are busy, and within `send` and `close`. A handler must not suspend: an
/// attempt fails with an [IllegalStateException]. It may spawn tasks and fire what tasks wait for.
///
/// **Time.** Netty's timers, such as the timer of an `IdleStateHandler` or of a connect timeout,
/// follow the scheduler's ticker. A virtual clock drives them too.
///
/// **Together with sockets of [WaitForIO].** The loop blocks in the source that tasks wait for. If
/// tasks wait for both, a helper thread waits for the sockets of the IO add-on, and each sleep
/// costs two hand-overs, some 30 us.
///
/// **Threads.** On the CONTINUATION and HANDOFF backends a task writes at once. On BOUND, where
/// tasks have threads of their own, each write is handed to the loop, as Netty does on a foreign
/// thread. Netty's buffer pools are fast only on a `FastThreadLocalThread`, so let the scheduler
/// run on such a thread.
///
/// While a channel is open the scheduler is not deadlocked, because handlers may wake any task. An
/// open channel does not keep the scheduler running. Closing the scheduler closes all channels.
///
/// Confined to the scheduler's thread.
public final class WaitForNetty implements AddOn {

  final Scheduler scheduler;
  final AddOnHost host;
  private final NettyTransport transport;
  private final TransportParts parts;
  private final NettyEvents events;
  private final Connections connections;

  private WaitForNetty(
      Scheduler scheduler,
      NettyTransport transport,
      TransportParts parts,
      @Nullable CapturingProvider simulation) {
    this.scheduler = scheduler;
    this.host = scheduler.host();
    this.transport = transport;
    this.parts = parts;
    this.events = new NettyEvents(scheduler, parts, simulation);
    this.connections = new Connections(this, events);
  }

  /// {@return the Netty add-on of a scheduler} The first call installs it, with the transport that
  /// the system property [NettyTransport#PROPERTY] names, or the best one. If the scheduler's IO
  /// add-on has a provider of channels, such as a simulated host, the transport is NIO with that
  /// provider. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @throws IllegalStateException if the scheduler has none and is closed, or runs on the event
  ///   loop of a user interface
  /// @throws UnsupportedOperationException if the property names a transport that this JVM cannot
  ///   use
  /// @throws IllegalArgumentException if it names none
  public static WaitForNetty on(Scheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    WaitForNetty installed = scheduler.host().addOn(WaitForNetty.class);
    return installed != null ? installed : installed(scheduler, null);
  }

  /// Installs the Netty add-on with a transport. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @param transport of the event loop
  /// @return the add-on, which [#on(Scheduler)] returns from now on
  /// @throws IllegalStateException as [#on(Scheduler)] does, or if the scheduler has one already
  /// @throws UnsupportedOperationException if this JVM cannot use the transport, or the scheduler
  ///   runs on a virtual thread, where there is NIO only
  public static WaitForNetty on(Scheduler scheduler, NettyTransport transport) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    Objects.requireNonNull(transport, "transport is null");
    String why = transport.whyNot();
    if (why != null) {
      throw new UnsupportedOperationException("there is no transport " + transport + ": " + why);
    }
    if (transport != NettyTransport.NIO && isOnVirtualThread(scheduler.host())) {
      throw new UnsupportedOperationException(
          ("the transport %s requires a loop on a platform thread, and this one's is virtual: its"
               + " waits would keep the carrier from all other virtual threads, and a ring of"
               + " io_uring belongs to one carrier; use NIO, or build the scheduler on a platform"
               + " thread")
              .formatted(transport));
    }
    return installed(scheduler, transport);
  }

  /// Whether the loop's own thread is a virtual thread. The caller may run on any thread. Only a
  /// backend whose tasks have other threads allows a virtual loop thread.
  private static boolean isOnVirtualThread(AddOnHost host) {
    return !LoopControl.of(host).backend().mountsOnLoopThread()
        && TaskControl.of(host).offStack(() -> Thread.currentThread().isVirtual());
  }

  private static WaitForNetty installed(Scheduler scheduler, @Nullable NettyTransport wanted) {
    WaitForIO io = scheduler.host().addOn(WaitForIO.class);
    WaitForNetty netty;
    if (wanted == null && io != null && io.transport() == Transport.PROVIDED) {
      var selectors = new CapturingProvider(io.provider());
      netty =
          new WaitForNetty(
              scheduler,
              NettyTransport.NIO,
              TransportParts.nio(selectors, io.provider()),
              selectors);
    } else {
      NettyTransport transport = wanted == null ? NettyTransport.of(scheduler) : wanted;
      netty = new WaitForNetty(scheduler, transport, transport.parts(), null);
    }
    netty.events.start(scheduler.host().install(netty));
    return netty;
  }

  // Futures.

  /// {@return a wait for a Netty future of any event loop} It results in the future's value, or
  /// fails with its cause, which is a [java.util.concurrent.CancellationException] if the future
  /// was cancelled. A wait that is given up leaves the future as it is.
  ///
  /// @param <T> its value
  /// @param future completed by this event loop or on any thread
  public <T extends @Nullable Object> Waitable<T> waitable(Future<T> future) {
    Objects.requireNonNull(future, "future is null");
    return new FutureWait<>(events, future, false);
  }

  /// {@return [#waitable(Future)] that cancels the future when the last wait is given up: its task
  /// is cancelled, times out, or another branch is taken} If the future cannot be cancelled, its
  /// value is closed when it comes: a channel is closed, a reference-counted object is released,
  /// and another [AutoCloseable] is closed on another thread.
  ///
  /// @param <T> its value
  /// @param future completed by this event loop or on any thread
  public <T extends @Nullable Object> Waitable<T> cancelling(Future<T> future) {
    Objects.requireNonNull(future, "future is null");
    return new FutureWait<>(events, future, true);
  }

  /// Waits for a Netty future; see [#waitable(Future)]. A *possible* suspension point.
  ///
  /// @param <T> its value
  /// @param future completed by this event loop or on any thread
  /// @return its value
  /// @throws IOException the future's failure; it may be any other exception as well
  public <T extends @Nullable Object> T await(Future<T> future) throws IOException {
    return host.awaitEvent(waitable(future));
  }

  // Connections.

  /// Connects to an address. A *possible* suspension point. On any failure, a cancellation
  /// included, the channel is closed. If the peer ends its direction, the channel stays open: see
  /// [ChannelOption#ALLOW_HALF_CLOSURE].
  ///
  /// @param address resolved: Netty would block the loop to look a name up
  /// @param handler the first of the pipeline, usually a `ChannelInitializer`
  /// @return the connected channel, which the caller closes
  /// @throws IllegalArgumentException if the address is not resolved
  /// @throws IOException if it failed
  public NettyChannel connect(SocketAddress address, ChannelHandler handler) throws IOException {
    return host.awaitEvent(connecting(address, handler));
  }

  /// {@return a wait that connects to an address, as [#connect(SocketAddress, ChannelHandler)], to
  /// be awaited with a limit or as a branch of a choice} It begins when the wait is armed, and
  /// results in the connected channel, which the caller closes. If the branch is not taken, the
  /// channel is closed.
  ///
  /// @param address resolved
  /// @param handler the first of the pipeline, usually a `ChannelInitializer`
  public Waitable<NettyChannel> connecting(SocketAddress address, ChannelHandler handler) {
    Objects.requireNonNull(handler, "handler is null");
    return connecting(
        bootstrap().option(ChannelOption.ALLOW_HALF_CLOSURE, true).handler(handler), address);
  }

  /// {@return [#connecting(SocketAddress, ChannelHandler)] with options}
  ///
  /// @param bootstrap made by [#bootstrap()], with a handler
  /// @param address resolved
  public Waitable<NettyChannel> connecting(Bootstrap bootstrap, SocketAddress address) {
    Objects.requireNonNull(bootstrap, "bootstrap is null");
    Objects.requireNonNull(address, "address is null");
    return connections.connecting(bootstrap, address);
  }

  /// Listens on an address. A *possible* suspension point. If a peer ends its direction, its
  /// channel stays open, so that it can be answered: see [ChannelOption#ALLOW_HALF_CLOSURE].
  ///
  /// @param address resolved; port 0 for any free one, see [NettyListener#localAddress()]
  /// @param handler the first in the pipeline of each connection, usually a `ChannelInitializer`;
  ///   any other handler must be sharable
  /// @return the listener, which the caller closes
  /// @throws IOException if the port is in use or not allowed
  public NettyListener listen(SocketAddress address, ChannelHandler handler) throws IOException {
    Objects.requireNonNull(handler, "handler is null");
    return listen(
        serverBootstrap().childOption(ChannelOption.ALLOW_HALF_CLOSURE, true).childHandler(handler),
        address);
  }

  /// [#listen(SocketAddress, ChannelHandler)] with options. A *possible* suspension point.
  ///
  /// @param bootstrap made by [#serverBootstrap()], with a handler of connections
  /// @param address resolved
  /// @return the listener, which the caller closes
  /// @throws IOException if the port is in use or not allowed
  public NettyListener listen(ServerBootstrap bootstrap, SocketAddress address) throws IOException {
    Objects.requireNonNull(bootstrap, "bootstrap is null");
    Objects.requireNonNull(address, "address is null");
    return connections.listen(bootstrap, address);
  }

  /// Takes over a channel that was made elsewhere: an HTTP/2 stream, a datagram channel, the
  /// connection of a library. Tasks receive its messages from now on. Never a suspension point.
  ///
  /// @param channel registered with [#group()]
  /// @return the channel, which the caller closes
  /// @throws IllegalArgumentException if the channel belongs to another event loop
  public NettyChannel channel(Channel channel) {
    Objects.requireNonNull(channel, "channel is null");
    return connections.adopt(channel);
  }

  /// {@return a bootstrap of clients with this event loop and its transport} For options.
  public Bootstrap bootstrap() {
    Bootstrap made =
        new Bootstrap().group(events.group()).channelFactory(events.noted(parts.sockets()));
    ByteBufAllocator allocator = events.readAllocator();
    return allocator == null ? made : made.option(ChannelOption.ALLOCATOR, allocator);
  }

  /// {@return a bootstrap of servers with this event loop and its transport} For options.
  public ServerBootstrap serverBootstrap() {
    ServerBootstrap made =
        new ServerBootstrap()
            .group(events.group())
            .channelFactory(events.noted(parts.listeners()))
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new ServerChannelRecvByteBufAllocator()
                    .respectMaybeMoreData(false) // on epoll Netty would accept one at a time
                    .maxMessagesPerRead(NettyListener.MOST_AT_ONCE));
    ByteBufAllocator allocator = events.readAllocator();
    return allocator == null ? made : made.childOption(ChannelOption.ALLOCATOR, allocator);
  }

  /// {@return the option of a [#serverBootstrap()] with which several loops listen on one port, and
  /// the system distributes the connections} `SO_REUSEPORT`, which Linux has. Any thread; never a
  /// suspension point.
  public ChannelOption<Boolean> reusePort() {
    return parts.reusePort();
  }

  /// {@return the group of this event loop, for libraries that take a group} It cannot be shut
  /// down. Any thread; never a suspension point.
  public IoEventLoopGroup group() {
    return events.group();
  }

  /// {@return the transport of the event loop} Any thread; never a suspension point.
  public NettyTransport transport() {
    return transport;
  }

  /// {@return the number of open channels, including listening channels} For leak checks. Never a
  /// suspension point.
  public int openCount() {
    host.checkThread();
    return events.openCount();
  }

  /// {@return the number of tasks' waits for Netty at present} Never a suspension point.
  public int waiterCount() {
    host.checkThread();
    return events.taskWaits();
  }

  // The task.

  @Override
  public StepResult turn(StepTask<Void> self) {
    return events.turn(self);
  }

  /// Flushes what tasks have written, because Netty does not poll before the next run.
  @Override
  public boolean beginLastLook(boolean again) {
    return events.flush();
  }

  /// Reports the number of open channels, including HTTP/2 streams, and the number of waits.
  @Override
  public void describe(AddOnReport report) {
    Objects.requireNonNull(report, "report is null");
    report.gauge("netty.channels", events.openCount()).gauge("netty.waits", events.taskWaits());
  }

  /// Closes all channels that are still open, and the event loop.
  @Override
  public void close() {
    events.close();
  }

  NettyEvents events() {
    return events;
  }
}
