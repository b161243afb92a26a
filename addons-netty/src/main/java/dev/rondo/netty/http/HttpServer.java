package dev.rondo.netty.http;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import io.netty.handler.codec.DateFormatter;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A server of HTTP/1.1 and HTTP/1.0. Netty parses and writes the messages; each request is
/// answered by a task of its own, whose code reads and writes as blocking code does.
///
/// ```java
/// HttpServer server =
///     HttpServer.builder(scheduler)
///         .get("/hello/{name}", exchange -> exchange.respondText("Hello " + exchange.pathParameter("name")))
///         .listen(new InetSocketAddress(8080));
/// ```
///
/// **Order.** The requests of one connection are answered one after the other; those that the
/// client sends ahead wait in its own system. Those of different connections are answered
/// concurrently.
///
/// **Strictness.** A request whose end is not certain by RFC 9112, or that is malformed otherwise,
/// is answered with an error, and its connection is closed.
///
/// It keeps the scheduler running until it is closed or has drained. Confined to the scheduler's
/// thread.
public final class HttpServer implements AutoCloseable {

  /// How long the server waits after the system has refused a connection, for want of descriptors.
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Scheduler scheduler;
  private final WaitForNetty netty;
  private final NettyListener listener;
  private final Routes routes;
  private final HttpLimits limits;
  private final InstantSource clock;
  private final Consumer<HttpAccess> accessLog;
  private final SocketAddress address;
  private final TaskGroup<@Nullable Object> group;
  private final Set<HttpConnection> open = new LinkedHashSet<>();

  /// Set while the server waits for a connection to end.
  private @Nullable Promise<Void> room;

  private @Nullable Task<Void> task;
  private boolean draining;
  private long requests;
  private long dateSecond = Long.MIN_VALUE;
  private String date = "";

  HttpServer(
      Scheduler scheduler,
      WaitForNetty netty,
      NettyListener listener,
      Routes routes,
      HttpLimits limits,
      InstantSource clock,
      Consumer<HttpAccess> accessLog) {
    this.scheduler = scheduler;
    this.netty = netty;
    this.listener = listener;
    this.routes = routes;
    this.limits = limits;
    this.clock = clock;
    this.accessLog = accessLog;
    this.address = listener.localAddress();
    this.group = TaskGroup.create(scheduler, "http " + address, TaskGroup.Policy.SUPERVISE);
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
          accept(listener.accept());
        }
      } catch (ChannelClosedException e) {
        return; // the server ends
      } catch (IOException e) {
        scheduler.host().report(toString(), e);
        pause();
      }
    }
  }

  private void accept(NettyChannel channel) {
    var connection = new HttpConnection(this, group, channel, limits);
    open.add(connection);
    var _ =
        group.spawn(
            "connection of " + channel.remoteAddress(),
            () -> {
              try {
                connection.serve();
              } finally {
                ended(connection);
              }
              return null;
            });
  }

  private void ended(HttpConnection connection) {
    open.remove(connection);
    makeRoom();
  }

  private void awaitRoom() throws IOException {
    while (open.size() >= limits.connections() && !draining) {
      Promise<Void> awaited = netty.group().next().newPromise();
      room = awaited;
      var _ = netty.await(awaited);
    }
  }

  private void makeRoom() {
    Promise<Void> awaited = room;
    room = null;
    if (awaited != null) {
      boolean _ = awaited.trySuccess(null);
    }
  }

  private void pause() {
    Promise<Void> never = netty.group().next().newPromise();
    room = never;
    try {
      var _ = scheduler.await(netty.waitable(never), PAUSE);
    } catch (TimedOutException e) {
      // that was all
    }
  }

  // For its connections.

  Scheduler scheduler() {
    return scheduler;
  }

  Routes routes() {
    return routes;
  }

  boolean isDraining() {
    return draining;
  }

  Instant now() {
    return clock.instant();
  }

  /// {@return the value of the header}
  String date() {
    Instant now = now();
    if (now.getEpochSecond() != dateSecond) {
      dateSecond = now.getEpochSecond();
      date = DateFormatter.format(Date.from(now));
    }
    return date;
  }

  void log(HttpAccess access) {
    requests++;
    try {
      accessLog.accept(access);
    } catch (RuntimeException e) {
      scheduler.host().report("access log of " + this, e);
    }
  }

  // For its owner.

  /// {@return the address, with the port that the system has chosen} Never a suspension point.
  public SocketAddress localAddress() {
    return address;
  }

  /// {@return how many connections are open} Never a suspension point.
  public int connectionCount() {
    return open.size();
  }

  /// {@return how many requests have been answered, refused ones included} Never a suspension
  /// point.
  public long requestCount() {
    return requests;
  }

  /// Ends the server in order: accepts no connection from now on, closes those that wait for a
  /// request, and waits until the others have their responses, which say that the connection
  /// closes. Then, or when the grace is over, it closes. A *possible* suspension point; not for a
  /// handler, which would wait for itself.
  ///
  /// @param grace at least zero
  /// @return whether all requests were answered in time
  public boolean drain(Duration grace) {
    Objects.requireNonNull(grace, "grace is null");
    stopAccepting();
    List.copyOf(open).forEach(HttpConnection::closeIfIdle);
    try {
      scheduler.within(grace, this::join);
      return true;
    } catch (TimedOutException e) {
      close();
      join();
      return false;
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
    scheduler.host().checkThread();
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
