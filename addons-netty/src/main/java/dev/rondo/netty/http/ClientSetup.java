package dev.rondo.netty.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.handler.ssl.SslContext;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// What a client was built with.
///
/// @param limits what it opens and takes
/// @param redirects which it follows
/// @param tls for origins of https; made once
/// @param offersHttp2 whether a server of https may choose HTTP/2
/// @param knowsHttp2 whether servers of http speak HTTP/2
/// @param options sets those of connections
record ClientSetup(
    HttpClientLimits limits,
    HttpRedirects redirects,
    Supplier<SslContext> tls,
    boolean offersHttp2,
    boolean knowsHttp2,
    Consumer<Bootstrap> options) {}
