package dev.rondo.http.websocket.internal;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.netty.internal.BodyMemory;
import dev.rondo.netty.internal.BodyPace;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Scheduler;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The memory and the pace of a peer's incomplete WebSocket messages. A message that arrives with a
/// single read has no cost here.
///
/// Confined to the scheduler's thread.
public final class WebSocketArrival {

  private final Scheduler scheduler;
  private final ChannelControl channel;
  private final Channel connection;
  private final Duration progress;

  /// Null for a client, which has no common memory for its sockets.
  private final @Nullable BodyMemory memory;

  private BodyMemory.@Nullable Share share;

  /// Null while no message is incomplete.
  private @Nullable BodyPace pace;

  private int bytes;
  private @Nullable Future<?> timer;
  private Consumer<CorruptedWebSocketFrameException> failing = _ -> {};

  public WebSocketArrival(Scheduler scheduler, MessageWire wire, @Nullable BodyMemory memory) {
    this.scheduler = scheduler;
    this.channel = wire.channel();
    this.connection = wire.connection();
    this.progress = wire.progress();
    this.memory = memory;
  }

  /// @param action ends a socket whose peer is too slow
  void begin(Consumer<CorruptedWebSocketFrameException> action) {
    failing = action;
  }

  /// The peer has sent something.
  ///
  /// @param complete whether this has completed a message
  /// @param held the number of bytes that have arrived of the next message
  /// @throws CorruptedWebSocketFrameException if there is no memory for them
  void heard(boolean complete, int held) {
    if (complete || held == 0) {
      end();
    }
    if (held > bytes) {
      if (pace == null) {
        share = memory == null ? null : memory.share(connection, connection.remoteAddress());
        keepPace();
      }
      int more = held - bytes;
      bytes = held;
      BodyMemory.Share own = share;
      if (own != null && !own.tryGrow(more)) {
        end();
        throw new CorruptedWebSocketFrameException(
            WebSocketCloseStatus.TRY_AGAIN_LATER, "there is no memory for a message");
      }
    }
  }

  /// The program has received a message. From now on the next message is read.
  void received() {
    if (pace != null) {
      keepPace();
    }
  }

  /// No message is incomplete, or the incomplete message will not be completed.
  void end() {
    BodyMemory.Share own = share;
    share = null;
    pace = null;
    bytes = 0;
    stop();
    if (own != null) {
      own.release();
    }
  }

  private void keepPace() {
    var kept = new BodyPace(scheduler.host(), progress);
    pace = kept;
    stop();
    lookAfter(kept.leftNanos(bytes));
  }

  private void lookAfter(long nanos) {
    timer = channel.channel().eventLoop().schedule(this::look, nanos, TimeUnit.NANOSECONDS);
  }

  private void stop() {
    Future<?> set = timer;
    timer = null;
    if (set != null) {
      boolean _ = set.cancel(false);
    }
  }

  private void look() {
    timer = null;
    BodyPace kept = pace;
    if (kept == null) {
      return;
    }
    if (channel.messageCount() > 0) {
      keepPace(); // the program is not receiving
    } else if (kept.isTooSlow(bytes)) {
      end();
      failing.accept(
          new CorruptedWebSocketFrameException(
              WebSocketCloseStatus.POLICY_VIOLATION,
              "a message comes too slowly; required after the time of progress: %d bytes a second"
                  .formatted(BodyPace.BYTES_PER_SECOND)));
    } else {
      lookAfter(kept.leftNanos(bytes) + 1);
    }
  }
}
