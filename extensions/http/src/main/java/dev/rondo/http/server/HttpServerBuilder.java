package dev.rondo.http.server;

import dev.rondo.http.files.StaticFiles;
import dev.rondo.http.internal.HeadRules;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The routes and the settings of a server. Made by [HttpServer#builder].
///
/// Confined to the scheduler's thread. Can be used once.
public final class HttpServerBuilder {

  final Scheduler scheduler;
  final Routes routes = new Routes();
  HttpLimits limits = HttpLimits.USUAL;
  InstantSource clock;
  private @Nullable SslContext tls;
  @Nullable Consumer<HttpAccess> accessLog;
  private Consumer<ServerBootstrap> options = bootstrap -> {};
  @Nullable HttpCompression compression;
  WebSocketOrigins origins = WebSocketOrigins.SAME;
  HttpErrors errors = HttpErrors.USUAL;
  private boolean portShared;
  private boolean used;

  HttpServerBuilder(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.clock = LoopControl.of(scheduler.host()).wallClock();
  }

  /// Adds a handler. Requests for a path that has handlers only for other methods are answered with
  /// status 405, requests for other paths with 404. A GET handler answers HEAD too: the bytes that
  /// it writes are counted and not sent.
  ///
  /// @param method of the requests
  /// @param path begins with `/`. A segment `{name}` stands for any segment. A last segment
  ///   `{name...}` stands for one or more segments, which may be empty: see
  ///   [HttpExchange#pathParameter]. Paths without parameters take precedence, then the path that
  ///   was added first.
  /// @param handler runs in a task for each request
  /// @return this
  /// @throws IllegalArgumentException if the path is malformed, or has a handler of this method
  public HttpServerBuilder route(HttpMethod method, String path, HttpHandler handler) {
    Objects.requireNonNull(method, "method is null");
    Objects.requireNonNull(path, "path is null");
    Objects.requireNonNull(handler, "handler is null");
    routes.add(method, path, handler);
    return this;
  }

  /// [#route] for GET and HEAD.
  ///
  /// @param path see [#route]
  /// @param handler runs in a task for each request
  /// @return this
  public HttpServerBuilder get(String path, HttpHandler handler) {
    return route(HttpMethod.GET, path, handler);
  }

  /// [#route] for POST.
  ///
  /// @param path see [#route]
  /// @param handler runs in a task for each request
  /// @return this
  public HttpServerBuilder post(String path, HttpHandler handler) {
    return route(HttpMethod.POST, path, handler);
  }

  /// Sends the files of a folder, for GET and HEAD. Names with an encoded slash are answered with
  /// status 404, because they would evade the handlers of other paths.
  ///
  /// @param path ends with a parameter for the name, as in `/static/{name...}`
  /// @param files of the folder
  /// @return this
  /// @throws IllegalArgumentException if the path does not end so, or has a handler of GET
  public HttpServerBuilder files(String path, StaticFiles files) {
    Objects.requireNonNull(path, "path is null");
    Objects.requireNonNull(files, "files is null");
    String parameter = Routes.restOf(path);
    return get(
        path,
        exchange -> {
          if (RequestTarget.hasEncodedSlash(exchange.path())) {
            throw FileResponse.missing();
          }
          exchange.respondFile(files, exchange.pathParameter(parameter));
        });
  }

  /// Encrypts connections with a Netty context. Clients can speak HTTP/2 if the context negotiates
  /// it by ALPN.
  ///
  /// @param context for servers
  /// @return this
  /// @throws IllegalArgumentException if the context is for clients
  public HttpServerBuilder tls(SslContext context) {
    tls = ServerTls.forServers(context);
    return this;
  }

  /// Encrypts connections by the JDK's provider with TLS 1.3 and 1.2. Clients choose HTTP/2 or
  /// HTTP/1.1. Never a suspension point; reads the files.
  ///
  /// @param certificates a PEM file with the server's certificate, followed by its chain up to a
  ///   root
  /// @param privateKey a PEM file with the key, in PKCS#8, without a password
  /// @return this
  /// @throws IOException if a file cannot be read, or has no certificate or key
  public HttpServerBuilder tls(Path certificates, Path privateKey) throws IOException {
    Objects.requireNonNull(certificates, "certificates is null");
    Objects.requireNonNull(privateKey, "privateKey is null");
    return tls(ServerTls.of(certificates, privateKey));
  }

  /// Encrypts connections by the JDK's provider with TLS 1.3 and 1.2. Clients choose HTTP/2 or
  /// HTTP/1.1. Never a suspension point.
  ///
  /// @param keys a store with the key and the certificates of the server
  /// @param password of the key
  /// @return this
  /// @throws IOException if the key cannot be used
  public HttpServerBuilder tls(KeyStore keys, char[] password) throws IOException {
    Objects.requireNonNull(keys, "keys is null");
    Objects.requireNonNull(password, "password is null");
    return tls(ServerTls.of(keys, password));
  }

  /// Sets the limits for clients. The default is [HttpLimits#USUAL].
  ///
  /// @param allowed for each client, and for all
  /// @return this
  public HttpServerBuilder limits(HttpLimits allowed) {
    limits = Objects.requireNonNull(allowed, "allowed is null");
    return this;
  }

  /// Compresses responses for clients that accept it. By default responses are not compressed.
  ///
  /// @param wanted the responses and the level
  /// @return this
  public HttpServerBuilder compression(HttpCompression wanted) {
    compression = Objects.requireNonNull(wanted, "wanted is null");
    return this;
  }

  /// Sets the bodies of error responses: for refused requests, for requests without a handler, and
  /// after a handler has failed or has thrown an [HttpStatusException]. The default is the
  /// exception's message as plain text.
  ///
  /// @param contentType of these bodies, such as `application/problem+json`
  /// @param body makes a body from the status and the message, and must escape the message. It runs
  ///   in the task of the request, and must not suspend. If it fails, the scheduler's
  ///   [dev.rondo.scheduler.FailureHandler] receives the failure, and the client receives the
  ///   default
  /// @return this
  /// @throws IllegalArgumentException if the type has control characters
  public HttpServerBuilder errors(
      String contentType, Function<? super HttpStatusException, String> body) {
    Objects.requireNonNull(contentType, "contentType is null");
    Objects.requireNonNull(body, "body is null");
    errors = new HttpErrors(HeadRules.value("contentType", contentType), body);
    return this;
  }

  /// Sets the access log, which is called after each request, including refused requests. By
  /// default there is none.
  ///
  /// @param log runs in the task of the request; its failures go to the scheduler's
  ///   [dev.rondo.scheduler.FailureHandler]
  /// @return this
  public HttpServerBuilder accessLog(Consumer<HttpAccess> log) {
    accessLog = Objects.requireNonNull(log, "log is null");
    return this;
  }

  /// Sets the clock of the `Date` header and of the access log. The default is the wall clock of
  /// the scheduler: the system's clock, or the clock of a test or a simulation.
  ///
  /// @param source the time of day
  /// @return this
  public HttpServerBuilder clock(InstantSource source) {
    clock = Objects.requireNonNull(source, "source is null");
    return this;
  }

  /// Lets pages of other origins open WebSockets here from a browser. By default only pages of this
  /// server may, whose origin is the request's `Host`. Other origins are refused with status 403.
  /// Clients other than browsers send no `Origin`, and are not refused.
  ///
  /// @param others such as `https://example.com`, with a port unless it is the default port.
  ///   Browsers send the text `null` for files and for sandboxed frames. `*` stands for all pages.
  ///   Use it only if handlers need no cookies and the server is public: any page that a user
  ///   visits can then act with the cookies of that user
  /// @return this
  /// @throws IllegalArgumentException if a text is not an origin
  public HttpServerBuilder webSocketOrigins(String... others) {
    origins = WebSocketOrigins.of(Objects.requireNonNull(others, "others is null"));
    return this;
  }

  /// Lets servers of other loops listen on the same port, if each is built with this setting. The
  /// system distributes the connections; see [WaitForNetty#reusePort()].
  ///
  /// @return this
  public HttpServerBuilder reusePort() {
    portShared = true;
    return this;
  }

  /// Sets Netty options of the listening channel and of connections.
  ///
  /// @param setter called once, by [#listen]; it must not set handlers
  /// @return this
  public HttpServerBuilder options(Consumer<ServerBootstrap> setter) {
    options = Objects.requireNonNull(setter, "setter is null");
    return this;
  }

  /// Begins to serve. A *possible* suspension point.
  ///
  /// @param address resolved; port 0 for any free one, see [HttpServer#localAddress()]
  /// @return the server, which the caller closes
  /// @throws IllegalStateException if this was called before, or if the scheduler has no timers:
  ///   install `WaitForTime`
  /// @throws IOException if the port is in use or not allowed
  public HttpServer listen(SocketAddress address) throws IOException {
    Objects.requireNonNull(address, "address is null");
    if (used) {
      throw new IllegalStateException("this builder was used; make another one");
    }
    if (!LoopControl.of(scheduler.host()).hasTimerService()) {
      throw new IllegalStateException(
          "the limits of a server require timers: call WaitForTime.on(scheduler) before");
    }
    used = true;
    WaitForNetty netty = WaitForNetty.on(scheduler);
    ServerBootstrap bootstrap = netty.serverBootstrap();
    // A client may end its direction and wait for the response.
    var _ = bootstrap.childOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    if (portShared) {
      var _ = bootstrap.option(netty.reusePort(), true);
    }
    options.accept(bootstrap);
    var pipeline = new ServerPipeline(netty, limits, tls);
    NettyListener listener = netty.listen(bootstrap.childHandler(pipeline), address);
    var server = new HttpServer(this, listener, pipeline);
    server.start();
    return server;
  }
}
