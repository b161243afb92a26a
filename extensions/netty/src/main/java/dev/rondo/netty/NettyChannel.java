package dev.rondo.netty;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.netty.internal.SocketSender;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A channel of Netty as a source and a sink of messages for tasks. What a message is, its pipeline
/// says: bytes in a `ByteBuf` without handlers, or what decoders and encoders make of them.
///
/// **Receiving is back-pressure.** Netty reads from the channel when a task waits to receive and
/// there is nothing, and not otherwise. A peer that sends faster than tasks receive fills the
/// system's buffers and waits. What one read has decoded and no task has received yet stays here.
///
/// **Reference counts.** The task that receives a message releases it. A message that was not
/// received when the channel is closed is released here. `send` takes its message, whether it
/// succeeds or not.
///
/// Messages are received and sent whole, by any number of tasks, each first come, first served. A
/// wait that is cancelled, times out or loses a select has received nothing: the message is the
/// next receiver's.
///
/// Confined to the scheduler's thread. Made by [WaitForNetty].
public final class NettyChannel implements AutoCloseable {

  /// There may be very many channels.
  private static final int MESSAGES_AT_FIRST = 3;

  private final WaitForNetty netty;
  private final NettyEvents events;
  private final Channel channel;

  /// Its text is the name; null for that of the channel. Texts are made when they are asked for.
  private final @Nullable Object name;

  /// Messages that no task has received yet.
  private final ArrayDeque<Object> messages = new ArrayDeque<>(MESSAGES_AT_FIRST);

  private final Receiving receiving;
  private final Receivable receivable;
  private final Sendable sendable;

  /// Null if all messages go through the pipeline.
  private final @Nullable SocketSender socket;

  /// Null if each message is flushed at once.
  private @Nullable GatheredFlush gathered;

  /// Whether Netty was asked to read, and has not been done since.
  private boolean reading;

  /// As long as fewer messages than this wait to be received, Netty goes on reading.
  private int ahead;

  /// Whether nothing comes after [#messages].
  private boolean ended;

  /// Whether this side has closed the channel.
  private boolean closedHere;

  /// Whether the channel is closed, or about to be.
  private boolean closing;

  /// Whether a task has received the end, or the failure.
  private boolean endReceived;

  /// Null for none.
  private @Nullable Consumer<? super Throwable> onFailure;

  /// What ends the messages; null if they end in order.
  private @Nullable Throwable failure;

  /// @param name its text is the name; null for that of the channel
  NettyChannel(WaitForNetty netty, NettyEvents events, Channel channel, @Nullable Object name) {
    this.netty = netty;
    this.events = events;
    this.channel = channel;
    this.name = name;
    this.receiving = new Receiving(events);
    this.receivable = new Receivable(this, events);
    this.sendable = new Sendable(this, events);
    this.socket = events.sharesThread() ? SocketSender.of(channel) : null;
    this.ahead = Connections.mayReadAhead(channel) ? 1 : 0;
    channel.config().setAutoRead(false);
    channel.pipeline().addLast("rondo", new Inbound());
    if (!channel.isOpen()) {
      end();
    }
  }

  // Receiving.

  /// Receives a message. A *possible* suspension point.
  ///
  /// @return the message, which the caller releases if it is reference-counted; null at the end:
  ///   the peer has closed the channel, or its direction
  /// @throws ChannelClosedException if this side has closed the channel
  /// @throws dev.rondo.io.ConnectionResetException if the peer broke the connection
  /// @throws IOException if reading failed otherwise
  /// @throws RuntimeException what a handler failed with; the channel is closed
  public @Nullable Object receive() throws IOException {
    Object first = receiveAtOnce();
    return first == null ? netty.host.awaitEvent(receiving) : first;
  }

  /// Receives a message that is here, in a task.
  private @Nullable Object receiveAtOnce() {
    if (messages.isEmpty()) {
      return null;
    }
    netty.scheduler.checkpoint();
    return next(); // unless another task has received it meanwhile
  }

