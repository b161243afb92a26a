package dev.rondo.netty;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.netty.internal.LingeringClose;
import dev.rondo.netty.internal.SocketSender;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A Netty channel whose messages tasks receive and send. Made by [WaitForNetty].
///
/// Confined to the scheduler's thread.
final class LoopChannel implements ChannelControl {

  /// There may be very many channels.
  private static final int MESSAGES_AT_FIRST = 3;

  private final WaitForNetty netty;
  private final NettyEvents events;
  private final Channel channel;

  /// Its `toString` is the name; null for the channel's own. Texts are made on demand.
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

  /// Whether Netty was asked to read, and has not finished that read.
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

  /// @param name its `toString` is the name; null for the channel's own
  LoopChannel(WaitForNetty netty, NettyEvents events, Channel channel, @Nullable Object name) {
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

  @Override
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

  @Override
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

  @Override
  public @Nullable Object receive(Duration timeout) throws IOException {
    Objects.requireNonNull(timeout, "timeout is null");
    Object first = timeout.isNegative() ? null : receiveAtOnce();
    return first == null ? netty.host.awaitEvent(receiving, timeout) : first;
  }

  @Override
  public Waitable<@Nullable Object> receiving() {
    return receiving;
  }

  @Override
  public void readAhead(int most) {
    netty.host.checkThread();
    if (most < 0) {
      throw new IllegalArgumentException("most=%d; required >= 0".formatted(most));
    }
    ahead = most;
    taken();
  }

  @Override
  public void watchFailures(Consumer<? super Throwable> action) {
    netty.host.checkThread();
    onFailure = Objects.requireNonNull(action, "action is null");
  }

  @Override
  public int messageCount() {
    return messages.size();
  }

  @Override
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
          LoopChannel.this.taken();
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
      return "receive from " + LoopChannel.this;
    }
  }

  @Override
  public Waitable<NettyChannel> receivable() {
    return receivable;
  }

  /// Whether a wait for messages is over: a message is here, or the messages have ended.
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

  @Override
  public void send(Object message) throws IOException {
    awaitSendable(message, null);
    ChannelFuture done = sendNow(message);
    if (!done.isDone()) {
      awaitSent(done, () -> netty.await(done));
    }
    requireNotFailed(done);
  }

  @Override
  public void send(Object message, Duration timeout) throws IOException {
    requireTime(timeout);
    if (!isReadyToSend()) {
      netty.scheduler.within(timeout, () -> send(message));
      return;
    }
    awaitSendable(message, timeout);
    awaitSent(sendNow(message), timeout);
  }

  private static void requireTime(Duration timeout) {
    if (Objects.requireNonNull(timeout, "timeout is null").isNegative()) {
      throw new IllegalArgumentException("timeout=%s; required >= 0".formatted(timeout));
    }
  }

  @Override
  public ChannelFuture sendSoon(Object message, Duration timeout) throws IOException {
    awaitSendable(message, timeout);
    ChannelFuture done = sendNow(message);
    requireNotFailed(done);
    return done;
  }

  @Override
  public void gatherFlushes() {
    netty.host.checkThread();
    if (events.sharesThread()) { // otherwise Netty writes later than tasks do
      gathered = GatheredFlush.of(events, channel);
    }
  }

  /// Bytes that no handler changes go straight to the socket where that is possible.
  @Override
  public ChannelFuture sendNow(Object message) {
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

  @Override
  public void awaitSent(ChannelFuture done, Duration timeout) throws IOException {
    if (!done.isDone()) {
      awaitSent(done, () -> netty.host.awaitEvent(netty.waitable(done), timeout));
    }
    requireNotFailed(done);
  }

  @Override
  public ChannelFuture sendAtOnce(Object message) {
    return events.outsideOfTasks(() -> channel.writeAndFlush(message));
  }

  /// Sends bytes past the pipeline, as far as the system takes them.
  ///
  /// @return whether all bytes were sent, and the buffer was released; otherwise the rest is left
  ///   in the buffer
  private boolean sendStraight(SocketSender straight, ByteBuf bytes) {
    int sent = SocketSender.passesUnchanged(channel) ? straight.send(bytes) : 0;
    if (sent == 0 || bytes.skipBytes(sent).isReadable()) {
      return false;
    }
    boolean _ = bytes.release();
    return true;
  }

  /// @param wait fails as the write does, or with a failure of its own
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

  @Override
  public boolean trySend(Object message) {
    Objects.requireNonNull(message, "message is null");
    netty.host.checkThread();
    if (closedHere || !channel.isActive() || !channel.isWritable()) {
      ReferenceCountUtil.release(message);
      return false;
    }
    breakIfUnsent(sendNow(message));
    return true;
  }

  @Override
  public void write(Object message) throws IOException {
    awaitSendable(message, null);
    ChannelFuture done = events.outsideOfTasks(() -> channel.write(message));
    requireNotFailed(done);
    breakIfUnsent(done);
  }

  /// Breaks the channel if a write fails for which no task waits: a message is missing then.
  private void breakIfUnsent(ChannelFuture done) {
    if (!done.isSuccess()) {
      events.outsideOfTasks(() ->
          done.addListener(_ -> {
            Throwable cause = done.cause();
            if (cause != null && !closing && channel.isActive()) {
              breakBy("send to ", cause);
            }
          }));
    }
  }

  private void breakBy(String what, Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    closing = true;
    end();
    channel.close();
    Consumer<? super Throwable> watching = onFailure;
    if (watching != null) {
      watching.accept(NettyFailures.of(what + this, cause));
    }
  }

  @Override
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

  @Override
  public Waitable<NettyChannel> sendable() {
    return sendable;
  }

  /// If the peer has closed the channel, the write fails and says how.
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
        discard(); // the group does not know a channel within another channel
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      breakBy("receive from ", cause);
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

  @Override
  public void close() {
    close(() -> {});
  }

  @Override
  public void close(Channel connection, Duration linger) {
    close(() -> LingeringClose.install(connection, linger));
  }

  @Override
  public void reset() {
    if (isOpen()) {
      close(() -> {
        boolean _ = channel.config().setOption(ChannelOption.SO_LINGER, 0);
        var _ = channel.pipeline().firstContext().close();
      });
    }
  }

  /// @param first runs in the same step as the close: a handler that a task adds from another
  ///   thread would come too late
  private void close(Runnable first) {
    netty.host.checkThread();
    if (closedHere) {
      return;
    }
    closedHere = true;
    closing = true;
    releaseMessages();
    end();
    GatheredFlush later = gathered;
    events.outsideOfTasks(() -> {
      first.run();
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

  /// Releases the messages that no task has received, because the scheduler is being closed.
  ///
  /// @param channel the add-on's, or a library's
  static void discardMessages(Channel channel) {
    Inbound inbound = channel.pipeline().get(Inbound.class);
    if (inbound != null) {
      inbound.discard();
    }
  }

  @Override
  @SuppressWarnings("NullAway") // Void has no other value
  public Waitable<@Nullable Void> closed() {
    return netty.waitable(channel.closeFuture());
  }

  @Override
  public boolean isOpen() {
    return !closing && channel.isOpen();
  }

  /// Whether this side has closed it.
  boolean isClosedHere() {
    return closedHere;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public String toString() {
    Object own = name;
    return (own == null ? channel : own).toString();
  }
}
