package dev.rondo.netty;

import dev.rondo.scheduler.Waiter;
import io.netty.channel.Channel;
import io.netty.util.ReferenceCounted;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.FutureListener;
import io.netty.util.concurrent.GenericFutureListener;
import org.jspecify.annotations.Nullable;

/// A wait for a Netty future of any event loop.
///
/// Confined to the scheduler's thread.
///
/// @param <T> its value
final class FutureWait<T extends @Nullable Object> extends EventWait<T> {

  private final NettyEvents events;
  private final Future<T> future;

  /// Whether a wait that is given up cancels the future.
  private final boolean cancels;

  /// Registered while there are waiters.
  private @Nullable GenericFutureListener<Future<T>> listener;

  FutureWait(NettyEvents events, Future<T> future, boolean cancels) {
    super(events);
    this.events = events;
    this.future = future;
    this.cancels = cancels;
  }

  @Override
  public boolean poll(Waiter<? super T> waiter) {
    return future.isDone() && settle(waiter);
  }

  @Override
  boolean settle(Waiter<? super T> waiter) {
    Throwable cause = future.cause();
    return cause == null ? waiter.fire(future.getNow()) : waiter.fail(cause);
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    super.arm(waiter);
    if (listener == null) {
      FutureListener<T> added = this::completed;
      listener = added;
      future.addListener(added);
    }
  }

  /// The future's executor calls this, on its own thread.
  private void completed(Future<T> done) {
    events.onLoop(this::fire);
  }

  private void fire() {
    listener = null;
    settleAll();
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    super.disarm(waiter);
    GenericFutureListener<Future<T>> added = listener;
    if (!isAwaited() && added != null) {
      listener = null;
      future.removeListener(added);
      if (cancels && !future.cancel(false)) {
        future.addListener((FutureListener<T>) this::closeLate);
      }
    }
  }

  /// Closes a value that comes after all waits were given up: docs/inside/semantics.md, rule 42.
  /// The future's executor calls this, on its own thread.
  private void closeLate(Future<T> done) {
    T value = done.isSuccess() ? done.getNow() : null;
    if (value instanceof Channel channel) {
      var _ = channel.close();
    } else if (value instanceof ReferenceCounted counted) {
      boolean _ = counted.release();
    } else if (value instanceof AutoCloseable resource) {
      Thread.ofPlatform().daemon().name("late result of " + this).start(() -> close(resource));
    }
  }

  private void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      scheduler().host().report("the late result of " + this, e);
    }
  }

  /// Leaves out the identity that Netty's futures show: a recording contains this text, and must be
  /// the same in each run of a seed.
  @Override
  public String toString() {
    String identity = "@" + Integer.toHexString(future.hashCode());
    return "completion of " + future.toString().replace(identity, "");
  }
}
