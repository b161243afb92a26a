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

/// Serves one connection. With HTTP/1.1 it reads one request after the other, and has each answered
/// by a task of its own; requests that the client sends ahead wait, so the responses are in order.
/// If the client's first message is one of HTTP/2, its streams are served at the same time.
///
/// A task without a stack waits for the requests of HTTP/1.1, so an idle connection holds no stack.
/// A request that finds this task waiting costs it no turn: Netty's handler makes the request's
/// task, as its child. A request that was sent ahead costs it one turn. One read is always under
/// way as long as nothing waits to be received, so that a connection that breaks is noticed while
/// its request is being answered.
///
/// Confined to the scheduler's thread.
final class HttpConnection {

  /// Netty reads on while fewer requests and parts of a body, of at most 8 KiB each, wait to be
  /// received: the end of a client that has gone is behind them.
  private static final int MESSAGES_AHEAD = 16;

  private final HttpServer server;
  private final TaskGroup<@Nullable Object> group;
  private final ChannelControl channel;
  private final HttpLimits limits;
  private final LastWrites lastWrites;

  /// Of HTTP/1.1; null before.
  private @Nullable HttpWire wire;

  /// Of HTTP/1.1; null before.
  private @Nullable RequestDecoder decoder;

  /// The request that is being answered in HTTP/1.1, until the response is sent; null while it
  /// waits for one.
  private @Nullable RequestRun running;

  private @Nullable Task<@Nullable Object> answering;

  /// Whether that task has had a turn.
  private boolean begun;

  /// Whether no request comes behind those that have arrived.
  private boolean ended;

  /// Whether another request may follow the one that is being answered, or was.
  private boolean inOrder = true;

  private final NextRequest next = new NextRequest();
  private final Trap<@Nullable Object> whenAnswered = this::answered;
  private final Runnable whenSent = this::sent;

  /// Of the connection; null before it is made.
  private @Nullable Task<?> self;

  /// Whether that has had its first turn.
  private boolean waitsForFirst;

  private long acceptedNanos;

  /// Since when it waits for a request.
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

  /// Begins to serve all requests. When they are served the connection is closed.
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

  /// Waits for the first message, which says what the protocol is. There is none if the client has
  /// gone, is late or sends what cannot be decoded, or the server ends.
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
    channel.close();
    channel.channel().closeFuture().addListener(done -> server.ended(this));
  }

  // HTTP/1.1.

  /// A request is there, or there will be no more.
  private StepResult answerNext(StepTask<@Nullable Object> self) {
    if (running != null) {
      return self.await(next); // one that did not wait for this task
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

  /// The head of a request is here: has it answered at once, if none is being answered and none
  /// waits. Called outside of tasks.
  ///
  /// @return false if the connection's task has to take it
  boolean accept(HttpRequest request) {
    Task<?> own = self;
    boolean isAwaited = next.waiting != null && running == null && inOrder && !server.draining;
    if (own == null || !isAwaited || channel.messageCount() > 0 || !channel.isOpen()) {
      return false;
    }
    try {
      answer(request, own);
    } catch (RuntimeException e) { // there are too many tasks: that of the connection will fail
      running = null;
      inOrder = true;
      return false;
    }
    return true;
  }

  /// Has a request answered by a task of its own.
  ///
  /// @param own of the connection
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

  /// The response is sent as well, or cannot be.
  private void sent() {
    running = null;
    idleSinceNanos = server.host.passNanos();
    next.look();
  }

  /// A wait until the request before has been answered and another one is here, or none will come.
  private final class NextRequest implements Waitable<ChannelControl> {

    /// Null if nothing waits.
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
    if (responder.sent && !another) {
      wire.close();
      wire.awaitClosed(); // in the task of the request, for which a drain waits
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

  /// A write has failed between those of the task, that of a heartbeat for instance, or this side
  /// has closed the connection.
  void closed() {
    ended = true;
    if (running != null) {
      broken(Http2Stream.closed());
    }
    next.look();
  }

  /// The client has broken the connection: cancels the task of a request, unless all was said. A
  /// WebSocket notices it by itself.
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

  /// One timer serves all requests: it is not moved for each of them.
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

  /// {@return how long the connection may wait for the client, if it goes on doing so}
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

  /// The server ends: closes the connection unless a request is being answered, or the first one
  /// may be under way.
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

  /// {@return how long the first request may be under way to a server that ends} An older
  /// connection is idle, like one between two requests.
  private long firstRequestNanos() {
    return MessageWire.LINGER.toNanos() + acceptedNanos - server.host.nowNanos();
  }

  /// Closes the connection if the client has sent nothing: it had time to.
  private void closeUnlessBegun() {
    if (wire == null && streams == null) {
      channel.close();
    }
  }

  void close() {
    channel.close();
  }

  /// Waits until the client has ended its direction, too, or has had its time to.
  void awaitClosed() {
    if (channel.channel().isOpen()) {
      var _ = server.host.awaitEvent(channel.closed());
    }
  }
}
