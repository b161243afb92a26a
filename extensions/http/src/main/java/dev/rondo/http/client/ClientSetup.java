package dev.rondo.http.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.handler.ssl.SslContext;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The settings of a client.
///
/// @param limits of the client
/// @param redirects that the client follows
/// @param tls for origins of https; made once
/// @param offersHttp2 whether a server of https may choose HTTP/2
/// @param knowsHttp2 whether servers of http speak HTTP/2
/// @param proxy null for direct connections to all servers
/// @param sockets whether connections become WebSockets
/// @param options sets the options of connections
record ClientSetup(
    HttpClientLimits limits,
    HttpRedirects redirects,
    Supplier<SslContext> tls,
    boolean offersHttp2,
    boolean knowsHttp2,
    @Nullable HttpProxy proxy,
    boolean sockets,
    Consumer<Bootstrap> options) {

  /// {@return the proxy for an origin; null for a direct connection}
  @Nullable HttpProxy proxyFor(Origin origin) {
    HttpProxy own = proxy;
    return own != null && own.isFor(origin) ? own : null;
  }

  /// Whether a proxy must pass on bytes instead of requests.
  boolean tunnels(Origin origin) {
    return origin.secure() || knowsHttp2 || sockets;
  }

  /// {@return the same setup for HTTP/1.1 connections that become WebSockets}
  ClientSetup forSockets() {
    return new ClientSetup(limits, redirects, tls, false, false, proxy, true, options);
  }
}
