package dev.rondo.http.client;

import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.http.websocket.internal.WebSocketArrival;
import dev.rondo.http.websocket.internal.WebSocketConnection;
import dev.rondo.http.websocket.internal.WebSocketEnd;
import dev.rondo.http.websocket.internal.WebSocketFrames;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Scheduler;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Opens the WebSockets of a client, each in the task that needs it. When the client is closed,
/// this closes all open sockets.
///
/// Confined to the scheduler's thread.
final class ClientSockets {

  private static final String PLAIN = "ws";
  private static final String SECURE = "wss";

  private final Scheduler scheduler;
  private final ClientConnector connector;
  private final HttpClientLimits limits;
  private final Set<ChannelControl> open = new LinkedHashSet<>();
  private boolean closed;

  /// @param connector opens connections that become sockets
  ClientSockets(Scheduler scheduler, ClientConnector connector, HttpClientLimits limits) {
    this.scheduler = scheduler;
    this.connector = connector;
    this.limits = limits;
  }

  /// {@return a URI whose WebSocket scheme is replaced by the HTTP scheme; other URIs as they are}
  static URI ofHttp(URI uri) {
    String scheme = uri.getScheme();
    boolean secure = SECURE.equalsIgnoreCase(scheme);
    return secure || PLAIN.equalsIgnoreCase(scheme)
        ? URI.create((secure ? "https" : "http") + uri.toString().substring(scheme.length()))
        : uri;
  }

  /// Opens a socket. A *possible* suspension point. On any failure the connection is closed.
  ///
  /// @param asked its URI, for messages
  WebSocket open(URI asked, Hop hop, WebSocketSettings settings) throws IOException {
    requireOpen(hop);
    ClientConnector.Opened opened = connector.open(hop.origin());
    ChannelControl channel = opened.channel();
    var _ = open.add(channel);
    channel.channel().closeFuture().addListener(done -> open.remove(channel));
    boolean done = false;
    try {
      requireOpen(hop);
      if (opened.peer() != null) {
        throw new ProtocolException(
            "%s has chosen HTTP/2; required for a WebSocket: HTTP/1.1".formatted(hop.origin()));
      }
      WebSocket socket = shake(asked, hop, settings, channel);
      done = true;
      return socket;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  private void requireOpen(Hop hop) throws ChannelClosedException {
    if (closed) {
      throw new ChannelClosedException(
          "web socket to %s: the client is closed".formatted(hop.origin()));
    }
  }

  private WebSocket shake(URI asked, Hop hop, WebSocketSettings settings, ChannelControl channel)
      throws IOException {
    var requests = new ClientWire(scheduler, channel, limits.progress());
    var wire = new ClientSocketWire(scheduler, channel, limits.progress());
    var end = new WebSocketEnd(wire, null);
    var arrival = new WebSocketArrival(scheduler, wire, null);
    var frames = new WebSocketFrames(channel, settings.ping(), end, arrival);
    var handshake = new ClientHandshake(settings, frames);
    HttpHeaders headers = hop.headers().copy();
    if (!headers.contains(HttpHeaderNames.HOST)) {
      headers.set(HttpHeaderNames.HOST, hop.origin().authority());
    }
    handshake.ask(headers);
    ChannelPipeline pipeline = channel.channel().pipeline();
    String decoder = pipeline.context(ResponseDecoder.class).name();
    pipeline.addAfter(decoder, null, handshake);
    requests.expect(false);
    requests.send(
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            hop.method(),
            hop.target(),
            Unpooled.EMPTY_BUFFER,
            headers,
            EmptyHttpHeaders.INSTANCE));
    HttpResponse response = requests.receiveHead(limits.response());
    if (response == null) {
      throw new SocketTimeoutException("%s: no response in %s".formatted(asked, limits.response()));
    }
    try {
      if (!handshake.isShaken()) {
        throw handshake.failure(asked, response);
      }
      return new WebSocketConnection(
          scheduler, wire, ClientHandshake.subprotocol(response), end, arrival);
    } finally {
      ReferenceCountUtil.release(response);
    }
  }

  /// Closes all sockets.
  void close() {
    closed = true;
    for (ChannelControl each : List.copyOf(open)) {
      if (each.isOpen()) {
        boolean _ = each.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        each.close();
      }
    }
  }
}
