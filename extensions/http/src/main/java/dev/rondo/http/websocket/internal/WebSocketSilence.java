package dev.rondo.http.websocket.internal;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Notices that a peer has sent nothing for some time, and again after the same time. Unlike
/// Netty's `IdleStateHandler` it is not a handler, so outgoing messages do not pass through it.
///
/// Confined to the event loop.
final class WebSocketSilence {

  /// The action after a silence.
  interface Action {

    /// Acts on the silence.
    ///
    /// @param first whether the peer was not asked since its last frame
    /// @return whether the peer was asked to answer
    boolean run(boolean first);
  }

  private final EventLoop loop;
  private final long nanos;
  private final Action action;

  private long heardNanos;

  /// Whether the peer was asked since its last frame.
  private boolean asked;

  private @Nullable Future<?> timer;

  /// @param nanos the time that the peer may be silent
  WebSocketSilence(EventLoop loop, long nanos, Action action) {
    this.loop = loop;
    this.nanos = nanos;
    this.action = action;
  }

  void begin() {
    heard();
    lookAfter(nanos);
  }

  /// The peer has sent something.
  void heard() {
    heardNanos = loop.ticker().nanoTime();
    asked = false;
  }

  void end() {
    Future<?> set = timer;
    timer = null;
    if (set != null) {
      boolean _ = set.cancel(false);
    }
  }

  private void lookAfter(long afterNanos) {
    timer = loop.schedule(this::look, afterNanos, TimeUnit.NANOSECONDS);
  }

  private void look() {
    long leftNanos = nanos - (loop.ticker().nanoTime() - heardNanos);
    if (leftNanos > 0) {
      lookAfter(leftNanos);
      return;
    }
    lookAfter(nanos);
    if (action.run(!asked)) {
      asked = true;
    }
  }
}
