package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One direction of a socket: one task at a time may be at it, with a limit to its waits. The
/// object is its own wait, used again for each operation, so an operation allocates nothing.
abstract class Direction extends ChannelWait {

  final Scheduler scheduler;
  private @Nullable Duration timeout;

  /// Whose operation is on its way; null if none is.
  private @Nullable Task<?> owner;

  Direction(Scheduler scheduler, ChannelRegistration registration, int operation) {
    super(registration, operation);
    this.scheduler = scheduler;
  }

  /// @param limit to each wait, more than zero; null for none
  final void timeout(@Nullable Duration limit) {
    registration.io.requireThread();
    if (limit != null && !limit.isPositive()) {
      throw new IllegalArgumentException(
          "timeout must be more than zero, or null for none: timeout=" + limit);
    }
    timeout = limit;
  }

  /// Makes the direction the current task's, until [#end()].
  ///
  /// @throws IllegalStateException if it is another task's
  final void begin() throws IOException {
    Task<?> self = scheduler.currentTask();
    requireIdle();
    if (self != null) {
      registration.requireFree(this, self);
    }
    IOException why = registration.whyNot();
    if (why != null) {
      throw why instanceof ChannelClosedException ? closed() : translated(why);
    }
    owner = self;
  }

  void end() {
    owner = null;
  }

  /// @throws IllegalStateException if a task is at it
  /// @throws WrongThreadException if this is not the scheduler's thread
  final void requireIdle() {
    registration.io.requireThread();
    Task<?> other = owner;
    if (other != null) {
      throw ChannelRegistration.busy(this, scheduler.currentTask(), other);
    }
  }

  /// {@return the channel being ready for it}
  ///
  /// @param socket what the wait results in
  /// @param already whether it needs no word of the operating system to know
  final <S> Waitable<S> ready(S socket, BooleanSupplier already) {
    return Waitable.guard(() -> {
      var wait = new Readiness(registration, operation, already);
      return wait.map(ignored -> ChannelWait.result(wait, socket));
    });
  }

  /// Waits until the operation is done, or the task was scheduled directly.
  final void await() throws IOException {
    await(this);
  }

  /// Waits until the channel is ready, or the task was scheduled directly.
  final void awaitReady() throws IOException {
    await(new Readiness(registration, operation, () -> false));
  }

  private void await(ChannelWait wait) throws IOException {
    Duration limit = timeout;
    if (limit == null) {
      scheduler.await(wait);
    } else {
      scheduler.await(wait, limit);
    }
    wait.throwIfFailed();
  }
}
