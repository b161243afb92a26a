package dev.rondo.http.client;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.internal.LingeringClose;
import dev.rondo.scheduler.internal.ReportText;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.proxy.HttpProxyHandler;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// The handlers of one connection of a client.
///
/// Confined to the scheduler's thread.
final class ClientPipeline extends ChannelInitializer<Channel> {

  /// The time that a connection has to close after its streams have ended.
  private static final long CLOSE_MILLIS = 1_000;

  /// The rules of RFC 2818 for the name in a certificate.
  private static final String NAME_RULES = "HTTPS";

  private final ClientSetup setup;
  private final Origin origin;

  /// The server's address, or the proxy's.
  private final SocketAddress address;

  /// Fulfilled when requests can be sent, with null for HTTP/1.1. The field is null before the
  /// channel is made.
  private @Nullable Promise<@Nullable Http2Peer> ready;

  /// @param address of the channel's peer: the server or the proxy
  ClientPipeline(ClientSetup setup, Origin origin, SocketAddress address) {
    this.setup = setup;
    this.origin = origin;
    this.address = address;
  }

  Promise<@Nullable Http2Peer> ready() {
    Promise<@Nullable Http2Peer> own = ready;
    if (own == null) {
      throw new IllegalStateException("there is no channel");
    }
    return own;
  }

  @Override
  protected void initChannel(Channel channel) throws Exception {
    Promise<@Nullable Http2Peer> own = channel.eventLoop().newPromise();
    ready = own;
    ChannelPipeline pipeline = channel.pipeline();
    HttpProxy proxy = setup.proxyFor(origin);
    if (origin.secure() || setup.knowsHttp2()) {
      LingeringClose.install(channel, MessageWire.LINGER);
    }
    if (proxy != null && setup.tunnels(origin)) {
      var _ = pipeline.addLast(tunnel(proxy, own), new ToServer());
    }
    if (origin.secure()) {
      SslHandler secure = handler(setup.tls().get(), channel);
      secure
          .handshakeFuture()
          .addListener(done -> {
            if (!done.isSuccess()) {
              var _ = own.tryFailure(failureOf(done.cause()));
            }
          });
      var _ = pipeline.addLast(secure, new ByAlpn(own));
    } else if (setup.knowsHttp2()) {
      http2(own).forEach(pipeline::addLast);
    } else {
      http1().forEach(pipeline::addLast);
      var _ = own.setSuccess(null);
    }
  }

  /// Makes the proxy connect to the server before the other handlers send anything.
  private HttpProxyHandler tunnel(HttpProxy proxy, Promise<@Nullable Http2Peer> own) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    String credentials = proxy.authorization();
    if (credentials != null) {
      var _ = headers.set(HttpHeaderNames.PROXY_AUTHORIZATION, credentials);
    }
    var handler = new HttpProxyHandler(address, headers);
    handler.setConnectTimeoutMillis(0); // the connector has its own limit
    handler
        .connectFuture()
        .addListener(done -> {
          if (!done.isSuccess()) {
            var _ = own.tryFailure(failureOf(done.cause()));
          }
        });
    return handler;
  }

  /// Closes a channel whose tunnel is not open yet. Otherwise TLS would wait until it could send
  /// its close.
  static void abandonTunnel(Channel channel) {
    channel
        .eventLoop()
        .execute(() -> {
          HttpProxyHandler handler = channel.pipeline().get(HttpProxyHandler.class);
          if (handler != null && !handler.isConnected()) {
            channel.unsafe().close(channel.newPromise());
          }
        });
  }

  /// The proxy looks up the server's name.
  private final class ToServer extends ChannelOutboundHandlerAdapter {
    @Override
    public void connect(
        ChannelHandlerContext context,
        SocketAddress remote,
        @Nullable SocketAddress local,
        ChannelPromise promise) {
      var server = InetSocketAddress.createUnresolved(origin.host(), origin.port());
      var _ = context.connect(server, local, promise);
    }
  }

  private Throwable failureOf(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof ProxyConnectException) { // also the failure of TLS, which cannot begin
        var refused =
            new ConnectException(
                "%s opens no tunnel to %s: %s"
                    .formatted(
                        setup.proxy(),
                        origin,
                        ReportText.escaped(String.valueOf(each.getMessage()))));
        refused.initCause(each);
        return refused;
      }
    }
    return switch (cause) {
      case NotSslRecordException other -> // its message has the bytes
          new SSLException(
              "%s speaks no TLS; required for https and wss. http and ws have none"
                  .formatted(origin));
      case ClosedChannelException closed ->
          new ConnectionResetException("the server has closed the connection", closed);
      default -> cause;
    };
  }

  /// The certificate must be for the requested name.
  private SslHandler handler(SslContext context, Channel channel) {
    SslHandler handler = context.newHandler(channel.alloc(), origin.host(), origin.port());
    SSLEngine engine = handler.engine();
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm(NAME_RULES);
    if (setup.sockets()) { // also if the context offers HTTP/2
      parameters.setApplicationProtocols(new String[] {ApplicationProtocolNames.HTTP_1_1});
    }
    engine.setSSLParameters(parameters);
    handler.setHandshakeTimeout(0, TimeUnit.SECONDS);
    return handler;
  }

  /// The server's choice in the TLS handshake.
  private final class ByAlpn extends ApplicationProtocolNegotiationHandler {

    private final Promise<@Nullable Http2Peer> own;

    ByAlpn(Promise<@Nullable Http2Peer> own) {
      super(ApplicationProtocolNames.HTTP_1_1);
      this.own = own;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
      super.channelActive(context);
      var _ = context.read();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
      super.channelReadComplete(context);
      if (!own.isDone()) {
        var _ = context.read();
      }
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      boolean two = protocol.equals(ApplicationProtocolNames.HTTP_2);
      String last = context.name();
      for (ChannelHandler each : two ? http2(own) : http1()) {
        var _ = context.pipeline().addAfter(last, null, each);
        last = context.pipeline().context(each).name();
      }
      if (!two) {
        var _ = own.trySuccess(null);
      }
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.fireExceptionCaught(cause);
    }
  }

  private List<ChannelHandler> http1() {
    return List.of(new HttpRequestEncoder(), new ResponseDecoder(setup.limits()));
  }

  private List<ChannelHandler> http2(Promise<@Nullable Http2Peer> own) {
    Http2Settings settings =
        Http2Settings.defaultSettings()
            .pushEnabled(false)
            .maxHeaderListSize(setup.limits().headerBytes());
    return List.of(
        Http2FrameCodecBuilder.forClient()
            .initialSettings(settings)
            .gracefulShutdownTimeoutMillis(CLOSE_MILLIS)
            .build(),
        new Http2MultiplexHandler(new Unwanted()),
        new Http2Peer(own));
  }

  /// A stream that the server opens, which the settings do not allow.
  private static final class Unwanted extends ChannelInboundHandlerAdapter {
    @Override
    public void handlerAdded(ChannelHandlerContext context) throws IOException {
      var _ = context.close();
    }

    @Override
    public boolean isSharable() {
      return true;
    }
  }
}
