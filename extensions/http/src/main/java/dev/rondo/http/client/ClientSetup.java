package dev.rondo.http.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.handler.ssl.SslContext;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The settings of a client.
///
/// @param limits what it opens and takes
/// @param redirects which it follows
/// @param tls for origins of https; made once
/// @param offersHttp2 whether a server of https may choose HTTP/2
/// @param knowsHttp2 whether servers of http speak HTTP/2
/// @param proxy null if all servers are asked directly
/// @param sockets whether connections become WebSockets
/// @param options sets those of connections
record ClientSetup(
    HttpClientLimits limits,
    HttpRedirects redirects,
    Supplier<SslContext> tls,
    boolean offersHttp2,
    boolean knowsHttp2,
    @Nullable HttpProxy proxy,
    boolean sockets,
    Consumer<Bootstrap> options) {

  /// {@return the proxy through which an origin is asked; null if it is asked directly}
  @Nullable HttpProxy proxyFor(Origin origin) {
    HttpProxy own = proxy;
    return own != null && own.isFor(origin) ? own : null;
  }

  /// Whether a proxy has to pass on bytes, and not requests.
  boolean tunnels(Origin origin) {
    return origin.secure() || knowsHttp2 || sockets;
  }

  /// {@return the same for connections that become WebSockets, of HTTP/1.1}
  ClientSetup forSockets() {
    return new ClientSetup(limits, redirects, tls, false, false, proxy, true, options);
  }
}
