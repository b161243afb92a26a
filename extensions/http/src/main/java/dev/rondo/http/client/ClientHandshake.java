package dev.rondo.http.client;

import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.http.websocket.internal.WebSocketDecoder;
import dev.rondo.http.websocket.internal.WebSocketFrames;
import dev.rondo.http.websocket.internal.WebSocketMask;
import dev.rondo.scheduler.internal.ReportText;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The client's part of a WebSocket handshake (RFC 6455, 4.1). After a valid response head the
/// pipeline handles frames at once, because frames may follow the head in the same read. The head
/// itself is passed on in any case.
///
/// Confined to the event loop.
final class ClientHandshake extends ChannelInboundHandlerAdapter {

  /// The handshake sets them.
  static final List<CharSequence> RESERVED =
      List.of(
          HttpHeaderNames.SEC_WEBSOCKET_KEY,
          HttpHeaderNames.SEC_WEBSOCKET_VERSION,
          HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL,
          HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS);

  private static final SecureRandom RANDOM = new SecureRandom();

  private static final int KEY_BYTES = 16;
  private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private final WebSocketSettings settings;
  private final WebSocketFrames frames;
  private final String key;

  private boolean shaken;

  /// @param frames handles the frames of the socket
  ClientHandshake(WebSocketSettings settings, WebSocketFrames frames) {
    this.settings = settings;
    this.frames = frames;
    byte[] random = new byte[KEY_BYTES];
    RANDOM.nextBytes(random);
    this.key = Base64.getEncoder().encodeToString(random);
  }

  /// Adds the headers that ask for a socket.
  void ask(HttpHeaders headers) {
    headers
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
        .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, WebSocketVersion.V13.toHttpHeaderValue())
        .set(HttpHeaderNames.SEC_WEBSOCKET_KEY, key);
    if (!settings.subprotocols().isEmpty()) {
      headers.set(
          HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, String.join(", ", settings.subprotocols()));
    }
  }

  /// Whether the server's answer was right, so that the pipeline handles frames.
  boolean isShaken() {
    return shaken;
  }

  @Override
  public void channelRead(ChannelHandlerContext own, Object message) {
    boolean head = message instanceof HttpResponse;
    if (head) {
      HttpResponse response = (HttpResponse) message;
      shaken = isSwitching(response) && mistake(response) == null;
    }
    boolean last = message instanceof LastHttpContent;
    if (head || !shaken) {
      own.fireChannelRead(message);
    } else {
      ReferenceCountUtil.release(message);
    }
    if (last && shaken) {
      change(own.pipeline());
    }
  }

  /// The decoder passes bytes beyond the head on when it is removed.
  private void change(ChannelPipeline pipeline) {
    String last = pipeline.context(ResponseDecoder.class).name();
    var decoder = WebSocketDecoder.ofServer(settings.messageBytes(), frames::heard);
    pipeline.addAfter(last, null, frames).addAfter(last, null, decoder);
    pipeline.addAfter(last, null, new WebSocketMask(RANDOM));
    frames.begin();
    var _ = pipeline.remove(HttpRequestEncoder.class);
    pipeline.remove(this);
    var _ = pipeline.remove(ResponseDecoder.class);
  }

  private static boolean isSwitching(HttpResponse response) {
    return response.decoderResult().isSuccess()
        && response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
  }

  /// {@return the subprotocol that the server has chosen; null for none}
  static @Nullable String subprotocol(HttpResponse response) {
    return response.headers().get(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL);
  }

  /// {@return the failure for a response that does not open the socket}
  IOException failure(URI uri, HttpResponse response) {
    Throwable malformed = response.decoderResult().cause();
    if (malformed != null) {
      return ResponseRules.refused(String.valueOf(malformed.getMessage()), malformed);
    }
    String mistake = isSwitching(response) ? mistake(response) : null;
    return mistake == null
        ? new WebSocketRefusedException(uri, response)
        : new ProtocolException(
            "the handshake of %s is wrong: %s".formatted(uri, ReportText.escaped(mistake)));
  }

  /// {@return what is wrong with a response that switches the protocol; null for nothing}
  private @Nullable String mistake(HttpResponse response) {
    HttpHeaders headers = response.headers();
    if (!headers.contains(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)) {
      return "Upgrade=%s; required: websocket".formatted(headers.get(HttpHeaderNames.UPGRADE));
    }
    if (!headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)) {
      return "Connection=%s; required: upgrade".formatted(headers.get(HttpHeaderNames.CONNECTION));
    }
    String accept = headers.get(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT);
    if (accept == null || !accept.strip().equals(accepted(key))) {
      return "Sec-WebSocket-Accept=%s; required: %s".formatted(accept, accepted(key));
    }
    String extensions = headers.get(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS);
    if (extensions != null) {
      return "Sec-WebSocket-Extensions=%s; required: none".formatted(extensions);
    }
    List<String> chosen = headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL);
    return chosen.isEmpty() || (chosen.size() == 1 && settings.subprotocols().containsAll(chosen))
        ? null
        : "Sec-WebSocket-Protocol=%s; required: one of %s or none"
            .formatted(String.join(", ", chosen), settings.subprotocols());
  }

  private static String accepted(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1")
              .digest((key + KEY_SUFFIX).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-1", e);
    }
  }
}
