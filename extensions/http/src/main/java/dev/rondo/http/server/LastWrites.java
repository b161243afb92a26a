package dev.rondo.http.server;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The responses of one connection whose last parts are written and not sent yet. Their tasks have
/// ended. A client that does not make room for a response in time receives no more of it.
///
/// One timer serves them all. Confined to the scheduler's thread.
final class LastWrites {

  private final HttpServer server;
  private final Channel connection;
  private final long progressNanos;

  /// In the order in which they were written. Sent responses are removed with the next addition.
  private final ArrayDeque<HttpWire> writes = new ArrayDeque<>(1);

  /// The timer; null if it is not set.
  private @Nullable Future<?> timer;

  LastWrites(HttpServer server, Channel connection) {
    this.server = server;
    this.connection = connection;
    this.progressNanos = server.limits.progress().toNanos();
  }

  void add(HttpWire wire) {
    removeDone();
    wire.lastNanos = server.host.nowNanos();
    writes.add(wire);
    if (timer == null) {
      watch(progressNanos);
    }
  }

  private void removeDone() {
    for (HttpWire each; (each = writes.peek()) != null && each.isLastDone(); ) {
      writes.remove();
    }
  }

  private void watch(long nanos) {
    timer = connection.eventLoop().schedule(this::look, nanos, TimeUnit.NANOSECONDS);
  }

  private void look() {
    timer = null;
    removeDone();
    for (HttpWire each; (each = writes.peek()) != null; removeDone()) {
      long leftNanos = each.lastNanos + progressNanos - server.host.nowNanos();
      if (leftNanos > 0) {
        watch(leftNanos);
        return;
      }
      writes.remove();
      each.endLate();
    }
  }

  /// The connection ends.
  void close() {
    Future<?> set = timer;
    if (set != null) {
      boolean _ = set.cancel(false);
    }
  }
}
