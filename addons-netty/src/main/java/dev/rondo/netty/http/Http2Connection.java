package dev.rondo.netty.http;

import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Trap;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Serves the streams of a connection of HTTP/2, each in a task of its own.
///
/// Confined to the scheduler's thread, and to the task of the connection.
final class Http2Connection {

  /// What a client may send on all its streams together beyond what tasks have read. One stream has
  /// less, so that a handler that does not read leaves room for the others.
  private static final int WINDOW_BYTES = 1 << 20;

  private final HttpServer server;
  private final Scheduler scheduler;
  private final TaskGroup<@Nullable Object> group;
  private final NettyChannel channel;
  private final HttpLimits limits;
  private final Set<RequestRun> running = new LinkedHashSet<>();
  private int open;
  private boolean begun;
  private long idleSinceNanos;

  Http2Connection(HttpServer server, TaskGroup<@Nullable Object> group, NettyChannel channel) {
    this.server = server;
    this.scheduler = server.scheduler();
    this.group = group;
    this.channel = channel;
    this.limits = server.limits();
  }

  /// {@return whether the client is still there}
  boolean begin() {
    try {
      channel.send(new DefaultHttp2WindowUpdateFrame(WINDOW_BYTES));
    } catch (IOException e) {
      return false; // the client has gone
    }
    idleSinceNanos = scheduler.host().nowNanos();
    channel.readAhead(limits.streams());
    return true;
  }

  /// One turn of the connection's task: accepts what streams there are.
  StepResult step(StepTask<@Nullable Object> self) {
    HttpConnection.settle(self);
    boolean any = !begun;
    begun = true;
    for (Object message; (message = channel.tryReceive()) != null; ) {
      any = true;
      if (message instanceof Http2Stream stream) {
        accept(stream);
      } else {
        ReferenceCountUtil.release(message); // settings, pings
      }
    }
    return any ? self.await(channel.receivable()) : StepResult.DONE; // the client has gone
  }

  /// Whether no stream is open.
  boolean isIdle() {
    return open == 0;
  }

  /// Since when none is.
  long idleSinceNanos() {
    return idleSinceNanos;
  }

  private void accept(Http2Stream stream) {
    if (group.isCancelled()) {
      ReferenceCountUtil.release(stream);
      return;
    }
    open++;
    stream.servedBy(
        group
            .spawn(
                "stream of " + channel.remoteAddress(),
                () -> {
                  serve(stream);
                  return null;
                })
            .trap(Trap.onEnd(outcome -> ended(stream))));
  }

  /// The task of a stream has ended, or was cancelled before it began.
  private void ended(Http2Stream stream) {
    ReferenceCountUtil.release(stream);
    open--;
    idleSinceNanos = scheduler.host().nowNanos();
    if (open == 0 && server.isDraining()) {
      channel.close();
    }
  }

  private void serve(Http2Stream stream) {
    NettyChannel own = stream.channel();
    var wire = new HttpWire(scheduler, own, limits.progress());
    stream.begun(wire);
    Object first;
    try {
      first = own.receive(limits.progress());
    } catch (TimedOutException | IOException e) {
      return; // the client has taken it back
    }
    if (first instanceof HttpRequest request) {
      answer(wire, request);
    } else {
      ReferenceCountUtil.release(first);
    }
  }

  private void answer(HttpWire wire, HttpRequest request) {
    unite(request);
    var run = new RequestRun(server, wire, request);
    running.add(run);
    try {
      run.handle();
      if (!run.exchange().isSent()) {
        wire.reset(Http2Error.INTERNAL_ERROR);
      } else if (request.method().equals(HttpMethod.CONNECT) || !run.skipRest()) {
        wire.reset(Http2Error.NO_ERROR);
      }
    } finally {
      running.remove(run);
      run.end();
    }
  }

  /// A client may say the host twice, as a pseudo header and as a header.
  private static void unite(HttpRequest request) {
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1 && hosts.stream().distinct().count() == 1) {
      request.headers().set(HttpHeaderNames.HOST, hosts.getFirst());
    }
  }

  /// The server ends: the client opens no stream from now on, those that it has opened are
  /// answered, and WebSockets are asked to close.
  void drain() {
    if (open == 0) {
      channel.close();
    } else {
      var _ = channel.channel().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
      List.copyOf(running).forEach(each -> each.exchange().drain());
    }
  }
}