  /// Receives a message that is here already. Never a suspension point.
  ///
  /// @return as [#receive()]; null if there is none now, or at the end
  public @Nullable Object tryReceive() {
    netty.host.checkThread();
    return next();
  }

  private @Nullable Object next() {
    Object first = messages.poll();
    if (first != null) {
      taken();
    }
    return first;
  }

  /// Receives a message within a time. A *possible* suspension point.
  ///
  /// @param timeout at least zero
  /// @return as [#receive()]
  /// @throws dev.rondo.scheduler.TimedOutException if there was none in time; the next one is the
  ///   next receiver's
  /// @throws IOException as [#receive()] does
  public @Nullable Object receive(Duration timeout) throws IOException {
    Objects.requireNonNull(timeout, "timeout is null");
    Object first = timeout.isNegative() ? null : receiveAtOnce();
    return first == null ? netty.host.awaitEvent(receiving, timeout) : first;
  }

  /// Receives a message of a type. A *possible* suspension point.
  ///
  /// @param <M> the type
  /// @param type of every message that the pipeline makes
  /// @return as [#receive()]
  /// @throws ClassCastException if it is of another type; it was released
  /// @throws IOException as [#receive()] does
  public <M> @Nullable M receive(Class<M> type) throws IOException {
    Objects.requireNonNull(type, "type is null");
    Object message = receive();
    if (message == null || type.isInstance(message)) {
      return type.cast(message);
    }
    String found = message.getClass().getName();
    ReferenceCountUtil.release(message);
    throw new ClassCastException(
        "%s received a %s; required=%s".formatted(this, found, type.getName()));
  }

  /// {@return a wait for a message, which results in what [#receive()] returns} To be awaited with
  /// a limit or as a branch of a choice. A branch that is not taken receives nothing.
  public Waitable<@Nullable Object> receiving() {
    return receiving;
  }

  /// Has Netty read ahead of the tasks that receive: as long as fewer messages than this wait to be
  /// received. What one read has decoded may be more. So a peer that ends or breaks the connection
  /// is noticed while no task receives. Never a suspension point.
  ///
  /// Without this call Netty begins to read when a task waits for the first time. From then on it
  /// reads one message ahead, if the channel stays open when the peer ends its direction, which is
  /// [io.netty.channel.ChannelOption#ALLOW_HALF_CLOSURE]; otherwise none.
  ///
  /// @param most at least zero; with zero Netty reads only while a task waits, which costs two
  ///   system calls more for each message on epoll
  /// @throws IllegalArgumentException if it is negative; nothing has changed
  public void readAhead(int most) {
    netty.host.checkThread();
    if (most < 0) {
      throw new IllegalArgumentException("most=%d; required >= 0".formatted(most));
    }
    ahead = most;
    taken();
  }

  /// Sets what is called when reading has failed, or a handler: the channel is closed then. A task
  /// that receives or sends later learns of it in any case. Never a suspension point.
  ///
  /// @param action receives what tasks fail with; runs outside of tasks, and must not suspend
  public void watchFailures(Consumer<? super Throwable> action) {
    netty.host.checkThread();
    onFailure = Objects.requireNonNull(action, "action is null");
  }

  /// {@return how many messages wait to be received} Never a suspension point.
  public int messageCount() {
    return messages.size();
  }

  /// {@return whether a task has received the end: it has waited for a message, and there was null
  /// or a failure} Never a suspension point.
  public boolean isEndReceived() {
    return endReceived;
  }

  private void taken() {
    if (messages.size() < ahead) {
      readSoon();
    }
  }

  void readSoon() {
    if (!reading && !ended) {
      reading = true;
      events.readSoon(channel);
    }
  }

  private final class Receiving extends EventWait<@Nullable Object> {

    Receiving(NettyEvents events) {
      super(events);
    }

    /// The messages have ended.
    @Override
    boolean settle(Waiter<? super @Nullable Object> waiter) {
      return fireEnd(waiter);
    }

