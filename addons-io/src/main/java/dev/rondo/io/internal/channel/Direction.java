package dev.rondo.io.internal.channel;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOnHost;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One direction of a socket: one task at a time may use it, with a limit to its waits. The object
/// is its own wait and is used again for each operation, so an operation allocates nothing.
public abstract sealed class Direction extends ChannelWait
    permits StreamReader, StreamWriter, DatagramReceiver, DatagramSender {

  final Scheduler scheduler;
  private final AddOnHost host;
  private @Nullable Duration timeout;

  /// An armed wait keeps the socket, so that the socket does not count as lost, see [LeakWatch].
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private @Nullable Object socket;

  /// The task whose operation is under way; null if none is.
  private @Nullable Task<?> owner;

  /// Whether this side has ended the direction of a stream.
  boolean shutDown;

  Direction(ChannelRegistration registration, int operation) {
    super(registration, operation);
    this.scheduler = registration.reactor.scheduler;
    this.host = registration.reactor.host;
  }

  /// Sets the socket to which this direction belongs.
  ///
  /// @param whole kept while a task waits
  public final void belongsTo(Object whole) {
    socket = whole;
  }

  /// Limits how long each wait may take.
  ///
  /// @param limit more than zero; null for none
  /// @throws IllegalArgumentException if `limit` is zero or negative; the earlier limit stays
  public final void timeout(@Nullable Duration limit) {
    registration.reactor.checkThread();
    timeout = IoErrors.requirePositive(limit);
  }

  /// Reserves the direction for the current task, until [#end()].
  ///
  /// @throws IllegalStateException if another task uses it
  final void begin() throws IOException {
    Task<?> self = scheduler.currentTask();
    if (self == null || (owner != null && owner != self)) { // itself: see handOver
      requireIdle();
    }
    if (self != null) {
      registration.requireFree(this, self);
    }
    requireUsable();
    owner = self;
  }

  private void requireUsable() throws IOException {
    IOException why = registration.unusable();
    if (why != null) {
      throw why instanceof ClosedChannelException ? closed() : translated(why);
    }
  }

  void end() {
    owner = null;
  }

  /// {@return the task whose operation is under way; null if none is}
  final @Nullable Task<?> owner() {
    return owner;
  }

  /// Gives the direction to a task that waits for it and will [#begin()]; the operation under way
  /// ends with that.
  final void handOver(Task<?> next) {
    owner = next;
  }

  /// @throws IllegalStateException if a task uses it
  /// @throws WrongThreadException if this is not the scheduler's thread
  final void requireIdle() {
    registration.reactor.checkThread();
    Task<?> other = owner;
    if (other != null) {
      throw ChannelRegistration.busy(this, scheduler.currentTask(), other);
    }
  }

  /// Checks that the socket can end without ending an operation.
  ///
  /// @throws IllegalStateException if a task uses the direction or waits for it, or if this side
  ///   has shut it down
  /// @throws IOException if this side has closed the socket
  public final void requireUnused() throws IOException {
    requireIdle();
    registration.requireFree(this, scheduler.currentTask());
    requireUsable();
    if (shutDown) {
      throw new IllegalStateException(this + ": this side has shut it down");
    }
  }

  /// {@return a wait until the channel is ready for the operation}
  ///
  /// @param socket the result of the wait
  /// @param already whether it is ready without asking the operating system
  final <S> Waitable<S> ready(S socket, BooleanSupplier already) {
    return Waitable.guard(() -> {
      var wait =
          new Readiness(
              registration,
              operation,
              () -> already.getAsBoolean() || registration.isReady(operation));
      return wait.map(ignored -> ChannelWait.result(wait, socket));
    });
  }

  /// Waits until an operation is done.
  final void await(ChannelWait wait) throws IOException {
    awaitWithinTimeout(wait);
    wait.throwIfFailed();
  }

  final void awaitWithinTimeout(Waitable<?> event) {
    Duration limit = timeout;
    if (limit == null) {
      var _ = host.awaitEvent(event);
    } else {
      var _ = host.awaitEvent(event, limit);
    }
  }

  /// Waits until the channel is ready, which it was not just now.
  final void awaitReady() throws IOException {
    await(new Readiness(registration, operation, () -> false));
  }
}
