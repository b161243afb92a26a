package dev.rondo.netty.http;

import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// Makes a WebSocket of a connection of HTTP/1.1.
final class WebSocketHandshake {

  private final Scheduler scheduler;
  private final HttpWire wire;
  private final HttpRequest request;
  private final WebSocketSettings settings;

  WebSocketHandshake(
      Scheduler scheduler, HttpWire wire, HttpRequest request, WebSocketSettings settings) {
    this.scheduler = scheduler;
    this.wire = wire;
    this.request = request;
    this.settings = settings;
  }

  /// Refuses a request that does not ask for a WebSocket.
  void check() {
    HttpHeaders headers = request.headers();
    if (wire.isStream()
        || !request.method().equals(HttpMethod.GET)
        || !headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
        || !headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
        || !WebSocketVersion.V13
            .toHttpHeaderValue()
            .equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      throw new HttpStatusException(
          HttpResponseStatus.UPGRADE_REQUIRED, "this page is a WebSocket of version 13");
    }
  }

  /// @param responseHeaders of the handler
  WebSocket run(HttpHeaders responseHeaders) throws IOException {
    WebSocketServerHandshaker handshaker =
        new WebSocketServerHandshakerFactory(
                request.uri(),
                settings.subprotocols().isEmpty()
                    ? null
                    : String.join(",", settings.subprotocols()),
                WebSocketDecoderConfig.newBuilder()
                    .maxFramePayloadLength(settings.messageBytes())
                    .closeOnProtocolViolation(false) // WebSocketFrames does, for all handlers
                    .build())
            .newHandshaker(request);
    Channel channel = wire.channel().channel();
    var frames = new WebSocketFrames();
    ChannelPromise done = channel.newPromise();
    channel
        .eventLoop()
        .execute(() -> {
          try {
            var _ = handshaker.handshake(channel, whole(), responseHeaders, done);
            addHandlers(channel.pipeline(), frames);
          } catch (RuntimeException e) {
            var _ = done.tryFailure(e);
          }
        });
    try {
      var _ = WaitForNetty.on(scheduler).await(done);
    } catch (WebSocketHandshakeException e) {
      throw new HttpStatusException(
          HttpResponseStatus.BAD_REQUEST, "the handshake of the WebSocket is malformed");
    }
    return new WebSocket(scheduler, wire, frames, handshaker.selectedSubprotocol());
  }

  private FullHttpRequest whole() {
    return new DefaultFullHttpRequest(
        request.protocolVersion(),
        request.method(),
        request.uri(),
        Unpooled.EMPTY_BUFFER,
        request.headers(),
        EmptyHttpHeaders.INSTANCE);
  }

  private void addHandlers(ChannelPipeline pipeline, WebSocketFrames frames) {
    String decoder = pipeline.context(WebSocketFrameDecoder.class).name();
    pipeline.addAfter(decoder, null, frames);
    pipeline.addAfter(decoder, null, new WebSocketFrameAggregator(settings.messageBytes()));
    pipeline.addAfter(decoder, null, new Utf8FrameValidator(false));
    pipeline.addBefore(
        decoder, null, new IdleStateHandler(settings.ping().toNanos(), 0, 0, TimeUnit.NANOSECONDS));
  }
}
