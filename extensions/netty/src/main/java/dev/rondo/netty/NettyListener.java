package dev.rondo.netty;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A listening Netty channel: a source of connections. Netty accepts only while a task waits for a
/// connection, up to 16 at a time. All other connections wait in the system's backlog.
///
/// Confined to the scheduler's thread. Made by [WaitForNetty#listen].
public final class NettyListener implements AutoCloseable {

  /// How many connections Netty accepts at a time; Netty's own default for NIO.
  static final int MOST_AT_ONCE = 16;

  private final WaitForNetty netty;
  private final NettyEvents events;
  private final Accepting accepting;

  /// Connections that were accepted together with others, and that no task has taken.
  private final ArrayDeque<NettyChannel> accepted = new ArrayDeque<>();

  private @Nullable Channel channel;

  /// Whether Netty accepts. Its option `AUTO_READ` follows this: without the option Netty would
  /// accept one connection at a time. Clients that connect together would wait for many rounds of
  /// those that came first.
  private boolean reading;

  private boolean closed;

  NettyListener(WaitForNetty netty, NettyEvents events) {
    this.netty = netty;
    this.events = events;
    this.accepting = new Accepting(events);
  }

  /// The channel is bound.
  void bound(Channel listening) {
    channel = listening;
  }

  private Channel required() {
    Channel own = channel;
    if (own == null) {
      throw new IllegalStateException("not bound");
    }
    return own;
  }

  /// Accepts a connection. A *possible* suspension point.
  ///
  /// @return the connection, which the caller closes
  /// @throws ChannelClosedException if the listener is closed
  /// @throws IOException if the system refuses, for want of descriptors for instance; the listener
  ///   stays open
  public NettyChannel accept() throws IOException {
    return netty.host.awaitEvent(accepting);
  }

  /// {@return a wait for a connection, which the caller closes} A branch that is not taken accepts
  /// nothing.
  public Waitable<NettyChannel> accepting() {
    return accepting;
  }

  private final class Accepting extends EventWait<NettyChannel> {

    Accepting(NettyEvents events) {
      super(events);
    }

    /// The listener is closed.
    @Override
    boolean settle(Waiter<? super NettyChannel> waiter) {
      return waiter.fail(closedHere());
    }

    @Override
    public boolean poll(Waiter<? super NettyChannel> waiter) {
      if (closed) {
        return settle(waiter);
      }
      NettyChannel first = accepted.peek();
      boolean taken = first != null && waiter.fire(first);
      if (taken) {
        accepted.remove();
      }
      return taken;
    }

    @Override
    public void arm(Waiter<? super NettyChannel> waiter) {
      super.arm(waiter);
      if (!reading) {
        reading = true;
        events.soon(() -> readAutomatically(required(), true));
      }
    }

    @Override
    public String toString() {
      return "accept on " + NettyListener.this;
    }
  }

  private ChannelClosedException closedHere() {
    return new ChannelClosedException("accept on %s: this side has closed it".formatted(this));
  }

  /// A connection is there, on the loop's thread.
  void connected(NettyChannel connection) {
    if (closed) {
      connection.close();
      return;
    }
    for (Waiter<? super NettyChannel> each; (each = accepting.next()) != null; ) {
      if (each.fire(connection)) {
        return;
      }
    }
    accepted.add(connection);
  }

  /// {@return the handler of the listening channel}
  ChannelInboundHandlerAdapter handler() {
    return new Inbound();
  }

  private final class Inbound extends ChannelInboundHandlerAdapter
      implements OpenNettyChannel.Awaited {

    @Override
    public List<String> waits() {
      return accepting.waits();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      // Tasks of Netty's loop make the accepted connections active.
      context
          .channel()
          .eventLoop()
          .execute(() -> {
            reading = accepting.isAwaited();
            readAutomatically(context.channel(), reading);
          });
      context.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      end();
      context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      reading = false;
      readAutomatically(context.channel(), false);
      for (Waiter<? super NettyChannel> each; (each = accepting.next()) != null; ) {
        boolean _ = each.fail(cause);
      }
    }
  }

  private static void readAutomatically(Channel listening, boolean on) {
    var _ = listening.config().setAutoRead(on);
  }

  private void end() {
    closed = true;
    accepting.settleAll();
    for (NettyChannel each; (each = accepted.poll()) != null; ) {
      each.close();
    }
  }

  /// Closes the listener. Tasks that wait for a connection fail with a [ChannelClosedException] at
  /// once; connections that no task has taken are closed. Never a suspension point.
  @Override
  public void close() {
    netty.host.checkThread();
    end();
    events.outsideOfTasks(required()::close);
  }

  /// {@return the address, with the port that the system has chosen} Never a suspension point.
  public SocketAddress localAddress() {
    return required().localAddress();
  }

  @Override
  public String toString() {
    return channel == null
        ? "listener"
        : "listener " + OpenNettyChannel.text(channel.localAddress());
  }
}
