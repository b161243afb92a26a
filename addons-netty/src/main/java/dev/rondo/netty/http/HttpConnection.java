package dev.rondo.netty.http;

import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Serves one connection. Of HTTP/1.1: reads one request after the other, and has each answered by
/// a task of its own; requests that the client sends ahead wait, so the responses are in order. If
/// the client's first message is one of HTTP/2, its streams are served at the same time.
///
/// Confined to the scheduler's thread, and to the task of the connection.
final class HttpConnection {

  private final HttpServer server;
  private final TaskGroup<@Nullable Object> group;
  private final NettyChannel channel;
  private final HttpLimits limits;

  /// The request that is being answered in HTTP/1.1; null while it waits for one.
  private @Nullable RequestRun running;

  private @Nullable Http2Connection streams;

  HttpConnection(HttpServer server, TaskGroup<@Nullable Object> group, NettyChannel channel) {
    this.server = server;
    this.group = group;
    this.channel = channel;
    this.limits = server.limits();
  }

  /// Serves all requests, and closes the connection.
  void serve() throws IOException {
    try (channel) {
      Object first = next(limits.head());
      if (first instanceof Http2Frame) {
        ReferenceCountUtil.release(first);
        var own = new Http2Connection(server, group, channel);
        streams = own;
        own.serve();
      } else if (first != null) {
        serveInOrder(first);
      }
    }
  }

  private void serveInOrder(Object first) throws IOException {
    var wire = new HttpWire(server.scheduler(), channel, limits.progress());
    for (Object each = first; each != null; each = next(limits.idle())) {
      if (!(each instanceof HttpRequest request)) {
        ReferenceCountUtil.release(each);
        throw new IllegalStateException("required=a request, found=" + each.getClass().getName());
      }
      if (!answer(wire, request)) {
        return;
      }
    }
  }

  /// {@return the next message; null if there is none, because the client has gone, is late or
  /// sends what cannot be decoded, or the server ends}
  private @Nullable Object next(Duration limit) {
    if (server.isDraining()) {
      return null;
    }
    try {
      return channel.receive(limit);
    } catch (TimedOutException | IOException | DecoderException e) {
      return null;
    }
  }

  /// Has a request answered.
  ///
  /// @return whether another one may follow
  private boolean answer(HttpWire wire, HttpRequest request) throws IOException {
    var run = new RequestRun(server, wire, request);
    running = run;
    boolean inOrder = false;
    try {
      inOrder = run(run) && run.exchange().isKeptAlive() && run.skipRest();
    } finally {
      run.end();
    }
    if (inOrder) {
      running = null;
    }
    if (run.exchange().isSent() && !wire.isBroken() && !inOrder && !run.body().isComplete()) {
      linger(wire);
    }
    return inOrder;
  }

  private static void linger(HttpWire wire) {
    try {
      wire.linger();
    } catch (IOException e) {
      // the client has closed it, too
    }
  }

  /// Runs a handler in a task of its own.
  ///
  /// @return whether the response was sent to its end
  private boolean run(RequestRun run) {
    Task<@Nullable Object> task =
        group.spawn(
            run.name(),
            () -> {
              run.handle();
              return null;
            });
    try {
      var _ = task.join();
    } catch (CancellationException e) {
      return false; // the server was closed
    }
    return run.exchange().isSent();
  }

  /// The server ends: closes the connection unless a request is being answered.
  void drain() {
    Http2Connection own = streams;
    if (own != null) {
      own.drain();
      return;
    }
    RequestRun current = running;
    if (current == null) {
      channel.close();
    } else {
      current.exchange().drain();
    }
  }

  void close() {
    channel.close();
  }
}
