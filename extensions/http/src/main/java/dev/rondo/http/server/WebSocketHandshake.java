package dev.rondo.http.server;

import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.http.websocket.internal.WebSocketArrival;
import dev.rondo.http.websocket.internal.WebSocketConnection;
import dev.rondo.http.websocket.internal.WebSocketDecoder;
import dev.rondo.http.websocket.internal.WebSocketEnd;
import dev.rondo.http.websocket.internal.WebSocketFrames;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Turns an HTTP/1.1 connection or an HTTP/2 stream into a WebSocket.
final class WebSocketHandshake {

  private static final String VERSION = WebSocketVersion.V13.toHttpHeaderValue();

  private static final int KEY_BYTES = 16;
  private static final int KEY_CHARACTERS = 24;

  private final Scheduler scheduler;
  private final HttpWire wire;
  private final HttpRequest request;
  private final WebSocketSettings settings;
  private final WebSocketEnd end;
  private final WebSocketArrival arrival;
  private final WebSocketFrames frames;

  WebSocketHandshake(
      HttpServer server, HttpWire wire, HttpRequest request, WebSocketSettings settings) {
    this.scheduler = server.scheduler;
    this.wire = wire;
    this.request = request;
    this.settings = settings;
    this.end = new WebSocketEnd(wire, Objects.requireNonNull(scheduler.currentTask()));
    this.arrival = new WebSocketArrival(scheduler, wire, server.bodyMemory);
    this.frames = new WebSocketFrames(wire.channel(), settings.ping(), end, arrival);
  }

  /// Refuses a request that does not ask for a WebSocket.
  ///
  /// @param responseHeaders of the handler; a refusal adds the supported version
  void check(HttpHeaders responseHeaders) {
    boolean asked =
        wire.isStream() ? wire.tunnel() != null : RequestDecoder.asksForWebSocket(request);
    if (!asked || !VERSION.equals(request.headers().get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      responseHeaders.set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);
      throw new HttpStatusException(
          HttpResponseStatus.UPGRADE_REQUIRED, "this page is a WebSocket of version 13");
    }
    if (!wire.isStream() && !hasKey()) {
      throw new HttpStatusException(
          HttpResponseStatus.BAD_REQUEST, "the handshake of the WebSocket is malformed");
    }
  }

  /// Whether the key is 16 bytes in Base64 (RFC 6455, 4.2.1).
  private boolean hasKey() {
    List<String> keys = request.headers().getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY);
    try {
      return keys.size() == 1
          && keys.getFirst().length() == KEY_CHARACTERS
          && Base64.getDecoder().decode(keys.getFirst()).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// @param responseHeaders of the handler
  WebSocketConnection run(HttpHeaders responseHeaders) throws IOException {
    Http2Tunnel tunnel = wire.tunnel();
    String subprotocol =
        tunnel == null ? upgrade(responseHeaders) : connect(tunnel, responseHeaders);
    return new WebSocketConnection(scheduler, wire, subprotocol, end, arrival);
  }

  // HTTP/1.1, RFC 6455.

  private @Nullable String upgrade(HttpHeaders responseHeaders) throws IOException {
    WebSocketServerHandshaker handshaker = new Handshaker(request.uri(), settings, frames);
    Channel channel = wire.channel().channel();
    try {
      shake(done -> {
        ChannelPipeline pipeline = channel.pipeline();
        RequestDecoder requests = pipeline.get(RequestDecoder.class);
        if (requests == null) { // the client has gone
          boolean _ = done.tryFailure(Http2Stream.closed());
          return;
        }
        var _ = handshaker.handshake(channel, whole(), responseHeaders, done);
        var _ = pipeline.remove(WebSocketFrameEncoder.class); // WebSocketBytes encodes
        addHandlers(pipeline);
        if (wire.hasClientEnded()) {
          end.clientHasGone();
        }
        receive(pipeline, requests.take());
      });
    } catch (WebSocketHandshakeException e) {
      throw new HttpStatusException(
          HttpResponseStatus.BAD_REQUEST, "the handshake of the WebSocket is malformed");
    }
    return handshaker.selectedSubprotocol();
  }

  /// Receives the bytes that the client has sent before it had the response.
  ///
  /// @param ahead these bytes; null for none; released here
  private static void receive(ChannelPipeline pipeline, @Nullable ByteBuf ahead) {
    if (ahead == null) {
      return;
    }
    ChannelHandlerContext own = pipeline.context(WebSocketDecoder.class);
    if (own == null) {
      boolean _ = ahead.release(); // the client has gone
      return;
    }
    WebSocketDecoder decoder = (WebSocketDecoder) own.handler();
    try {
      decoder.channelRead(own, ahead);
      decoder.channelReadComplete(own);
    } catch (Exception e) {
      own.fireExceptionCaught(e);
    }
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

  /// Netty's handshake with the decoder of this package.
  private static final class Handshaker extends WebSocketServerHandshaker13 {

    private final WebSocketDecoder decoder;

    Handshaker(String uri, WebSocketSettings settings, WebSocketFrames frames) {
      super(
          uri,
          settings.subprotocols().isEmpty() ? null : String.join(",", settings.subprotocols()),
          WebSocketDecoderConfig.newBuilder().build());
      this.decoder = WebSocketDecoder.ofClient(settings.messageBytes(), frames::heard);
    }

    @Override
    protected WebSocketFrameDecoder newWebsocketDecoder() {
      return decoder;
    }
  }

  // HTTP/2, RFC 8441.

  private @Nullable String connect(Http2Tunnel tunnel, HttpHeaders responseHeaders)
      throws IOException {
    String subprotocol = subprotocol();
    if (subprotocol != null) {
      responseHeaders.set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, subprotocol);
    }
    var response =
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, responseHeaders);
    Channel channel = wire.channel().channel();
    shake(done -> {
      channel.writeAndFlush(response, done);
      ChannelPipeline pipeline = channel.pipeline();
      String codec = pipeline.context(Http2StreamFrameToHttpObjectCodec.class).name();
      pipeline.addAfter(
          codec, null, WebSocketDecoder.ofClient(settings.messageBytes(), frames::heard));
      var _ = pipeline.remove(codec);
      addHandlers(pipeline);
      tunnel.open();
    });
    return subprotocol;
  }

  /// {@return the first of the client's subprotocols that the handler speaks, as in HTTP/1.1; null
  /// for none}
  private @Nullable String subprotocol() {
    for (String header : request.headers().getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL)) {
      for (String each : header.split(",", -1)) {
        if (settings.subprotocols().contains(each.strip())) {
          return each.strip();
        }
      }
    }
    return null;
  }

  // Both.

  /// Responds, and changes the pipeline, on the loop's thread.
  ///
  /// @param action completes the promise when the response was sent
  private void shake(Consumer<ChannelPromise> action) throws IOException {
    Channel channel = wire.channel().channel();
    ChannelPromise done = channel.newPromise();
    channel
        .eventLoop()
        .execute(() -> {
          try {
            action.accept(done);
          } catch (RuntimeException e) {
            var _ = done.tryFailure(e);
          }
        });
    var _ = WaitForNetty.on(scheduler).await(done);
  }

  private void addHandlers(ChannelPipeline pipeline) {
    String decoder = pipeline.context(WebSocketFrameDecoder.class).name();
    pipeline.addAfter(decoder, null, frames);
    frames.begin();
  }
}
