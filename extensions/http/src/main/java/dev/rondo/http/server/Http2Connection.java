package dev.rondo.http.server;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.Trap;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Serves the streams of an HTTP/2 connection, each in a task of its own.
///
/// Confined to the scheduler's thread, and to the task of the connection.
final class Http2Connection {

  /// The number of bytes that a client may send ahead of the tasks that read, on all its streams
  /// together. A single stream has less, so that a handler that does not read leaves room for other
  /// streams.
  private static final int WINDOW_BYTES = 1 << 20;

  /// Netty reads on, because messages are handled as they come, and each stream has its own flow
  /// control.
  private static final int MESSAGES_AHEAD = 1;

  private final HttpServer server;
  private final TaskGroup<@Nullable Object> group;
  private final ChannelControl channel;
  private final LastWrites lastWrites;

  /// The requests whose tasks run, each at its own place in the list. To add a request to a set
  /// would cost more than the rest of its handling here.
  private final List<RequestRun> running = new ArrayList<>();

  /// The task of the connection. The tasks of requests are its children.
  private final Task<?> self;

  private int open;
  private boolean begun;
  private boolean leaving;

  /// Whether the connection is closed as soon as no stream is open.
  private boolean mayClose;

  private long idleSinceNanos;

  Http2Connection(
      HttpServer server,
      TaskGroup<@Nullable Object> group,
      ChannelControl channel,
      LastWrites lastWrites,
      Task<?> self) {
    this.server = server;
    this.group = group;
    this.channel = channel;
    this.lastWrites = lastWrites;
    this.self = self;
  }

  /// {@return whether the client is still there}
  boolean begin() {
    if (!channel.trySend(new DefaultHttp2WindowUpdateFrame(WINDOW_BYTES))) {
      return false; // the client has gone
    }
    idleSinceNanos = server.host.passNanos();
    channel.readAhead(MESSAGES_AHEAD);
    channel.gatherFlushes(); // of all streams, in few system calls
    Http2Streams streams = channel.channel().pipeline().get(Http2Streams.class);
    if (streams == null) {
      return false; // the client has gone meanwhile
    }
    streams.servedBy(this);
    return true;
  }

  /// One turn of the connection's task: waits until the client has gone.
  StepResult step(StepTask<@Nullable Object> self) {
    boolean any = !begun;
    begun = true;
    for (Object message; (message = channel.tryReceive()) != null; ) {
      any = true;
      ReferenceCountUtil.release(message); // what came with the first one
    }
    return any ? self.await(channel.receivable()) : StepResult.DONE;
  }

  /// Whether no stream is open.
  boolean isIdle() {
    return open == 0;
  }

  /// Since when no stream is open.
  long idleSinceNanos() {
    return idleSinceNanos;
  }

  /// The head of a stream's request is here. Starts a task that answers the request. Called outside
  /// of tasks.
  void accept(Http2Call call, HttpRequest request) {
    if (group.isCancelled()) {
      ReferenceCountUtil.release(request);
      call.close();
      return;
    }
    unite(request);
    HttpWire wire = call.newWire(server, channel, lastWrites);
    var run = new RequestRun(server, wire, request);
    open++;
    try {
      Task<@Nullable Object> made =
          server.tasks.spawnFor(
              self,
              group,
              run.name,
              () -> {
                call.begin();
                answer(run, wire);
                return null;
              });
      call.answeredIn(made.trap(Trap.onEnd(_ -> answered(call, run, wire))), wire);
    } catch (RuntimeException e) { // there are too many tasks
      run.end();
      server.host.report(run.name, e);
      wire.reset(Http2Error.REFUSED_STREAM);
      ended(call);
    }
  }

  private void answer(RequestRun run, HttpWire wire) {
    run.place = running.size();
    running.add(run);
    try {
      run.handle();
      if (!run.exchange.responder.sent) {
        wire.reset(Http2Error.INTERNAL_ERROR);
      } else if (run.request.method().equals(HttpMethod.CONNECT) || !run.skipRest()) {
        wire.awaitLast(); // a reset would stop the writes
        wire.reset(Http2Error.NO_ERROR);
      }
    } finally {
      remove(run);
      run.end();
    }
  }

  /// The last element takes the place of the removed one.
  private void remove(RequestRun run) {
    RequestRun last = running.removeLast();
    if (last != run) {
      last.place = run.place;
      running.set(last.place, last);
    }
  }

  /// The task of a stream has ended, or was cancelled before it began.
  private void answered(Http2Call call, RequestRun run, HttpWire wire) {
    if (!call.hasBegun()) {
      run.end(); // its task will not
    }
    wire.whenLastIsDone(() -> ended(call));
  }

  /// This side has no more to send on a stream.
  private void ended(Http2Call call) {
    call.close();
    open--;
    if (open == 0) {
      idleSinceNanos = server.host.passNanos();
      if (mayClose) {
        channel.close();
      }
    }
  }

  /// A client may send the host twice, as a pseudo header and as a header.
  private static void unite(HttpRequest request) {
    Iterator<String> hosts = request.headers().valueStringIterator(HttpHeaderNames.HOST);
    String first = hosts.hasNext() ? hosts.next() : "";
    boolean several = hosts.hasNext();
    boolean same = true;
    while (hosts.hasNext()) {
      same &= hosts.next().equals(first);
    }
    if (several && same) {
      request.headers().set(HttpHeaderNames.HOST, first);
    }
  }

  /// The server ends. The client must open no more streams, open requests are answered, and
  /// WebSockets are asked to close.
  void drain() {
    leave();
    List.copyOf(running).forEach(each -> each.exchange.responder.drain());
  }

  /// Asks the client to open no more streams, and closes the connection after a while, when all
  /// requests are answered. Streams that the client opens before it receives this are answered too.
  /// RFC 9113, 6.8, asks for that, and Netty closes a connection on which bodies of refused streams
  /// arrive.
  void leave() {
    if (leaving) {
      return;
    }
    leaving = true;
    Channel own = channel.channel();
    var goodbye = new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR);
    var _ = own.writeAndFlush(goodbye.setExtraStreamIds(Integer.MAX_VALUE));
    var _ =
        own.eventLoop()
            .schedule(this::lingered, MessageWire.LINGER.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// The client has had its time.
  private void lingered() {
    mayClose = true;
    if (open == 0) {
      channel.close();
    }
  }
}
