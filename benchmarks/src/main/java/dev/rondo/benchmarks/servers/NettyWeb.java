package dev.rondo.benchmarks.servers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Netty servers for one job each, as written by a program that needs the speed. They use the
/// codecs of Rondo's server, and send the same headers.
public final class NettyWeb {

  private static final int MOST_BYTES = 64 << 10;
  private static final Closing CLOSING = new Closing();

  /// The header of responses. Confined to the one event loop.
  private static AsciiString date = AsciiString.EMPTY_STRING;

  private NettyWeb() {}

  static void serve(WebJob job, IoHandlerFactory transport, Class<? extends ServerChannel> type)
      throws Exception {
    Consumer<ChannelPipeline> own = pipeline(job);
    NettyServer.serve(
        1, transport, type, own.andThen(each -> each.addLast(CLOSING)), NettyWeb::keepDate);
  }

  /// The date is formatted once a second.
  private static void keepDate(EventLoop loop) {
    var _ =
        loop.scheduleAtFixedRate(
            () -> date = new AsciiString(DateFormatter.format(Date.from(Instant.now()))),
            0,
            1,
            TimeUnit.SECONDS);
  }

  private static Consumer<ChannelPipeline> pipeline(WebJob job) throws Exception {
    return switch (job) {
      case TCP -> EchoServers::echo;
      case HELLO, JSON -> each -> each.addLast(new HttpServerCodec(), new Responding(job));
      case TLS -> {
        SslContext tls =
            SslContextBuilder.forServer(WebContent.keyManagers())
                .sslProvider(SslProvider.JDK)
                .build();
        yield each ->
            each.addLast(
                tls.newHandler(each.channel().alloc()), new HttpServerCodec(), new Responding(job));
      }
      case HTTP2 -> NettyWeb::http2;
      case ECHO -> each -> webSocket(each, job, new Echoing());
      case ROOM -> {
        var room = new Room();
        yield each -> webSocket(each, job, room);
      }
    };
  }

  /// The client has gone.
  @Sharable
  private static final class Closing extends ChannelInboundHandlerAdapter {

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }

  // HTTP/1.1.

  private static final class Responding extends ChannelInboundHandlerAdapter {

    private final WebJob job;

    Responding(WebJob job) {
      this.job = job;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest) {
        ByteBuf body = Unpooled.wrappedBuffer(WebContent.body(job));
        var response =
            new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
        response
            .headers()
            .set(HttpHeaderNames.CONTENT_TYPE, WebContent.contentType(job))
            .set(HttpHeaderNames.DATE, date)
            .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.write(response, context.voidPromise());
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  // HTTP/2.

  private static void http2(ChannelPipeline connection) {
    connection.addLast(
        Http2FrameCodecBuilder.forServer().build(),
        new Http2MultiplexHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel stream) {
                stream.pipeline().addLast(new StreamResponding());
              }
            }));
  }

  private static final class StreamResponding extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2HeadersFrame head && head.isEndStream()) {
        ByteBuf body = Unpooled.wrappedBuffer(WebContent.body(WebJob.HTTP2));
        var headers =
            new DefaultHttp2Headers()
                .status(HttpResponseStatus.OK.codeAsText())
                .set(HttpHeaderNames.CONTENT_TYPE, WebContent.PLAIN_TEXT)
                .set(HttpHeaderNames.DATE, date)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.write(new DefaultHttp2HeadersFrame(headers));
        context.write(new DefaultHttp2DataFrame(body, true));
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush(); // of the connection, at the end of a read
    }
  }

  // WebSockets.

  private static void webSocket(
      ChannelPipeline pipeline, WebJob job, SimpleChannelInboundHandler<TextWebSocketFrame> last) {
    pipeline.addLast(
        new HttpServerCodec(),
        new HttpObjectAggregator(MOST_BYTES),
        new WebSocketServerProtocolHandler(job.path()),
        last);
  }

  private static final class Echoing extends SimpleChannelInboundHandler<TextWebSocketFrame> {

    @Override
    protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame) {
      context.write(new TextWebSocketFrame(frame.text()), context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  @Sharable
  private static final class Room extends SimpleChannelInboundHandler<TextWebSocketFrame> {

    private static final int FINAL_TEXT = 0x81;
    private static final int MOST_IN_ONE_BYTE = 125;

    private final ChannelGroup members = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof HandshakeComplete) {
        boolean _ = members.add(context.channel());
      }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame) {
      var _ =
          members.writeAndFlush(
              encoded(context.alloc(), frame.text()), each -> true, /* voidPromise= */ true);
    }

    /// Encoded once, because the frame of a server is the same for all clients, and the encoders
    /// pass bytes on.
    private static ByteBuf encoded(ByteBufAllocator memory, String text) {
      int count = ByteBufUtil.utf8Bytes(text);
      if (count > MOST_IN_ONE_BYTE) {
        throw new IllegalArgumentException("bytes=%d; required: a short text".formatted(count));
      }
      ByteBuf frame = memory.directBuffer(2 + count).writeByte(FINAL_TEXT).writeByte(count);
      int _ = ByteBufUtil.reserveAndWriteUtf8(frame, text, count);
      return frame;
    }
  }
}
