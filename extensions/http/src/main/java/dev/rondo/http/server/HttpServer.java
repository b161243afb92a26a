package dev.rondo.http.server;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.internal.BodyMemory;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A server for HTTP/2, HTTP/1.1 and HTTP/1.0. Netty parses and writes the messages. A task answers
/// each request, with code that reads and writes as blocking code does.
///
/// ```java
/// HttpServer server =
///     HttpServer.builder(scheduler)
///         .get("/hello/{name}", exchange -> exchange.respondText("Hello " + exchange.pathParameter("name")))
///         .listen(new InetSocketAddress(8080));
/// ```
///
/// **Protocols.** With TLS the client chooses by ALPN. Without TLS, HTTP/2 requires prior
/// knowledge.
///
/// **Order.** The requests of one HTTP/1.1 connection are answered one after the other. If the
/// client sends requests ahead, 16 of them, or parts of their bodies, are read, and the others wait
/// in the client's system. HTTP/2 streams, and requests of different connections, are answered
/// concurrently.
///
/// **Clients that go.** If a client resets an HTTP/2 stream, closes an HTTP/2 connection or resets
/// an HTTP/1.1 connection before the response is complete, the task of the request is cancelled.
/// Its reads and writes fail with a [dev.rondo.io.ConnectionResetException]. An HTTP/1.1 client
/// that ends its direction may still wait for the response, and receives it.
///
/// **Strictness.** A request whose end is not certain by RFC 9112, or that is malformed otherwise,
/// is answered with an error, and its connection is closed.
///
/// A server keeps the scheduler running until it is closed or its shutdown is complete. Confined to
/// the scheduler's thread.
public final class HttpServer implements AutoCloseable {

  /// The pause after the system has refused a connection, because there are no descriptors for
  /// instance.
  private static final Duration PAUSE = Duration.ofMillis(100);

  /// The time between two reports of refused connections.
  private static final Duration SILENCE = Duration.ofMinutes(1);

  // For its connections.

  final Scheduler scheduler;
  final AddOnHost host;
  final TaskControl tasks;
  final Routes routes;
  final HttpLimits limits;

  /// The limit of a request body.
  final long mostBodyBytes;

  /// The time of day.
  final InstantSource clock;

  /// The responses that are compressed; null for none.
  final @Nullable HttpCompression compression;

  final WebSocketOrigins origins;
  final HttpErrors errors;
  final BodyMemory bodyMemory;
  final HeaderValues headerValues;

  /// Whether a task waits until the end of its response is sent. It waits if tasks have their own
  /// threads, and for an access log, which has the time of the end.
  final boolean waitsForEnds;

  /// Whether the server has stopped accepting connections and requests.
  boolean draining;

  /// Receives each request; null for none.
  final @Nullable Consumer<HttpAccess> accessLog;

  // Its own.

  private final NettyListener listener;
  private final ServerPipeline pipeline;
  private final SocketAddress address;
  private final TaskGroup<@Nullable Object> group;
  private final Set<HttpConnection> open = new LinkedHashSet<>();

  /// Accepts connections. Suspended while [#pausing].
  private @Nullable Task<Void> task;

  private boolean pausing;
  private long requests;

  /// The number of connections that the system has refused since the last report.
  private int refused;

  private long silentUntilNanos;

  HttpServer(HttpServerBuilder setup, NettyListener listener, ServerPipeline pipeline) {
    this.scheduler = setup.scheduler;
    this.host = scheduler.host();
    this.tasks = TaskControl.of(host);
    this.routes = setup.routes;
    this.limits = setup.limits;
    this.mostBodyBytes = limits.bodyBytes();
    this.clock = setup.clock;
    this.compression = setup.compression;
    this.origins = setup.origins;
    this.errors = setup.errors;
    this.accessLog = setup.accessLog;
    this.waitsForEnds = accessLog != null || !LoopControl.of(host).backend().sharesThread();
    this.listener = listener;
    this.pipeline = pipeline;
    this.address = listener.localAddress();
    this.silentUntilNanos = host.nowNanos();
    this.bodyMemory = new BodyMemory(scheduler, limits.allBodiesBytes(), mostBodyBytes);
    this.headerValues = new HeaderValues(host, clock);
    this.group = scheduler.newGroup("http " + address, TaskGroup.Policy.SUPERVISE);
  }

  /// {@return a builder of a server} Never a suspension point.
  ///
  /// @param scheduler whose tasks answer the requests
  public static HttpServerBuilder builder(Scheduler scheduler) {
    return new HttpServerBuilder(Objects.requireNonNull(scheduler, "scheduler is null"));
  }

  void start() {
    task = scheduler.spawn("http server " + address, () -> group.run(this::acceptAll));
  }

  private void acceptAll() {
    while (!draining) {
      try {
        awaitRoom();
        if (!draining) {
          accept(ChannelControl.of(listener.accept()));
        }
      } catch (ChannelClosedException e) {
        return; // the server ends
      } catch (IOException e) {
        refused(e);
        pauseAWhile();
      }
    }
  }

  /// The system has refused a connection, and may refuse more. A report of each would fill the log.
  private void refused(IOException why) {
    refused++;
    long nowNanos = host.nowNanos();
    if (nowNanos - silentUntilNanos >= 0) {
      host.report(
          toString(),
          refused == 1
              ? why
              : new IOException(
                  "%d times since the last report: %s".formatted(refused, why.getMessage()), why));
      silentUntilNanos = nowNanos + SILENCE.toNanos();
      refused = 0;
    }
  }

