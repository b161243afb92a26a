package dev.rondo.http.server;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.Trap;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Serves one connection. With HTTP/1.1 it reads one request after the other, and starts a task for
/// each. Requests that the client sends ahead wait, so the responses are in order. If the client's
/// first message belongs to HTTP/2, the streams are served at the same time.
///
/// A stackless task waits for HTTP/1.1 requests, so an idle connection holds no stack. If this task
/// waits when a request comes, it needs no turn: Netty's handler makes the request's task as its
/// child. For a request that was sent ahead it needs one turn. While no message waits to be
/// received, a read is always under way, so that a broken connection is noticed while its request
/// is being answered.
///
/// Confined to the scheduler's thread.
final class HttpConnection {

  /// Netty reads on while fewer requests and parts of a body, of at most 8 KiB each, wait to be
  /// received. The end of a client that has gone comes behind them.
  private static final int MESSAGES_AHEAD = 16;

  private final HttpServer server;
  private final TaskGroup<@Nullable Object> group;
  private final ChannelControl channel;
  private final HttpLimits limits;
  private final LastWrites lastWrites;

  /// For HTTP/1.1; null before that is known.
  private @Nullable HttpWire wire;

  /// For HTTP/1.1; null before that is known.
  private @Nullable RequestDecoder decoder;

  /// The HTTP/1.1 request that is being answered, until the response is sent; null while the
  /// connection waits for a request.
  private @Nullable RequestRun running;

  private @Nullable Task<@Nullable Object> answering;

  /// Whether the task of that request has had a turn.
  private boolean begun;

  /// Whether no more requests will arrive.
  private boolean ended;

  /// Whether another request may follow the current or last one.
  private boolean inOrder = true;

  private final NextRequest next = new NextRequest();
  private final Trap<@Nullable Object> whenAnswered = this::answered;
  private final Runnable whenSent = this::sent;

  /// The task of the connection; null before it is made.
  private @Nullable Task<?> self;

  /// Whether the task of the connection has had its first turn.
  private boolean waitsForFirst;

  private long acceptedNanos;

  /// Since when the connection waits for a request.
  private long idleSinceNanos;

  private @Nullable Future<?> timeWatch;

  private @Nullable Http2Connection streams;

  HttpConnection(HttpServer server, TaskGroup<@Nullable Object> group, ChannelControl channel) {
    this.server = server;
    this.group = group;
    this.channel = channel;
    this.limits = server.limits;
    this.lastWrites = new LastWrites(server, channel.channel());
  }

  /// Begins to serve all requests. The connection is closed after the last one.
  void serve() {
    acceptedNanos = server.host.passNanos();
    self =
        group
            .spawnSteps("connection of " + channel.channel().remoteAddress(), this::step)
            .trap(Trap.onEnd(outcome -> end()));
    watchTime(Math.min(limits.head().toNanos(), limits.idle().toNanos()));
  }

  /// One turn of the connection's task.
  private StepResult step(StepTask<@Nullable Object> self) {
    if (wire != null) {
      return answerNext(self);
    }
    Http2Connection own = streams;
    return own == null ? begin(self) : own.step(self);
  }

  /// Waits for the first message, which shows the protocol. No message comes if the client has
  /// gone, is late or sends malformed bytes, or if the server ends.
  private StepResult begin(StepTask<@Nullable Object> self) {
    if (!waitsForFirst) {
      waitsForFirst = true;
      return self.await(channel.receivable());
    }
    Object message = channel.tryReceive();
    if (message instanceof HttpRequest request) {
      beginRequests();
      answerOrRelease(request, self);
      return self.await(next);
    }
    ReferenceCountUtil.release(message);
    if (message instanceof Http2Frame) {
      var own = new Http2Connection(server, group, channel, lastWrites, self);
      streams = own;
      boolean begun = own.begin();
      if (begun && server.draining) {
        own.drain();
      }
      return begun ? own.step(self) : StepResult.DONE;
    }
    return StepResult.DONE;
  }

