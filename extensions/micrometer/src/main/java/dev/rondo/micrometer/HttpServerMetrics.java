package dev.rondo.micrometer;

import static java.util.Objects.requireNonNull;

import dev.rondo.http.server.HttpAccess;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/// The requests of an HTTP server as Micrometer meters. The metrics are an access log of the
/// server: `builder.accessLog(new HttpServerMetrics(registry))`, or `log.andThen(metrics)` beside
/// another log.
///
/// | meter | what it measures |
/// |---|---|
/// | `rondo.http.requests` | from a request's head to the end of its response: a WebSocket lasts as long |
/// | `rondo.http.first.byte` | from a request's head to the beginning of its response |
/// | `rondo.http.bytes`, tag `direction` | bytes of bodies received and sent |
///
/// The first two meters have four tags whose values a client cannot invent. `method` is `OTHER` for
/// non-standard methods. `route` is the path with which the handler was added, or `NONE`. `status`
/// is a status code such as `200`, or `NONE` if the client was gone before the response began.
/// `outcome` is `COMPLETE` or `INCOMPLETE`. Requires the module `dev.rondo.http`.
///
/// Any thread. No method is a suspension point.
public final class HttpServerMetrics implements Consumer<HttpAccess> {

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH");

  private static final String NONE = "NONE";

  private final MeterProvider<Timer> requests;
  private final MeterProvider<Timer> firstBytes;
  private final Counter received;
  private final Counter sent;

  /// Makes the metrics of one server, or of several together.
  ///
  /// @param registry receives the meters
  public HttpServerMetrics(MeterRegistry registry) {
    requireNonNull(registry, "registry is null");
    this.requests =
        Timer.builder("rondo.http.requests")
            .description("From a request's head to the end of its response")
            .withRegistry(registry);
    this.firstBytes =
        Timer.builder("rondo.http.first.byte")
            .description("From a request's head to the beginning of its response")
            .withRegistry(registry);
    this.received = bytes(registry, "received");
    this.sent = bytes(registry, "sent");
  }

  private static Counter bytes(MeterRegistry registry, String direction) {
    return Counter.builder("rondo.http.bytes")
        .description("Bytes of bodies")
        .baseUnit(BaseUnits.BYTES)
        .tag("direction", direction)
        .register(registry);
  }

  /// Counts a request.
  @Override
  public void accept(HttpAccess access) {
    requireNonNull(access, "access is null");
    Tags tags =
        Tags.of(
            "method", METHODS.contains(access.method()) ? access.method() : "OTHER",
            "route", access.route().isEmpty() ? NONE : access.route(),
            "status", access.status() == 0 ? NONE : Integer.toString(access.status()),
            "outcome", access.complete() ? "COMPLETE" : "INCOMPLETE");
    requests.withTags(tags).record(access.taken());
    Duration firstByte = access.firstByte();
    if (firstByte != null) {
      firstBytes.withTags(tags).record(firstByte);
    }
    received.increment((double) access.requestBytes());
    sent.increment((double) access.responseBytes());
  }
}
