package dev.rondo.io.system;

import dev.rondo.io.internal.NamedFuture;
import dev.rondo.io.internal.OsSignals;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Listens to one signal. Made by [WaitForOsSignal#listen]. Signals that arrive while no task waits
/// are counted.
///
/// Confined to the scheduler's thread.
public final class SignalWatch implements AutoCloseable {

  private final WaitForOsSignal signals;
  private final Scheduler scheduler;
  private final String name;
  private final Runnable listener = this::raised;

  /// Incremented by the JVM's thread, and set to zero by the loop.
  private final AtomicInteger count = new AtomicInteger();

  /// Completed by the JVM's thread after counting; a waiting task reads it before the count.
  private final AtomicReference<CompletableFuture<@Nullable Void>> next;

  private boolean closed;

  SignalWatch(WaitForOsSignal signals, Scheduler scheduler, String name) {
    this.signals = signals;
    this.scheduler = scheduler;
    this.name = name;
    this.next = new AtomicReference<>(arrival());
  }

  private CompletableFuture<@Nullable Void> arrival() {
    return new NamedFuture<@Nullable Void>(toString());
  }

  void open() {
    OsSignals.add(name, listener);
  }

  private void raised() {
    count.incrementAndGet();
    next.getAndSet(arrival()).complete(null);
  }

  /// {@return a wait until the signal arrives, which returns how often it has arrived since the
  /// last wait, at least once} If several tasks wait, each receives it, and the first receives the
  /// number. The system may report several that arrive close together as one.
  public Waitable<Integer> raising() {
    return Waitable.guard(() -> {
      if (closed) {
        throw closedFailure();
      }
      CompletableFuture<@Nullable Void> arrival = next.get();
      Waitable<@Nullable Void> there =
          count.get() > 0 ? Waitable.always(null) : scheduler.completion(arrival);
      return there.map(ignored -> taken());
    });
  }

  /// In a task whose wait has ended. If several have waited, the first finds the count.
  private int taken() {
    if (closed) {
      throw closedFailure();
    }
    return Math.max(1, count.getAndSet(0));
  }

  private IllegalStateException closedFailure() {
    return new IllegalStateException("no longer listens to signal " + name + ": closed");
  }

  /// Waits for the signal. A *possible* suspension point.
  ///
  /// @return how often it has arrived since the last wait, at least once
  /// @throws IllegalStateException if this is closed, before or during the operation
  public int await() {
    return scheduler.host().awaitEvent(raising());
  }

  /// Stops listening: the signal has its earlier effect again. Waits fail. Never a suspension
  /// point. Later calls do nothing.
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      signals.forget(this);
      OsSignals.remove(name, listener);
      next.get().complete(null); // waits check again, and fail
    }
  }

  @Override
  public String toString() {
    return "signal " + name;
  }
}
