package dev.rondo.http.websocket.internal;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Task;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Cancels the task of a server's WebSocket if the client has gone and the task does not notice,
/// because it waits for something else. The task is cancelled when no message is left and the time
/// of `progress` has passed since the client has gone, or since the task last received a message.
///
/// Confined to the scheduler's thread.
public final class WebSocketEnd {

  private final MessageWire wire;
  private final ChannelControl channel;

  /// Null for a socket without a handler, whose program learns of the end when it receives.
  private final @Nullable Task<?> task;

  private boolean gone;

  /// Whether the client's close is the last frame that waits to be received.
  private boolean closes;

  /// Whether the task has learned of the end, or has caused it.
  private boolean known;

  private @Nullable Future<?> timer;

  /// @param task whose handler has made the socket; null for a client's socket, which belongs to no
  ///   task
  public WebSocketEnd(MessageWire wire, @Nullable Task<?> task) {
    this.wire = wire;
    this.channel = wire.channel();
    this.task = task;
  }

  /// The client closes the socket. Its frame has not been received yet.
  void clientCloses() {
    closes = true;
    clientHasGone();
  }

  /// The client will send no more.
  public void clientHasGone() {
    if (!gone && !known) {
      gone = true;
      watch();
    }
  }

  /// The task has received a message.
  void received() {
    if (gone && !known) {
      watch();
    }
  }

  /// The task has learned of the end, or has ended.
  void known() {
    known = true;
    stop();
  }

  private void watch() {
    if (task == null) {
      return;
    }
    stop();
    timer =
        channel
            .channel()
            .eventLoop()
            .schedule(this::look, wire.progress().toNanos(), TimeUnit.NANOSECONDS);
  }

  private void stop() {
    Future<?> set = timer;
    timer = null;
    if (set != null) {
      boolean _ = set.cancel(false);
    }
  }

  /// If messages are left, another look follows after the task has received one.
  private void look() {
    timer = null;
    int ends = closes ? 1 : 0;
    boolean learned = known || wire.isBroken() || channel.isEndReceived();
    Task<?> own = task;
    if (own != null && !learned && channel.messageCount() <= ends) {
      boolean _ = own.cancel("the client has gone");
    }
  }
}
