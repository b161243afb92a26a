package dev.rondo.http.server;

import dev.rondo.http.internal.ContentCoding;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.internal.ReportText;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Answers one request of any protocol: finds its handler, runs it, and logs the result.
///
/// Confined to the scheduler's thread.
final class RequestRun {

  private static final String UNKNOWN = "?";

  private final HttpServer server;
  private final HttpWire wire;
  final HttpRequest request;
  final HttpExchange exchange;

  /// Of its task.
  final String name;

  private final RequestBody body;
  private final HttpHandler handler;

  /// The route of the request; null if the request is refused.
  private final Routes.@Nullable Match match;

  /// When the request began; null without an access log.
  private final @Nullable Instant begun;

  private final long begunNanos;

  /// The index of this request in the list of its HTTP/2 connection.
  int place;

  RequestRun(HttpServer server, HttpWire wire, HttpRequest request) {
    this.server = server;
    this.wire = wire;
    this.request = request;
    this.begun = server.accessLog != null ? server.clock.instant() : null;
    this.begunNanos = begun == null ? 0 : server.host.nowNanos();
    this.body = new RequestBody(wire, request, server.mostBodyBytes);
    RequestTarget target = RequestTarget.of(request.uri());
    HttpStatusException refusal = RequestRules.refusal(request, target);
    if (!target.authority().isEmpty() && !wire.isStream()) {
      request.headers().set(HttpHeaderNames.HOST, target.authority()); // RFC 9112, 3.2.2
    }
    Routes.Match found = null;
    if (refusal == null) {
      try {
        found = server.routes.find(request.method(), target.path());
      } catch (IllegalArgumentException e) {
        refusal =
            HttpStatusException.refusal(HttpResponseStatus.BAD_REQUEST, "the path is malformed");
      }
    }
    this.match = found;
    String usual = found == null ? "" : found.name();
    this.name =
        usual.isEmpty() ? ReportText.escaped(request.method() + " " + target.path()) : usual;
    boolean keptAlive = refusal == null && isKeptAlive(request);
    this.exchange = new HttpExchange(server, wire, request, target, found, body, keptAlive);
    HttpHandler known = found == null ? null : found.handler();
    this.handler =
        refusal != null ? refusing(refusal) : known == null ? missing(request, found) : known;
  }

  /// Most requests do not have this header. To look for it costs less than to read its values.
  private static boolean isKeptAlive(HttpRequest request) {
    return request.headers().contains(HttpHeaderNames.CONNECTION)
        ? HttpUtil.isKeepAlive(request)
        : request.protocolVersion().isKeepAliveDefault();
  }

  /// {@return the answer to a request that has no handler}
  private static HttpHandler missing(HttpRequest request, Routes.@Nullable Match match) {
    List<String> allowed = match == null ? List.of() : match.allowed();
    if (request.method().equals(HttpMethod.OPTIONS)
        && (!allowed.isEmpty() || request.uri().equals(RequestRules.WHOLE_SERVER))) {
      return options(allowed);
    }
    if (allowed.isEmpty()) {
      return refusing(
          HttpStatusException.refusal(HttpResponseStatus.NOT_FOUND, "there is no such page"));
    }
    HttpStatusException refusal =
        HttpStatusException.refusal(
            HttpResponseStatus.METHOD_NOT_ALLOWED, "the method is not allowed");
    return exchange -> {
      exchange.responseHeaders().set(HttpHeaderNames.ALLOW, String.join(", ", allowed));
      throw refusal;
    };
  }

  /// The methods of a path, or a sign that the server is there: RFC 9110, 9.3.7.
  private static HttpHandler options(List<String> allowed) {
    return exchange -> {
      if (!allowed.isEmpty()) {
        exchange.responseHeaders().set(HttpHeaderNames.ALLOW, String.join(", ", allowed));
      }
      exchange.respond(HttpResponseStatus.NO_CONTENT, "", new byte[0]);
    };
  }

  private static HttpHandler refusing(HttpStatusException refusal) {
    return exchange -> {
      if (refusal.status().equals(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE)) {
        exchange.responseHeaders().set(HttpHeaderNames.ACCEPT_ENCODING, ContentCoding.SUPPORTED);
      }
      throw refusal;
    };
  }

  /// Runs the handler, in the task of the request.
  void handle() {
    try {
      handler.handle(exchange);
      exchange.responder.finish();
    } catch (HttpStatusException e) {
      respondInstead(e, server.errors);
    } catch (Exception e) {
      boolean clientHasGone = e instanceof IOException && !wire.isOpen();
      boolean serverEnds = e instanceof ChannelClosedException && server.draining;
      if (!wire.isBroken() && !clientHasGone && !serverEnds) {
        server.host.report(name, e);
      }
      respondInstead(refusal(e), server.errors);
    } catch (TaskCancelled e) {
      throw e;
    } catch (Error e) { // only this request has failed, even with a StackOverflowError
      server.host.report(name, e);
      respondInstead(refusal(e), server.errors);
    }
  }

  private HttpStatusException refusal(Throwable failure) {
    boolean bodyIsCutOff = failure instanceof EOFException && wire.isBroken();
    return bodyIsCutOff
        ? HttpStatusException.refusal(HttpResponseStatus.BAD_REQUEST, "the body is incomplete")
        : HttpStatusException.refusal(
            HttpResponseStatus.INTERNAL_SERVER_ERROR, "the request has failed");
  }

  private void respondInstead(HttpStatusException why, HttpErrors errors) {
    if (exchange.hasResponded()) {
      return; // the client notices that the response is incomplete
    }
    exchange.responder.forgetPage();
    try {
      errors.respond(exchange, why);
    } catch (IOException | TimedOutException e) {
      // the connection is broken, and closed now
    } catch (RuntimeException e) {
      server.host.report(name, e);
      if (errors != HttpErrors.USUAL) {
        respondInstead(why, HttpErrors.USUAL);
      }
    }
  }

  /// Reads the unread rest of the body, if it is short.
  ///
  /// @return whether the body was read to its end
  boolean skipRest() {
    try {
      return request instanceof FullHttpRequest || body.isComplete() || body.skipRest();
    } catch (HttpStatusException | IOException e) {
      return false; // that is not worth a response: this one has been sent
    }
  }

  private @Nullable Duration firstByte() {
    return exchange.hasResponded()
        ? Duration.ofNanos(exchange.responder.respondedNanos() - begunNanos)
        : null;
  }

  /// Releases the memory of the request, and logs the request.
  void end() {
    exchange.end();
    server.answered();
    if (begun != null) {
      server.log(this::access);
    }
  }

  private HttpAccess access() {
    boolean malformed = request.decoderResult().isFailure();
    return new HttpAccess(
        Objects.requireNonNull(begun),
        Duration.ofNanos(server.host.nowNanos() - begunNanos),
        exchange.remoteAddress(),
        exchange.protocol(),
        malformed ? UNKNOWN : request.method().name(),
        malformed ? UNKNOWN : ReportText.escaped(request.uri()),
        match == null ? "" : match.route(),
        exchange.responder.statusCode(),
        firstByte(),
        body.receivedBytes(),
        exchange.responder.sentBytes(),
        exchange.responder.sent);
  }
}
