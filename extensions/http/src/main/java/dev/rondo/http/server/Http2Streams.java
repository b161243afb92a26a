package dev.rondo.http.server;

import dev.rondo.netty.WaitForNetty;
import dev.rondo.netty.internal.ChannelControl;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameStreamEvent;
import io.netty.handler.codec.http2.Http2FrameStreamException;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2PriorityFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Stream.State;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.codec.http2.Http2UnknownFrame;
import io.netty.handler.codec.http2.HttpConversionUtil;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Passes the requests of a connection's streams to the [Http2Connection] as soon as their heads
/// are here. This handler comes between the codec and the multiplexer, which makes a channel for
/// each stream that it sees. It sees only streams whose requests have a body or ask for a
/// WebSocket.
///
/// The multiplexer passes some events to the channels of all streams, and fails if a stream has no
/// channel. So it is made to create the missing channels before such an event. They are not used
/// otherwise.
///
/// Confined to the scheduler's thread.
final class Http2Streams extends ChannelDuplexHandler {

  private final WaitForNetty netty;

  /// The open streams without a body, by their numbers.
  private final IntObjectMap<Http2PlainStream> plain = new IntObjectHashMap<>();

  /// The highest number of a stream that the client has opened.
  private int lastStream;

  /// Whether the multiplexer makes a channel that is not used.
  private boolean makingPlaceholder;

  /// The calls whose heads have come before the connection was served.
  private final ArrayDeque<Http2Call> early = new ArrayDeque<>(1);

  /// Null until the connection is served.
  private @Nullable Http2Connection connection;

  Http2Streams(WaitForNetty netty) {
    this.netty = netty;
  }

  // Requests.

  /// The head of a request is here.
  void begun(Http2Call call, HttpRequest head) {
    Http2Connection serving = connection;
    if (serving == null) {
      call.keep(head);
      early.add(call);
    } else {
      serving.accept(call, head);
    }
  }

  /// Passes all requests to a connection from now on.
  void servedBy(Http2Connection serving) {
    connection = serving;
    for (Http2Call each; (each = early.poll()) != null; ) {
      HttpRequest head = each.takeRequest();
      if (head != null) {
        serving.accept(each, head);
      }
    }
  }

  // Streams with a channel.

  /// {@return the initializer of their channels} The channels carry HTTP/1.1 messages.
  ChannelHandler initializer() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel made) {
        if (!makingPlaceholder) {
          opened(made);
        }
      }
    };
  }

  private void opened(Channel made) {
    var stream = new Http2Stream(this);
    made.pipeline().addLast(new Http2Heads(), new Http2StreamFrameToHttpObjectCodec(true), stream);
    ChannelControl channel = ChannelControl.of(netty.channel(made));
    channel.gatherFlushes(); // of all streams, in few system calls
    stream.channel(channel);
  }

  private void makePlaceholders(ChannelHandlerContext context) {
    makingPlaceholder = true;
    for (Http2PlainStream each : plain.values()) {
      if (!each.hasPlaceholder() && !each.isClosed()) {
        each.placeholderMade();
        context.fireUserEventTriggered(each.change());
      }
    }
    makingPlaceholder = false;
  }

  // Incoming.

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!(event instanceof Http2FrameStreamEvent change)) {
      makePlaceholders(context);
      context.fireUserEventTriggered(event);
    } else if (change.type() != Http2FrameStreamEvent.Type.State || !isOfPlain(context, change)) {
      context.fireUserEventTriggered(event);
    }
  }

  /// The state of a stream has changed. A stream that the client ends as it opens it has no body.
  ///
  /// @return whether the multiplexer does not have this stream
  private boolean isOfPlain(ChannelHandlerContext context, Http2FrameStreamEvent change) {
    int id = change.stream().id();
    State state = change.stream().state();
    if (id > lastStream) {
      lastStream = id;
      if (state == State.HALF_CLOSED_REMOTE) {
        plain.put(id, new Http2PlainStream(change, context));
        return true;
      }
      return false;
    }
    if (state != State.CLOSED) {
      return plain.containsKey(id);
    }
    Http2PlainStream ended = plain.remove(id);
    if (ended != null) {
      ended.closed();
    }
    return ended != null && !ended.hasPlaceholder();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Http2Exception {
    if (message instanceof Http2StreamFrame frame) {
      Http2PlainStream stream = plain.get(frame.stream().id());
      if (frame instanceof Http2UnknownFrame || frame instanceof Http2PriorityFrame) {
        ReferenceCountUtil.release(frame); // RFC 9113, 5.5: unknown frames are not part of a body
      } else if (stream == null) {
        context.fireChannelRead(frame);
      } else {
        read(context, stream, frame);
      }
    } else if (connection == null) {
      context.fireChannelRead(message); // the first shows that the client speaks HTTP/2
    } else {
      ReferenceCountUtil.release(message); // settings, pings: the codec has handled them
    }
  }

  private void read(ChannelHandlerContext context, Http2PlainStream stream, Http2StreamFrame frame)
      throws Http2Exception {
    switch (frame) {
      case Http2HeadersFrame head when Http2Heads.isWebSocket(head.headers()) -> {
        var _ = plain.remove(head.stream().id());
        context.fireUserEventTriggered(stream.change());
        context.fireChannelRead(head);
      }
      case Http2HeadersFrame head -> begin(stream, head);
      case Http2ResetFrame reset -> stream.clientResets(reset);
      default -> ReferenceCountUtil.release(frame);
    }
  }

  private void begin(Http2PlainStream stream, Http2HeadersFrame head) {
    if (!Http2Heads.isComplete(head.headers())) {
      stream.reset(Http2Error.PROTOCOL_ERROR);
      return;
    }
    HttpRequest request;
    try {
      request =
          HttpConversionUtil.toFullHttpRequest(
              head.stream().id(),
              head.headers(),
              Unpooled.EMPTY_BUFFER,
              /* validateHttpHeaders= */ true);
    } catch (Http2Exception | IllegalArgumentException e) {
      stream.reset(Http2Error.PROTOCOL_ERROR);
      return;
    }
    begun(stream, request);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable()) {
      makePlaceholders(context);
    }
    context.fireChannelWritabilityChanged();
  }

  /// The codec closes a connection that breaks the protocol, and tells the client why.
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Http2FrameStreamException broken) {
      Http2PlainStream stream = plain.get(broken.stream().id());
      if (stream == null) {
        context.fireExceptionCaught(cause);
      } else {
        stream.reset(broken.error());
        stream.gone("the client has broken the protocol", broken);
      }
    } else if (!(cause instanceof Http2Exception)) {
      makePlaceholders(context);
      context.fireExceptionCaught(cause);
    }
  }

  // Outgoing.

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof Http2PlainStream.Response response) {
      context.write(response.head()); // if that fails, what follows does, too
      context.write(response.body(), promise);
    } else {
      context.write(message, promise);
    }
  }
}
