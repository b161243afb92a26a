package dev.rondo.http.server;

import dev.rondo.http.files.StaticFiles;
import dev.rondo.http.internal.HeadRules;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.LoopControl;
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

/// What a server answers, and what it allows. Made by [HttpServer#builder].
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

  /// Adds a handler. Requests for a path that has handlers, but not of their method, are answered
  /// with status 405; those for other paths with 404. A handler of GET answers HEAD, too: what it
  /// writes is counted and not sent.
  ///
  /// @param method of the requests
  /// @param path begins with `/`. A segment `{name}` stands for any one, and as the last segment
  ///   `{name...}` for any number of them, at least one, which may be empty: see
  ///   [HttpExchange#pathParameter]. Paths without parameters take precedence, then the one that
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

  /// Has the files of a folder sent, for GET and HEAD. Names with an encoded slash are answered
  /// with status 404: they would evade the handlers of other paths.
  ///
  /// @param path ends with a parameter for the name, as in `/static/{name...}`
  /// @param files which, and how
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

  /// Has connections encrypted, with a context of Netty's. Clients can speak HTTP/2 if it
  /// negotiates that by ALPN.
  ///
  /// @param context for servers
  /// @return this
  /// @throws IllegalArgumentException if it is one for clients
  public HttpServerBuilder tls(SslContext context) {
    tls = ServerTls.forServers(context);
    return this;
  }

  /// Has connections encrypted, by the JDK's provider with TLS 1.3 and 1.2. Clients choose HTTP/2
  /// or HTTP/1.1. Never a suspension point; reads the files.
  ///
  /// @param certificates a PEM file with the server's certificate, followed by those that lead to a
  ///   root
  /// @param privateKey a PEM file with the key, in PKCS#8, without a password
  /// @return this
  /// @throws IOException if a file cannot be read, or has none
  public HttpServerBuilder tls(Path certificates, Path privateKey) throws IOException {
    Objects.requireNonNull(certificates, "certificates is null");
    Objects.requireNonNull(privateKey, "privateKey is null");
    return tls(ServerTls.of(certificates, privateKey));
  }

  /// Has connections encrypted, by the JDK's provider with TLS 1.3 and 1.2. Clients choose HTTP/2
  /// or HTTP/1.1. Never a suspension point.
  ///
  /// @param keys with the key and the certificates of the server
  /// @param password of the key
  /// @return this
  /// @throws IOException if the key cannot be used
  public HttpServerBuilder tls(KeyStore keys, char[] password) throws IOException {
    Objects.requireNonNull(keys, "keys is null");
    Objects.requireNonNull(password, "password is null");
    return tls(ServerTls.of(keys, password));
  }

  /// Sets what clients may demand. The default is [HttpLimits#USUAL].
  ///
  /// @param allowed for each client, and for all
  /// @return this
  public HttpServerBuilder limits(HttpLimits allowed) {
    limits = Objects.requireNonNull(allowed, "allowed is null");
    return this;
  }

  /// Has responses compressed for clients that accept it. The default is none.
  ///
  /// @param wanted which responses, and how
  /// @return this
  public HttpServerBuilder compression(HttpCompression wanted) {
    compression = Objects.requireNonNull(wanted, "wanted is null");
    return this;
  }

  /// Sets what the server answers instead of a handler: to requests that it refuses or finds no
  /// handler for, and when a handler has failed or has thrown an [HttpStatusException]. The default
  /// is the exception's message as plain text.
  ///
  /// @param contentType of these bodies, as `application/problem+json`
  /// @param body makes one of the status and the message, whose characters it has to escape. It
  ///   runs in the task of the request, and must not suspend. What it throws goes to the
  ///   scheduler's [dev.rondo.scheduler.FailureHandler], and the client receives the default
  /// @return this
  /// @throws IllegalArgumentException if the type has control characters
  public HttpServerBuilder errors(
      String contentType, Function<? super HttpStatusException, String> body) {
    Objects.requireNonNull(contentType, "contentType is null");
    Objects.requireNonNull(body, "body is null");
    errors = new HttpErrors(HeadRules.value("contentType", contentType), body);
    return this;
  }

  /// Sets what is called after each request, refused ones included. The default does nothing.
  ///
  /// @param log runs in the task of the request; what it throws goes to the scheduler's
  ///   [dev.rondo.scheduler.FailureHandler]
  /// @return this
  public HttpServerBuilder accessLog(Consumer<HttpAccess> log) {
    accessLog = Objects.requireNonNull(log, "log is null");
    return this;
  }

  /// Sets the clock of the `Date` header and of the access log. The default is the wall clock of
  /// the scheduler: the system's, or that of a test or a simulation.
  ///
  /// @param source the time of day
  /// @return this
  public HttpServerBuilder clock(InstantSource source) {
    clock = Objects.requireNonNull(source, "source is null");
    return this;
  }

  /// Lets pages of other origins open WebSockets here, in a browser. The default is the origin of
  /// this server only: that of the request's `Host`. The others are refused with status 403.
  /// Clients that are no browsers send no `Origin`, and are not refused.
  ///
  /// @param others such as `https://example.com`, with a port unless it is the usual one; `null` as
  ///   a text is what browsers send for files and for frames in a sandbox. `*` stands for all
  ///   pages: any page that a user of this server visits acts with the cookies of that user, so it
  ///   is for handlers that do without cookies, and clients on addresses that are not secret
  /// @return this
  /// @throws IllegalArgumentException if one is no origin
  public HttpServerBuilder webSocketOrigins(String... others) {
    origins = WebSocketOrigins.of(Objects.requireNonNull(others, "others is null"));
    return this;
  }

  /// Lets servers of other loops listen on the same port, each built so. The system deals out the
  /// connections; see [WaitForNetty#reusePort()].
  ///
  /// @return this
  public HttpServerBuilder reusePort() {
    portShared = true;
    return this;
  }

  /// Sets options of Netty's, of the listening channel and of connections.
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
  /// @throws IllegalStateException if it was called before, or if the scheduler has no timers:
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
