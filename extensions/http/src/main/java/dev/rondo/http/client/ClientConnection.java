package dev.rondo.http.client;

import dev.rondo.netty.WaitForNetty;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Scheduler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One connection of a client. HTTP/1.1 carries one request at a time, HTTP/2 as many as the server
/// allows.
///
/// Confined to the scheduler's thread.
final class ClientConnection {

  private final Scheduler scheduler;
  private final WaitForNetty netty;
  private final OriginPool origin;
  private final HttpClientLimits limits;
  private final ChannelControl channel;

  /// Null for HTTP/1.1.
  private final @Nullable Http2Peer peer;

  private final Set<ChannelControl> streams = new LinkedHashSet<>();

  /// The number of requests that have the connection now.
  private int users;

  private boolean used;
  private boolean gone;

  /// Closes the connection when it has been idle for too long; null while it is in use.
  private @Nullable Future<?> ending;

  ClientConnection(
      Scheduler scheduler,
      OriginPool origin,
      HttpClientLimits limits,
      ClientConnector.Opened opened) {
    this.scheduler = scheduler;
    this.netty = WaitForNetty.on(scheduler);
    this.origin = origin;
    this.limits = limits;
    this.channel = opened.channel();
    this.peer = opened.peer();
    if (peer != null) {
      peer.onChange(() -> origin.changed(this));
    }
    channel.channel().closeFuture().addListener(done -> leave());
  }

  OriginPool origin() {
    return origin;
  }

  boolean isMultiplexed() {
    return peer != null;
  }

  /// Whether another request may begin on this connection now.
  boolean isFree() {
    if (gone || !channel.isOpen()) {
      return false;
    }
    Http2Peer own = peer;
    return own == null ? users == 0 : !own.isLeaving() && users < own.mostStreams();
  }

  boolean isGone() {
    return gone;
  }

  /// Whether no request has this connection.
  boolean isIdle() {
    return users == 0;
  }

  /// Whether it was used before this request.
  boolean isUsed() {
    return used;
  }

  /// A request is given the connection.
  void taken() {
    users++;
    Future<?> own = ending;
    if (own != null) {
      ending = null;
      var _ = own.cancel(false);
    }
  }

  /// {@return the wire of a request that was given the connection} A *possible* suspension point.
  ClientWire begin() throws IOException {
    if (peer == null) {
      return new ClientWire(scheduler, channel, limits.progress());
    }
    ChannelControl stream = scheduler.shielded(this::openStream);
    var _ = streams.add(stream);
    return new ClientWire(scheduler, stream, limits.progress());
  }

  private ChannelControl openStream() throws IOException {
    var made = new ChannelControl[1];
    var _ =
        netty.await(
            new Http2StreamChannelBootstrap(channel.channel())
                // Keeps a received response when the rest of its request cannot be sent.
                .option(ChannelOption.AUTO_CLOSE, false)
                .handler(
                    new ChannelInitializer<Channel>() {
                      @Override
                      protected void initChannel(Channel stream) {
                        var _ =
                            stream
                                .pipeline()
                                .addLast(
                                    new Http2StreamFrameToHttpObjectCodec(false),
                                    new ClientStream());
                        made[0] = ChannelControl.of(netty.channel(stream));
                      }
                    })
                .open());
    return made[0];
  }

  /// A request gives up, so the connection is reset. After an orderly end, an HTTP/1.1 server would
  /// assume that the client still waits for the response.
  void givingUp() {
    if (peer == null && channel.isOpen()) {
      boolean _ = channel.channel().config().setOption(ChannelOption.SO_LINGER, 0);
    }
  }

  /// A request does not need the connection any more.
  ///
  /// @param wire null if the request has not begun
  /// @param inOrder whether an HTTP/1.1 connection is ready for the next request
  void ended(@Nullable ClientWire wire, boolean inOrder) {
    users--;
    used = true;
    if (peer != null) {
      if (wire != null) {
        var _ = streams.remove(wire.channel());
        wire.channel().close();
      }
      origin.changed(this);
    } else if (inOrder && channel.isOpen()) {
      origin.changed(this);
    } else {
      close();
      origin.changed(this);
    }
  }

  /// The connection waits for the next request. It is closed when that takes too long, or when the
  /// server closes it or sends something.
  void idle() {
    Duration most = limits.idle();
    ending =
        channel.channel().eventLoop().schedule(this::close, most.toNanos(), TimeUnit.NANOSECONDS);
    if (peer == null) {
      channel.channel().eventLoop().execute(channel.channel()::read);
    }
  }

  /// Whether the connection takes no more requests.
  boolean isLeaving() {
    Http2Peer own = peer;
    return own != null && own.isLeaving();
  }

  /// Closes the connection, with its open requests.
  void close() {
    if (!isIdle()) {
      givingUp();
    }
    List.copyOf(streams).forEach(ChannelControl::close);
    channel.close();
    leave();
  }

  private void leave() {
    if (gone) {
      return;
    }
    gone = true;
    Future<?> own = ending;
    if (own != null) {
      var _ = own.cancel(false);
    }
    origin.left(this);
  }

  @Override
  public String toString() {
    return channel.toString();
  }
}