  private void beginRequests() {
    wire = new HttpWire(server, channel, lastWrites, null);
    channel.readAhead(MESSAGES_AHEAD);
    channel.watchFailures(this::broken);
    decoder = channel.channel().pipeline().get(RequestDecoder.class);
    Http1Requests requests = channel.channel().pipeline().get(Http1Requests.class);
    ended = requests == null; // the client has gone meanwhile
    if (requests != null) {
      requests.servedBy(this);
    }
  }

  private void end() {
    Future<?> watch = timeWatch;
    if (watch != null) {
      boolean _ = watch.cancel(false);
    }
    lastWrites.close();
    HttpWire own = wire;
    if (own != null && own.cutShort) {
      channel.reset();
    }
    channel.close();
    channel.channel().closeFuture().addListener(done -> server.ended(this));
  }

  // HTTP/1.1.

  /// A request has arrived, or no more will come.
  private StepResult answerNext(StepTask<@Nullable Object> self) {
    if (running != null) {
      return self.await(next); // another task has taken the request
    }
    if (!inOrder || server.draining) {
      return StepResult.DONE;
    }
    Object message = channel.tryReceive();
    if (message == null) {
      return StepResult.DONE;
    }
    if (!(message instanceof HttpRequest request)) {
      ReferenceCountUtil.release(message);
      throw new IllegalStateException("required=a request, found=" + message.getClass().getName());
    }
    answerOrRelease(request, self);
    return self.await(next);
  }

  private void answerOrRelease(HttpRequest request, Task<?> own) {
    try {
      answer(request, own);
    } catch (RuntimeException e) {
      ReferenceCountUtil.release(request);
      throw e;
    }
  }

  /// The head of a request is here. Starts its task at once, if no request is being answered and no
  /// request waits. Called outside of tasks.
  ///
  /// @return false if the connection's task must take the request
  boolean accept(HttpRequest request) {
    Task<?> own = self;
    boolean isAwaited = next.waiting != null && running == null && inOrder && !server.draining;
    if (own == null || !isAwaited || channel.messageCount() > 0 || !channel.isOpen()) {
      return false;
    }
    try {
      answer(request, own);
    } catch (RuntimeException e) { // there are too many tasks: the task of the connection will fail
      running = null;
      inOrder = true;
      return false;
    }
    return true;
  }

  /// Starts the task that answers a request.
  ///
  /// @param own the task of the connection
  private void answer(HttpRequest request, Task<?> own) {
    HttpWire wire = Objects.requireNonNull(this.wire);
    wire.nextRequest();
    var run = new RequestRun(server, wire, request);
    running = run;
    begun = false;
    inOrder = false;
    Task<@Nullable Object> made =
        server.tasks.spawnFor(
            own,
            group,
            run.name,
            () -> {
              begun = true;
              runHandler(run, wire);
              return null;
            });
    answering = made.trap(whenAnswered);
  }

  /// The task of the request has ended, or was cancelled before it began.
  private Outcome<@Nullable Object> answered(
      Task<@Nullable Object> task, Outcome<@Nullable Object> outcome) {
    RequestRun left = running;
    if (left != null && !begun) {
      left.end(); // its task will not
    }
    Objects.requireNonNull(wire).whenLastIsDone(whenSent);
    return outcome;
  }

  /// The response was sent too, or cannot be sent.
  private void sent() {
    running = null;
    idleSinceNanos = server.host.passNanos();
    next.look();
  }

  /// A wait until the last request has been answered and the next one is here, or no more will
  /// come.
  private final class NextRequest implements Waitable<ChannelControl> {

    /// Null if the task does not wait.
    private @Nullable Waiter<? super ChannelControl> waiting;

    @Override
    public boolean poll(Waiter<? super ChannelControl> waiter) {
      return running == null
          && (channel.messageCount() > 0 || ended || !inOrder || server.draining)
          && waiter.fire(channel);
    }

    @Override
    public void arm(Waiter<? super ChannelControl> waiter) {
      waiting = waiter;
    }

    @Override
    public void disarm(Waiter<? super ChannelControl> waiter) {
      waiting = null;
    }

    /// Something has changed.
    void look() {
      Waiter<? super ChannelControl> waiter = waiting;
      if (waiter != null && poll(waiter)) {
        waiting = null;
      }
    }

    @Override
    public Scheduler scheduler() {
      return server.scheduler;
    }

