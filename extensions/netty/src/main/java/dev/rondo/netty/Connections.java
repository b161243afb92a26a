package dev.rondo.netty;

import dev.rondo.netty.OpenNettyChannel.Accepted;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Opens the channels of the add-on.
///
/// Confined to the scheduler's thread.
final class Connections {

  private final WaitForNetty netty;
  private final NettyEvents events;

  Connections(WaitForNetty netty, NettyEvents events) {
    this.netty = netty;
    this.events = events;
  }

  /// A pipeline with the user's handlers first and the add-on's last.
  private ChannelInitializer<Channel> pipeline(
      @Nullable ChannelHandler first, Function<Channel, Object> name, Consumer<NettyChannel> made) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        if (first != null) {
          channel.pipeline().addLast(first);
        }
        made.accept(new LoopChannel(netty, events, channel, name.apply(channel)));
      }
    };
  }

  /// Whether Netty may read on while no task receives. To stop and begin again would cost two
  /// system calls on epoll for each message. Netty must not read on if it closes the channel when
  /// the peer ends its direction: the close would come before a task has received the last
  /// messages.
  static boolean mayReadAhead(Channel channel) {
    return Boolean.TRUE.equals(channel.config().getOption(ChannelOption.ALLOW_HALF_CLOSURE));
  }

  Waitable<NettyChannel> connecting(Bootstrap bootstrap, SocketAddress address) {
    if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
      throw new IllegalArgumentException(
          "the address is not resolved, and Netty would block the loop to look it up: use"
              + " WaitForName, or a resolver of Netty's; address="
              + address);
    }
    return Waitable.guard(() -> new Connecting(bootstrap, address));
  }

  /// One attempt to connect, for one wait.
  private final class Connecting implements Waitable<NettyChannel>, ChannelFutureListener {

    private final Bootstrap bootstrap;
    private final SocketAddress address;
    private @Nullable NettyChannel channel;
    private @Nullable ChannelFuture connected;

    /// Null when the wait is over.
    private @Nullable Waiter<? super NettyChannel> waiting;

    Connecting(Bootstrap bootstrap, SocketAddress address) {
      this.bootstrap = bootstrap;
      this.address = address;
    }

    @Override
    public void arm(Waiter<? super NettyChannel> waiter) {
      waiting = waiter;
      events.waitBegun();
      Bootstrap own =
          bootstrap
              .clone()
              .option(ChannelOption.AUTO_READ, false)
              .handler(
                  pipeline(
                      bootstrap.config().handler(),
                      _ -> "connection to " + OpenNettyChannel.text(address),
                      made -> channel = made));
      events.soon(() -> begin(own));
    }

    private void begin(Bootstrap own) {
      if (waiting == null) {
        return; // given up meanwhile
      }
      ChannelFuture begun = own.connect(address);
      connected = begun;
      begun.addListener(this);
    }

    /// On the loop's thread. If no channel could be made, on a thread of Netty's.
    @Override
    public void operationComplete(ChannelFuture done) {
      events.onLoop(() -> completed(done));
    }

    private void completed(ChannelFuture done) {
      Waiter<? super NettyChannel> waiter = waiting;
      waiting = null;
      boolean taken = false;
      NettyChannel made = channel;
      if (waiter != null) {
        events.waitEnded();
        if (done.isSuccess() && made != null) {
          taken = waiter.fire(made);
        } else {
          boolean _ = waiter.fail(NettyFailures.ofConnect(address, done.cause()));
        }
      }
      if (!taken) {
        closeIfMade(done);
      }
    }

    @Override
    public void disarm(Waiter<? super NettyChannel> waiter) {
      if (waiting == null) {
        return;
      }
      waiting = null;
      events.waitEnded();
      ChannelFuture begun = connected;
      if (begun != null) {
        events.soon(() -> closeIfMade(begun));
      }
    }

    @Override
    public Scheduler scheduler() {
      return netty.scheduler;
    }

    @Override
    public String toString() {
      return "connect to " + address;
    }
  }

  NettyListener listen(ServerBootstrap bootstrap, SocketAddress address) throws IOException {
    var listener = new NettyListener(netty, events);
    ServerBootstrap own =
        bootstrap
            .clone()
            .option(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.AUTO_READ, false)
            .handler(new ListenerInitializer(bootstrap.config().handler(), listener))
            .childHandler(
                pipeline(
                    bootstrap.config().childHandler(),
                    Accepted::of,
                    made -> arriving(made, listener)));
    ChannelFuture bound = events.outsideOfTasks(() -> own.bind(address));
    try {
      netty.await(bound);
    } catch (Throwable e) {
      events.outsideOfTasks(() -> closeIfMade(bound));
      if (e instanceof ChannelException broken) {
        throw NettyFailures.unmade("listen at " + address, broken);
      }
      throw e;
    }
    listener.bound(bound.channel());
    return listener;
  }

  /// A channel that could not be made, for want of descriptors for instance, has no event loop.
  private static @Nullable ChannelFuture closeIfMade(ChannelFuture opened) {
    Channel channel = opened.channel();
    return channel.isRegistered() ? channel.close() : null;
  }

  private static final class ListenerInitializer extends ChannelInitializer<Channel> {

    private final @Nullable ChannelHandler first;
    private final NettyListener listener;

    ListenerInitializer(@Nullable ChannelHandler first, NettyListener listener) {
      this.first = first;
      this.listener = listener;
    }

    @Override
    protected void initChannel(Channel channel) {
      if (first != null) {
        channel.pipeline().addLast(first);
      }
      channel.pipeline().addLast(listener.handler());
    }
  }

  /// Hands an accepted connection to its listener when it is active, which is mostly at once.
  private static void arriving(NettyChannel made, NettyListener listener) {
    if (made.channel().isActive()) {
      listener.connected(made);
    } else {
      made.channel().pipeline().addLast(new WhenActive(made, listener));
    }
  }

  /// Waits until an accepted connection is active.
  private static final class WhenActive extends ChannelInboundHandlerAdapter {

    private final NettyChannel connection;
    private final NettyListener listener;

    WhenActive(NettyChannel connection, NettyListener listener) {
      this.connection = connection;
      this.listener = listener;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      if (context.channel().isActive()) {
        arrived(context);
      }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      context.fireChannelActive();
      arrived(context);
    }

    private void arrived(ChannelHandlerContext context) {
      context.pipeline().remove(this);
      listener.connected(connection);
    }
  }

  NettyChannel adopt(Channel channel) {
    if (channel.eventLoop() != events.group().loop()) {
      throw new IllegalArgumentException(
          "the channel is of another event loop: register it with WaitForNetty.group(); channel="
              + channel);
    }
    if (OpenNettyChannel.isListed(channel)) {
      events.opening(channel); // a stream opens and closes with its connection
    }
    return new LoopChannel(netty, events, channel, null);
  }
}