  private void accept(ChannelControl channel) {
    var connection = new HttpConnection(this, group, channel);
    open.add(connection);
    connection.serve();
  }

  void ended(HttpConnection connection) {
    open.remove(connection);
    makeRoom();
  }

  private void awaitRoom() {
    while (open.size() >= limits.connections() && !draining) {
      pause();
    }
  }

  /// Suspends the accepting task until there is room, or the server ends.
  private void pause() {
    pausing = true;
    try {
      var _ = scheduler.suspend();
    } finally {
      pausing = false;
    }
  }

  private void pauseAWhile() {
    try {
      scheduler.within(PAUSE, this::pause);
    } catch (TimedOutException e) {
      // that was all
    }
  }

  private void makeRoom() {
    Task<Void> accepting = task;
    if (pausing && accepting != null) {
      pausing = false;
      boolean _ = scheduler.scheduleTask(accepting);
    }
  }

  // For its connections.

  /// A request has been answered.
  void answered() {
    requests++;
  }

  /// Adds a request to the access log.
  void log(Supplier<HttpAccess> access) {
    Consumer<HttpAccess> log = Objects.requireNonNull(accessLog, "there is no log");
    try {
      log.accept(access.get());
    } catch (RuntimeException e) {
      host.report("access log of " + this, e);
    }
  }

  // For its owner.

  /// {@return the address, with the port that the system has chosen} Never a suspension point.
  public SocketAddress localAddress() {
    return address;
  }

  /// {@return the number of open connections} Never a suspension point.
  public int connectionCount() {
    return open.size();
  }

  /// {@return the number of answered requests, including refused requests} Never a suspension
  /// point.
  public long requestCount() {
    return requests;
  }

  /// Encrypts further connections with another certificate, for instance before the present
  /// certificate expires. Open connections go on. Never a suspension point; reads the files.
  ///
  /// @param certificates as for [HttpServerBuilder#tls(Path, Path)]
  /// @param privateKey as for [HttpServerBuilder#tls(Path, Path)]
  /// @throws IllegalStateException if the server was built without TLS
  /// @throws IOException if a file cannot be read, or has no certificate or key; the present
  ///   certificate stays
  public void tls(Path certificates, Path privateKey) throws IOException {
    Objects.requireNonNull(certificates, "certificates is null");
    Objects.requireNonNull(privateKey, "privateKey is null");
    pipeline.tls(ServerTls.of(certificates, privateKey));
  }

  /// Encrypts further connections with another Netty context, as [#tls(Path, Path)]. Never a
  /// suspension point.
  ///
  /// @param context for servers
  /// @throws IllegalStateException if the server was built without TLS
  /// @throws IllegalArgumentException if the context is for clients
  public void tls(SslContext context) {
    pipeline.tls(ServerTls.forServers(context));
  }

  /// Ends the server in order. It accepts no more connections, closes connections that wait for a
  /// request, and answers the open requests with `Connection: close`. An HTTP/2 client is asked to
  /// open no more streams, and has a second to leave; requests that it sends meanwhile are
  /// answered. The first request of an HTTP/1.1 client is answered if it comes within a second
  /// after the connect. When all requests are answered, or the grace is over, the server closes. A
  /// connection whose client has its response and leaves its own direction open stays for up to a
  /// second more, within the grace. A *possible* suspension point. A handler must not call this,
  /// because it would wait for itself.
  ///
  /// @param grace at least zero
  /// @return whether all requests were answered in time
  /// @throws IllegalArgumentException if it is negative; the server goes on
  public boolean shutdown(Duration grace) {
    if (Objects.requireNonNull(grace, "grace is null").isNegative()) {
      throw new IllegalArgumentException("grace=%s; required >= 0".formatted(grace));
    }
    stopAccepting();
    long deadlineNanos = host.deadlineAfter(grace);
    List.copyOf(open).forEach(HttpConnection::drain);
    try {
      scheduler.within(grace, this::join);
    } catch (TimedOutException e) {
      close();
      join();
      return false;
    }
    awaitClosed(deadlineNanos - host.nowNanos());
    return true;
  }

  /// Waits until the clients have ended their directions, too.
  private void awaitClosed(long mostNanos) {
    try {
      scheduler.within(
          Duration.ofNanos(Math.max(0, mostNanos)),
          () -> List.copyOf(open).forEach(HttpConnection::awaitClosed));
    } catch (TimedOutException e) {
      // each ends after its own time
    }
  }

  private void join() {
    Task<Void> serving = task;
    if (serving != null) {
      try {
        var _ = serving.join();
      } catch (CancellationException e) {
        // closed
      }
    }
  }

  private void stopAccepting() {
    host.checkThread();
    draining = true;
    listener.close();
    makeRoom();
  }

  /// Ends the server at once: closes all connections, and cancels the tasks of their requests.
  /// Nothing happens if it is closed already. Never a suspension point.
  @Override
  public void close() {
    stopAccepting();
    List.copyOf(open).forEach(HttpConnection::close);
    group.cancel("the server is closed");
  }

  @Override
  public String toString() {
    return "http server " + address;
  }
}
