package dev.rondo.io.system;

import dev.rondo.io.internal.OsSignals;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Listening to one signal. Made by [WaitForOsSignal#listen]. Signals that come while nobody waits
/// are counted.
///
/// Confined to the scheduler's thread.
public final class SignalWatch implements AutoCloseable {

  private final WaitForOsSignal signals;
  private final Scheduler scheduler;
  private final String name;
  private final Runnable listener = this::raised;

  /// Counted up by the JVM's thread, and down to zero by the loop.
  private final AtomicInteger count = new AtomicInteger();

  /// Completed by the JVM's thread after counting; who waits takes it before looking at the count.
  private final AtomicReference<CompletableFuture<@Nullable Void>> next =
      new AtomicReference<>(new CompletableFuture<@Nullable Void>());

  private boolean closed;

  SignalWatch(WaitForOsSignal signals, Scheduler scheduler, String name) {
    this.signals = signals;
    this.scheduler = scheduler;
    this.name = name;
  }

  void open() {
    OsSignals.add(name, listener);
  }

  private void raised() {
    count.incrementAndGet();
    next.getAndSet(new CompletableFuture<@Nullable Void>()).complete(null);
  }

  /// {@return the signal's name, without SIG} Never a suspension point.
  public String name() {
    return name;
  }

  /// {@return the signal having come, to be awaited: how often since the last time, at least once}
  /// The system may tell several that come close together once.
  public Waitable<Integer> raising() {
    return Waitable.guard(() -> {
      if (closed) {
        throw new IllegalStateException("does not listen to signal " + name + " any more: closed");
      }
      CompletableFuture<@Nullable Void> arrival = next.get();
      Waitable<@Nullable Void> there =
          count.get() > 0 ? Waitable.always(null) : scheduler.completion(arrival);
      return there.map(ignored -> count.getAndSet(0));
    });
  }

  /// Waits for the signal. A *possible* suspension point.
  ///
  /// @return how often it has come since the last time, at least once
  /// @throws IllegalStateException if this is closed, before or meanwhile
  public int await() {
    Waitable<Integer> raising = raising();
    int came;
    do {
      came = scheduler.await(raising);
    } while (came == 0); // scheduled directly, or another task was faster
    return came;
  }

  /// Listens no more: the signal does again what it did before. Whoever waits is told. Never a
  /// suspension point. Later calls do nothing.
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      signals.forget(this);
      OsSignals.remove(name, listener);
      next.get().complete(null); // who waits looks again, and is told
    }
  }

  @Override
  public String toString() {
    return "signal " + name;
  }
}