    @Override
    public boolean poll(Waiter<? super @Nullable Object> waiter) {
      Object first = messages.peek();
      if (first != null) {
        boolean taken = waiter.fire(first);
        if (taken) {
          messages.remove();
          NettyChannel.this.taken();
        }
        return taken;
      }
      return ended && settle(waiter);
    }

    @Override
    public void arm(Waiter<? super @Nullable Object> waiter) {
      super.arm(waiter);
      readSoon();
    }

    @Override
    public String toString() {
      return "receive from " + NettyChannel.this;
    }
  }

  /// {@return a wait until [#tryReceive()] returns a message, or the messages have ended} It takes
  /// no message: for a step task, which may be cancelled before its next turn.
  public Waitable<NettyChannel> receivable() {
    return receivable;
  }

  /// Whether a wait for messages is over: there are some, or there will be none.
  boolean isReceivable() {
    return ended || !messages.isEmpty();
  }

  @SuppressWarnings("NullAway") // null is the end
  private boolean fireEnd(Waiter<? super @Nullable Object> waiter) {
    if (closedHere) {
      return waiter.fail(closed("receive from"));
    }
    Throwable broken = failure;
    boolean received =
        broken == null
            ? waiter.fire(null)
            : waiter.fail(NettyFailures.of("receive from " + this, broken));
    endReceived |= received;
    return received;
  }

  ChannelClosedException closed(String tried) {
    return new ChannelClosedException("%s %s: this side has closed it".formatted(tried, this));
  }

  // Sending.

  /// Sends a message: waits until the channel takes it, and until the system has all of its bytes.
  /// A *possible* suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @throws ChannelClosedException if this side has closed the channel
  /// @throws dev.rondo.io.ConnectionResetException if the peer has closed the channel or broken the
  ///   connection, or if this side has closed the channel because of a failure, which is the cause
  /// @throws IOException if writing failed otherwise
  /// @throws RuntimeException what a handler failed with
  /// @throws dev.rondo.scheduler.TaskCancelled if the task, or a scope it is in, is cancelled; the
  ///   peer may receive all or part of the message nevertheless
  public void send(Object message) throws IOException {
    awaitSendable(message, null);
    ChannelFuture done = sendNow(message);
    if (!done.isDone()) {
      awaitSent(done, () -> netty.await(done));
    }
    requireNotFailed(done);
  }

  /// Sends a message within a time, as [#send(Object)]. A *possible* suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @param timeout at least zero
  /// @throws IllegalArgumentException if it is negative; the message is neither sent nor released
  /// @throws dev.rondo.scheduler.TimedOutException if the channel has not taken it, or the system
  ///   has not all of its bytes in time; the peer may receive all or part of it nevertheless
  /// @throws IOException as [#send(Object)] does
  public void send(Object message, Duration timeout) throws IOException {
    requireTime(timeout);
    if (!isReadyToSend()) {
      netty.scheduler.within(timeout, () -> send(message));
      return;
    }
    awaitSendable(message, timeout);
    ChannelFuture done = sendNow(message);
    if (!done.isDone()) {
      awaitSent(done, () -> netty.host.awaitEvent(netty.waitable(done), timeout));
    }
    requireNotFailed(done);
  }

  private static void requireTime(Duration timeout) {
    if (Objects.requireNonNull(timeout, "timeout is null").isNegative()) {
      throw new IllegalArgumentException("timeout=%s; required >= 0".formatted(timeout));
    }
  }

  /// Sends a message, and does not wait until the system has its bytes: waits only until the
  /// channel takes it. A *possible* suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @param timeout at least zero, for that wait
  /// @return the future of the write, which has not failed yet
  /// @throws IllegalArgumentException if it is negative; the message is neither sent nor released
  /// @throws dev.rondo.scheduler.TimedOutException if the channel has not taken it in time; nothing
  ///   is sent
  /// @throws IOException as [#send(Object)] does, if that is known already
  public ChannelFuture sendSoon(Object message, Duration timeout) throws IOException {
    requireTime(timeout);
    awaitSendable(message, timeout);
    ChannelFuture done = sendNow(message);
    requireNotFailed(done);
    return done;
  }