    @Override
    public String toString() {
      return "requests from " + channel;
    }
  }

  private void runHandler(RequestRun run, HttpWire wire) {
    HttpResponder responder = run.exchange.responder;
    boolean another = false;
    try {
      run.handle();
      RequestDecoder own = decoder;
      if (own != null) { // otherwise the client had gone
        own.answered(run.request);
      }
      another = responder.sent && responder.keptAlive && run.skipRest();
      if (!another) {
        wire.awaitLast(); // the connection is closed then
      }
    } finally {
      run.end();
    }
    inOrder = another;
    if (responder.sent && !another && !wire.cutShort) {
      wire.close();
      wire.awaitClosed(); // in the task of the request, which a shutdown awaits
    }
  }

  /// A request is here that was not accepted.
  void requestWaits() {
    next.look();
  }

  /// The client has ended its direction.
  void clientEnded() {
    ended = true;
    Objects.requireNonNull(wire).clientEnded();
    next.look();
  }

  /// A write outside of the task has failed, such as a heartbeat, or this side has closed the
  /// connection.
  void closed() {
    ended = true;
    if (running != null) {
      broken(Http2Stream.closed());
    }
    next.look();
  }

  /// The client has broken the connection. Cancels the task of the request, unless the response is
  /// complete. A WebSocket notices this by itself.
  private void broken(Throwable cause) {
    RequestRun current = running;
    Task<@Nullable Object> task = answering;
    if (current != null
        && task != null
        && !Objects.requireNonNull(wire).isEnding()
        && current.exchange.responder.statusCode()
            != HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
      boolean _ = task.cancel("the client has gone", cause);
    }
  }

  // Both.

  /// One timer serves all requests. It is not set again for each request.
  private void watchTime(long afterNanos) {
    timeWatch =
        channel.channel().eventLoop().schedule(this::lookAtTime, afterNanos, TimeUnit.NANOSECONDS);
  }

  private void lookAtTime() {
    if (!channel.isOpen()) {
      return;
    }
    long leftNanos = leftNanos();
    if (leftNanos > 0) {
      watchTime(Math.min(leftNanos, limits.idle().toNanos())); // it may become idle meanwhile
    } else if (streams != null) {
      streams.leave();
    } else {
      channel.close();
    }
  }

  /// {@return the time that the connection may still wait for the client}
  private long leftNanos() {
    long nowNanos = server.host.nowNanos();
    Http2Connection own = streams;
    if (wire == null && own == null) {
      return limits.head().toNanos() + acceptedNanos - nowNanos;
    }
    long idleNanos = limits.idle().toNanos();
    if (own == null ? running != null : !own.isIdle()) {
      return idleNanos;
    }
    return idleNanos + (own == null ? idleSinceNanos : own.idleSinceNanos()) - nowNanos;
  }

  /// The server ends. Closes the connection unless a request is being answered, or the first
  /// request may be under way.
  void drain() {
    Http2Connection own = streams;
    if (own != null) {
      own.drain();
      return;
    }
    RequestRun current = running;
    if (current != null) {
      current.exchange.responder.drain();
      return;
    }
    long leftNanos = wire == null ? firstRequestNanos() : 0;
    if (leftNanos <= 0) {
      channel.close();
      return;
    }
    var _ =
        channel
            .channel()
            .eventLoop()
            .schedule(this::closeUnlessBegun, leftNanos, TimeUnit.NANOSECONDS);
  }

  /// {@return the time that the first request may still be under way when the server ends} An older
  /// connection counts as idle.
  private long firstRequestNanos() {
    return MessageWire.LINGER.toNanos() + acceptedNanos - server.host.nowNanos();
  }

  /// Closes the connection if the client has sent nothing in its time.
  private void closeUnlessBegun() {
    if (wire == null && streams == null) {
      channel.close();
    }
  }

  void close() {
    RequestRun current = running;
    if (current != null && current.exchange.responder.isCutShort()) {
      channel.reset();
    }
    channel.close();
  }

  /// Waits until the client has ended its direction too, or its time is over.
  void awaitClosed() {
    if (channel.channel().isOpen()) {
      var _ = server.host.awaitEvent(channel.closed());
    }
  }
}
