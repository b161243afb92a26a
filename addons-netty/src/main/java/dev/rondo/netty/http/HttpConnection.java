package dev.rondo.netty.http;

import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Serves one connection: reads one request after the other, and has each answered by a task of its
/// own. Requests that the client sends ahead wait, so the responses are in order.
///
/// Confined to the scheduler's thread, and to the task of the connection.
final class HttpConnection {

  private static final String UNKNOWN = "?";

  private final HttpServer server;
  private final Scheduler scheduler;
  private final TaskGroup<@Nullable Object> group;
  private final NettyChannel channel;
  private final HttpLimits limits;
  private final HttpWire wire;

  /// Whether it waits for a request.
  private boolean idle = true;

  HttpConnection(
      HttpServer server,
      TaskGroup<@Nullable Object> group,
      NettyChannel channel,
      HttpLimits limits) {
    this.server = server;
    this.scheduler = server.scheduler();
    this.group = group;
    this.channel = channel;
    this.limits = limits;
    this.wire = new HttpWire(scheduler, channel, limits.progress());
  }

  /// Serves all requests, and closes the connection.
  void serve() throws IOException {
    try (channel) {
      Duration limit = limits.head();
      for (HttpRequest request; (request = nextRequest(limit)) != null; ) {
        idle = false;
        if (!answer(request)) {
          return;
        }
        idle = true;
        limit = limits.idle();
      }
    }
  }

  /// {@return the next request; null if there is none, because the client has gone or is late, or
  /// the server ends}
  private @Nullable HttpRequest nextRequest(Duration limit) throws IOException {
    if (server.isDraining()) {
      return null;
    }
    Object message;
    try {
      message = channel.receive(limit);
    } catch (TimedOutException | IOException e) {
      return null;
    }
    if (message == null || message instanceof HttpRequest) {
      return (HttpRequest) message;
    }
    ReferenceCountUtil.release(message);
    throw new IllegalStateException("required=a request, found=" + message.getClass().getName());
  }

  /// Has a request answered.
  ///
  /// @return whether another one may follow
  private boolean answer(HttpRequest request) throws IOException {
    Instant begun = server.now();
    long begunNanos = scheduler.host().nowNanos();
    var body = new RequestBody(wire, request, limits.bodyBytes());
    HttpStatusException refusal = RequestRules.refusal(request);
    RequestTarget target = RequestTarget.of(request.uri());
    Routes.Match match = null;
    if (refusal == null) {
      try {
        match = server.routes().find(request.method(), target.path());
      } catch (IllegalArgumentException e) {
        refusal = new HttpStatusException(HttpResponseStatus.BAD_REQUEST, "the path is malformed");
      }
    }
    Map<String, String> parameters = match == null ? Map.of() : match.parameters();
    boolean keptAlive = refusal == null && HttpUtil.isKeepAlive(request);
    var exchange = new HttpExchange(server, wire, request, target, parameters, body, keptAlive);
    HttpHandler handler = refusal == null ? handler(match) : refusing(refusal);
    boolean inOrder = false;
    try {
      inOrder = run(exchange, handler) && exchange.isKeptAlive() && body.skipRest();
    } catch (HttpStatusException | IOException e) {
      // the rest of the body is not worth a response: this one has been sent
    } finally {
      boolean malformed = request.decoderResult().isFailure();
      exchange.end();
      server.log(
          new HttpAccess(
              begun,
              Duration.ofNanos(scheduler.host().nowNanos() - begunNanos),
              channel.remoteAddress(),
              malformed ? UNKNOWN : request.method().name(),
              malformed ? UNKNOWN : request.uri(),
              exchange.statusCode(),
              body.receivedBytes(),
              exchange.responseBytes(),
              exchange.isSent()));
    }
    if (exchange.isSent() && !wire.isBroken() && !inOrder) {
      lingerUnless(body.isComplete());
    }
    return inOrder;
  }

  private void lingerUnless(boolean allWasRead) {
    if (allWasRead) {
      return;
    }
    try {
      wire.linger();
    } catch (IOException e) {
      // the client has closed it, too
    }
  }

  private static HttpHandler handler(Routes.@Nullable Match match) {
    HttpHandler found = match == null ? null : match.handler();
    if (found != null) {
      return found;
    }
    List<String> allowed = match == null ? List.of() : match.allowed();
    if (allowed.isEmpty()) {
      return refusing(
          new HttpStatusException(HttpResponseStatus.NOT_FOUND, "there is no such page"));
    }
    var refusal =
        new HttpStatusException(HttpResponseStatus.METHOD_NOT_ALLOWED, "the method is not allowed");
    return exchange -> {
      exchange.responseHeaders().set(HttpHeaderNames.ALLOW, String.join(", ", allowed));
      throw refusal;
    };
  }

  private static HttpHandler refusing(HttpStatusException refusal) {
    return exchange -> {
      throw refusal;
    };
  }

  /// Runs a handler in a task of its own.
  ///
  /// @return whether the response was sent to its end
  private boolean run(HttpExchange exchange, HttpHandler handler) {
    String name = exchange.method() + " " + exchange.path();
    Task<@Nullable Object> task =
        group.spawn(
            name,
            () -> {
              handle(exchange, handler, name);
              return null;
            });
    try {
      var _ = task.join();
    } catch (CancellationException e) {
      return false; // the server was closed
    }
    return exchange.isSent();
  }

  private void handle(HttpExchange exchange, HttpHandler handler, String name) {
    try {
      handler.handle(exchange);
      if (!exchange.hasResponded()) {
        throw new IllegalStateException("the handler has not responded");
      }
      exchange.finish();
    } catch (HttpStatusException e) {
      respondInstead(exchange, e);
    } catch (Exception e) {
      if (!wire.isBroken()) {
        scheduler.host().report(name, e);
      }
      respondInstead(
          exchange,
          new HttpStatusException(
              HttpResponseStatus.INTERNAL_SERVER_ERROR, "the request has failed"));
    }
  }

  private void respondInstead(HttpExchange exchange, HttpStatusException why) {
    if (exchange.hasResponded()) {
      return; // the client notices that the response is incomplete
    }
    try {
      exchange.respondText(why.status(), why.getMessage() + "\n");
    } catch (IOException | RuntimeException e) {
      // the connection is broken, and closed now
    }
  }

  /// The server ends.
  void closeIfIdle() {
    if (idle) {
      channel.close();
    }
  }

  void close() {
    channel.close();
  }
}