  /// Has what tasks send flushed before Netty polls the next time, or the channel is closed, and not
  /// with each message. That takes fewer system calls if several tasks send, on this channel or on
  /// channels within the same one, as streams of HTTP/2 are. A task that calls [#send(Object)] is
  /// suspended until then. On backends where tasks have threads of their own nothing changes. Never
  /// a suspension point.
  public void gatherFlushes() {
    netty.host.checkThread();
    if (events.sharesThread()) { // otherwise Netty writes later than tasks do
      gathered = GatheredFlush.of(events, channel);
    }
  }

  /// Writes a message and flushes it: at once, or together with those of other tasks. Bytes that no
  /// handler changes go to the socket straight where that is possible.
  ///
  /// @return the future of the write
  private ChannelFuture sendNow(Object message) {
    GatheredFlush later = gathered;
    if (later != null) {
      ChannelFuture done = events.outsideOfTasks(() -> channel.write(message));
      later.soon();
      return done;
    }
    return socket != null && message instanceof ByteBuf bytes && sendStraight(socket, bytes)
        ? channel.newSucceededFuture()
        : events.outsideOfTasks(() -> channel.writeAndFlush(message));
  }

  /// Sends bytes past the pipeline, as far as the system takes them.
  ///
  /// @return whether all were sent, and released; the others are left in the buffer
  private boolean sendStraight(SocketSender straight, ByteBuf bytes) {
    int sent = SocketSender.passesUnchanged(channel) ? straight.send(bytes) : 0;
    if (sent == 0 || bytes.skipBytes(sent).isReadable()) {
      return false;
    }
    boolean _ = bytes.release();
    return true;
  }

  /// @param wait whose failure is that of the write, or the wait's own
  private static void awaitSent(ChannelFuture done, TaskAction<? extends Exception> wait)
      throws IOException {
    try {
      wait.run();
    } catch (Exception e) {
      if (done.cause() != e) {
        throw NettyFailures.thrown(e);
      }
    }
  }

  /// Sends a message if the channel takes it now, and waits for nothing. Never a suspension point.
  ///
  /// @param message for the pipeline; released here, also if it is not sent
  /// @return false if the peer has not made room for earlier messages, or the channel is closed; if
  ///   the write fails later, a later call fails
  public boolean trySend(Object message) {
    Objects.requireNonNull(message, "message is null");
    netty.host.checkThread();
    if (closedHere || !channel.isActive() || !channel.isWritable()) {
      ReferenceCountUtil.release(message);
      return false;
    }
    var _ = sendNow(message);
    return true;
  }

  /// Sends a message with the next [#flush()], or with the next message that is sent: waits until
  /// the channel takes it. A *possible* suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @throws IOException as [#send(Object)] does; if the write fails later, a later call fails
  public void write(Object message) throws IOException {
    awaitSendable(message, null);
    ChannelFuture done = events.outsideOfTasks(() -> channel.write(message));
    requireNotFailed(done);
  }

  /// Sends what was written before. Never a suspension point.
  public void flush() {
    netty.host.checkThread();
    events.outsideOfTasks(channel::flush);
  }

  /// @param timeout null for no limit
  private void awaitSendable(Object message, @Nullable Duration timeout) {
    Objects.requireNonNull(message, "message is null");
    try {
      netty.scheduler.checkpoint();
      if (closedHere || !isReadyToSend()) {
        var _ =
            timeout == null
                ? netty.host.awaitEvent(sendable)
                : netty.host.awaitEvent(sendable, timeout);
      }
    } catch (Throwable e) {
      ReferenceCountUtil.release(message);
      throw e;
    }
  }

  private void requireNotFailed(ChannelFuture done) throws IOException {
    Throwable cause = done.cause();
    if (cause != null) {
      throw NettyFailures.thrown(
          closedHere ? closed("send to") : NettyFailures.ofSend("send to " + this, cause, failure));
    }
  }

