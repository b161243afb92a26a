package dev.rondo.http.server;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.netty.internal.LingeringClose;
import dev.rondo.netty.internal.ReusingAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The handlers of a connection. The client chooses the protocol in the TLS handshake, or else with
/// its first bytes.
final class ServerPipeline extends ChannelInitializer<Channel> {

  /// The number of stream resets that a client may send within a time: CVE-2023-44487.
  private static final int MOST_RESETS = 200;

  private static final int RESETS_WITHIN_SECONDS = 30;

  private static final int MOST_EMPTY_FRAMES = 2;

  /// The time that a connection has to close after its streams have ended.
  private static final long CLOSE_MILLIS = 1_000;

  private final WaitForNetty netty;
  private final HttpLimits limits;
  private @Nullable SslContext tls;
  private final HttpDecoderConfig strict;

  /// The memory of HTTP/1.1 connections; null before the first connection.
  private @Nullable ReusingAllocator memory;

  /// @param tls null for none
  ServerPipeline(WaitForNetty netty, HttpLimits limits, @Nullable SslContext tls) {
    this.netty = netty;
    this.limits = limits;
    this.tls = tls;
    this.strict =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.requestLineBytes())
            .setMaxHeaderSize(limits.headerBytes())
            .setAllowDuplicateContentLengths(false)
            .setStrictLineParsing(true)
            .setUseRfc9112TransferEncoding(true)
            .setValidateHeaders(true);
  }

  /// Encrypts further connections with another context.
  ///
  /// @throws IllegalStateException if connections are not encrypted
  void tls(SslContext other) {
    if (tls == null) {
      throw new IllegalStateException("the server has no TLS; required: HttpServerBuilder.tls(..)");
    }
    tls = other;
  }

  @Override
  protected void initChannel(Channel channel) {
    SslContext secure = tls;
    if (secure == null) {
      channel.pipeline().addLast(new ByFirstBytes());
    } else {
      SslHandler handler = secure.newHandler(channel.alloc());
      handler.setHandshakeTimeoutMillis(limits.head().toMillis());
      LingeringClose.install(channel, MessageWire.LINGER); // alerts need this too
      channel.pipeline().addLast(handler, new ByAlpn());
    }
  }

  /// The client's choice in the TLS handshake.
  private final class ByAlpn extends ApplicationProtocolNegotiationHandler {

    ByAlpn() {
      super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      insert(
          context,
          protocol.equals(ApplicationProtocolNames.HTTP_2)
              ? http2(context.channel())
              : http1(context.channel()));
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.fireExceptionCaught(cause);
    }
  }

  /// A client with prior knowledge of HTTP/2 begins with its preface. The first bytes of all other
  /// clients are passed on as they are.
  private final class ByFirstBytes extends ChannelInboundHandlerAdapter {

    private static final ByteBuf PREFACE =
        Unpooled.unreleasableBuffer(Http2CodecUtil.connectionPrefaceBuf()).asReadOnly();

    /// Bytes that do not show the protocol yet; null for none.
    private @Nullable ByteBuf undecided;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf earlier = undecided;
      ByteBuf bytes = (ByteBuf) message;
      if (earlier != null) {
        bytes = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), earlier, bytes);
      }
      undecided = bytes;
      int count = Math.min(bytes.readableBytes(), PREFACE.readableBytes());
      boolean begins = startsAlike(bytes, count);
      if (begins && count < PREFACE.readableBytes()) {
        return; // the rest of it decides
      }
      insert(context, begins ? http2(context.channel()) : http1(context.channel()));
      undecided = null;
      context.pipeline().remove(this);
      context.fireChannelRead(bytes);
    }

    /// The connection has ended, perhaps.
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
      boolean _ = ReferenceCountUtil.release(undecided);
      undecided = null;
    }

    private static boolean startsAlike(ByteBuf in, int count) {
      for (int i = 0; i < count; i++) {
        if (in.getByte(in.readerIndex() + i) != PREFACE.getByte(i)) {
          return false;
        }
      }
      return true;
    }
  }

  /// Adds handlers behind the handler that has decided.
  private static void insert(ChannelHandlerContext context, List<ChannelHandler> handlers) {
    ChannelPipeline pipeline = context.pipeline();
    String last = context.name();
    for (ChannelHandler each : handlers) {
      pipeline.addAfter(last, null, each);
      last = pipeline.context(each).name();
    }
  }

  /// The decoder refuses ambiguous requests. It comes last, because the WebSocket decoder that
  /// replaces it also sends.
  private List<ChannelHandler> http1(Channel channel) {
    ReusingAllocator shared = memory;
    if (shared == null) {
      shared = ReusingAllocator.ofCodecs(channel.alloc());
      memory = shared;
    }
    channel.config().setAllocator(shared);
    return List.of(
        new ResponseEncoder(), new RequestDecoder(strict, limits.bodyBytes()), new Http1Requests());
  }

  private List<ChannelHandler> http2(Channel channel) {
    LingeringClose.install(channel, MessageWire.LINGER);
    Http2Settings settings =
        Http2Settings.defaultSettings()
            .maxConcurrentStreams(limits.streams())
            .connectProtocolEnabled(true) // for WebSockets, RFC 8441
            .maxHeaderListSize((long) limits.requestLineBytes() + limits.headerBytes());
    var streams = new Http2Streams(netty);
    return List.of(
        Http2FrameCodecBuilder.forServer()
            .initialSettings(settings)
            .gracefulShutdownTimeoutMillis(CLOSE_MILLIS)
            .decoderEnforceMaxRstFramesPerWindow(MOST_RESETS, RESETS_WITHIN_SECONDS)
            .decoderEnforceMaxConsecutiveEmptyDataFrames(MOST_EMPTY_FRAMES)
            .build(),
        streams,
        new Http2MultiplexHandler(streams.initializer()));
  }
}
