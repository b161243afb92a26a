package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.HeldFuture;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The end of a computicle, a pool or a remote task. Tasks of any scheduler and other threads can
/// wait for it. It knows whether a failure has reached a caller. Any thread.
final class Ending<T extends @Nullable Object> {

  /// Knows the task that ends, for deadlock reports.
  private static final class End<T extends @Nullable Object> extends CompletableFuture<T>
      implements HeldFuture {

    private final String what;
    private volatile @Nullable Task<?> task;

    End(String what) {
      this.what = what;
    }

    @Override
    public @Nullable Task<?> holder() {
      return task;
    }

    @Override
    public String toString() {
      return what;
    }
  }

  private final String kind;
  private final String name;

  /// Completes with the failure that joiners receive.
  private final End<T> end;

  /// In a simulation, tasks wait for the close of this endpoint; null outside of a simulation. A
  /// wait for a future would count as a wait for another thread, and virtual time would stand
  /// still.
  private final @Nullable Endpoint<Object> gate;

  /// The number of present waits, and of callers that may wait at any time.
  private final AtomicInteger waiting = new AtomicInteger();

  /// Whether a wait has received the end. Written by any thread.
  private volatile boolean received;

  /// @param kind of the thing that ends, for messages
  /// @param simulated whether the end comes on the thread of the waiters
  Ending(String kind, String name, boolean simulated) {
    this.kind = kind;
    this.name = name;
    this.gate = simulated ? new Endpoint<>("end of " + what(), 0) : null;
    this.end = new End<>(what());
  }

  /// The work has begun.
  ///
  /// @param task whose end this is
  void heldBy(Task<?> task) {
    end.task = task;
  }

  private String what() {
    return kind + " '" + name + "'";
  }

  void complete(T value) {
    end.complete(value);
    openGate();
  }

  private void openGate() {
    if (gate != null) {
      gate.close();
    }
  }

  /// Ends with a failure.
  ///
  /// @return whether a caller waits for the end, or the end had come before
  boolean fail(Throwable cause) {
    boolean awaited = isAwaited();
    boolean late = !end.completeExceptionally(new TaskFailedException(name, cause));
    openGate();
    return late || awaited;
  }

  boolean isAwaited() {
    return waiting.get() > 0;
  }

  /// Whether the failure has reached a caller, or will.
  boolean isReceived() {
    return received || isAwaited();
  }

  void cancel(String message) {
    end.completeExceptionally(new CancellationException(message));
    openGate();
  }

  boolean isOver() {
    return end.isDone();
  }

  T join() {
    return await(null);
  }

  /// In a task, a cancellation does not end the wait.
  void joinShielded() {
    Scheduler here = Scheduler.currentOrNull();
    if (here == null) {
      var _ = join();
    } else {
      here.shielded(() -> {
        var _ = join();
      });
    }
  }

  T join(Duration timeout) {
    return await(requireNonNull(timeout, "timeout is null"));
  }

  private T await(@Nullable Duration timeout) {
    Scheduler here = Scheduler.currentOrNull();
    waiting.incrementAndGet();
    try {
      if (here == null) {
        return block(timeout);
      }
      Waitable<T> event = eventIn(here);
      return timeout == null
          ? here.host().awaitEvent(event)
          : here.host().awaitEvent(event, timeout);
    } finally {
      if (isOver()) {
        received = true;
      }
      waiting.decrementAndGet();
    }
  }

  private T block(@Nullable Duration timeout) {
    try {
      return timeout == null ? end.get() : end.get(nanos(timeout), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new AssertionError(e);
    } catch (CancellationException e) {
      throw e.getCause() instanceof CancellationException own ? own : e;
    } catch (TimeoutException e) {
      throw new TimedOutException(requireNonNull(timeout), "end of " + what());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      var told = new CancellationException("join of " + what() + " was interrupted; it goes on");
      told.initCause(e);
      throw told;
    }
  }

  Waitable<T> event() {
    waiting.incrementAndGet();
    return Waitable.guard(() -> eventIn(Scheduler.current()));
  }

  private Waitable<T> eventIn(Scheduler here) {
    return gate == null ? here.completion(end) : gate.receivingOrEnd().map(ended -> block(null));
  }

  /// {@return a future that ends with the failure itself, or with the cancellation}
  CompletableFuture<T> future() {
    waiting.incrementAndGet();
    var future = new CompletableFuture<T>();
    var _ =
        end.whenComplete((value, failure) -> { // copy() would wrap the failure
          switch (failure) {
            case null -> future.complete(value);
            case TaskFailedException told -> future.completeExceptionally(told.getCause());
            default -> future.completeExceptionally(failure);
          }
        });
    return future;
  }

  /// Nanoseconds, saturated.
  static long nanos(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative, but is " + timeout);
    }
    try {
      return timeout.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }
}