  /// {@return a wait until the channel takes another message without exceeding its high-water mark}
  public Waitable<NettyChannel> sendable() {
    return sendable;
  }

  /// If the peer has closed it the write fails, and says how.
  boolean isReadyToSend() {
    return channel.isWritable() || closing || !channel.isActive();
  }

  // What the pipeline reports, on the loop's thread.

  private final class Inbound extends ChannelInboundHandlerAdapter
      implements OpenNettyChannel.Awaited {

    @Override
    public List<String> waits() {
      return Stream.of(receiving.waits(), receivable.waits(), sendable.waits())
          .flatMap(List::stream)
          .toList();
    }

    void discard() {
      closedHere = true;
      releaseMessages();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (closedHere) {
        ReferenceCountUtil.release(message);
      } else if (!messages.isEmpty() || !fireFirst(message)) {
        messages.add(message);
        receivable.settleAll();
      }
    }

    private boolean fireFirst(Object message) {
      for (Waiter<? super @Nullable Object> each; (each = receiving.next()) != null; ) {
        if (each.fire(message)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      reading = messages.size() < ahead || receiving.isAwaited() || receivable.isAwaited();
      if (reading) {
        context.channel().read(); // that was part of a message, or tasks wait for the next one
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        end();
      }
      ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      closing = true;
      end();
      if (events.isClosing()) {
        discard(); // a channel within another one is not known there
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (failure == null) {
        failure = cause;
      }
      closing = true;
      end();
      context.channel().close();
      Consumer<? super Throwable> watching = onFailure;
      if (watching != null) {
        watching.accept(NettyFailures.of("receive from " + NettyChannel.this, cause));
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (context.channel().isWritable()) {
        sendable.settleAll();
      }
    }
  }

  private void end() {
    ended = true;
    receiving.settleAll();
    receivable.settleAll();
    if (closing || !channel.isActive()) {
      sendable.settleAll();
    }
  }

  // The end.

  /// Closes the channel. Waits on it fail at once with a [ChannelClosedException]; messages that no
  /// task has received are released; what was written and not sent is lost. Nothing happens if it
  /// is closed already. Never a suspension point.
  @Override
  public void close() {
    netty.host.checkThread();
    if (closedHere) {
      return;
    }
    closedHere = true;
    closing = true;
    releaseMessages();
    end();
    GatheredFlush later = gathered;
    events.outsideOfTasks(
        () -> {
          if (later != null) {
            later.closing(channel);
          }
          return channel.close();
        });
  }

  private void releaseMessages() {
    for (Object each; (each = messages.poll()) != null; ) {
      ReferenceCountUtil.release(each);
    }
  }

  /// Releases what no task has received: the scheduler is being closed.
  ///
  /// @param channel one of ours, or of a library
  static void discardMessages(Channel channel) {
    Inbound inbound = channel.pipeline().get(Inbound.class);
    if (inbound != null) {
      inbound.discard();
    }
  }

  /// {@return a wait until the channel is closed, by either side}
  @SuppressWarnings("NullAway") // Void has no other value
  public Waitable<@Nullable Void> closed() {
    return netty.waitable(channel.closeFuture());
  }

  /// {@return whether the channel is open} Never a suspension point.
  public boolean isOpen() {
    return !closing && channel.isOpen();
  }

  /// Whether this side has closed it.
  boolean isClosedHere() {
    return closedHere;
  }

  /// {@return the channel, for its options, attributes and pipeline} Handlers run on the
  /// scheduler's thread, outside of tasks, and must not suspend. `autoRead` is off and must stay
  /// so.
  public Channel channel() {
    return channel;
  }

  /// {@return the peer's address; null if it was never connected} Never a suspension point.
  public @Nullable SocketAddress remoteAddress() {
    return channel.remoteAddress();
  }

  @Override
  public String toString() {
    Object own = name;
    return (own == null ? channel : own).toString();
  }
}
