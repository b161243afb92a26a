package dev.rondo.scheduler;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The sending side of anything that carries elements: a channel between tasks, an endpoint between
/// schedulers, a stream of messages to a peer. Waiting senders are served first come, first served.
/// A sender that stops waiting, because it is cancelled, times out, or takes another branch of a
/// select, has not sent its element.
///
/// Confined to the scheduler's thread, unless the implementation says otherwise.
///
/// @param <T> the elements; never null
/// @see ReceiveChannel
public interface SendChannel<T> extends AutoCloseable {

  /// Sends an element; waits until there is a receiver or room. A *possible* suspension point: it
  /// does not suspend if there is a receiver or room, unless the turn's budget is spent.
  ///
  /// @param element not null; use an `Optional` to send nothing
  /// @throws ClosedException if the channel is closed or cancelled, or becomes so meanwhile; the
  ///   element was not sent
  /// @throws TaskCancelled if the task is cancelled; the element was not sent
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; the element was not
  ///   sent
  /// @throws IllegalStateException outside a stackful task
  void send(T element);

  /// [#send(Object)] with a limit. A *possible* suspension point in the same way.
  ///
  /// @param element not null
  /// @param timeout at least zero; centuries mean for ever
  /// @throws TimedOutException if it was not taken in time; the element was not sent
  /// @throws ClosedException if the channel is closed or cancelled, or becomes so meanwhile; the
  ///   element was not sent
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException outside a stackful task, or if the scheduler has no timer
  void send(T element, Duration timeout);

  /// Sends an element if that can be done at once. Never a suspension point.
  ///
  /// @param element not null
  /// @return false if there is neither a receiver nor room; the element was not sent
  /// @throws ClosedException if the channel is closed or cancelled; the element was not sent
  boolean trySend(T element);

  /// {@return an event that sends an element, for selects and step tasks} Each wait sends the
  /// element once; a branch that loses has not sent it. A wait fails with [ClosedException]. Never
  /// a suspension point itself.
  ///
  /// @param element not null
  Waitable<@Nullable Void> sending(T element);

  /// Closes the channel. Elements that were sent already can still be received; after them
  /// receiving fails or ends. Waiting senders fail at once with a [ClosedException]. Closing again
  /// does nothing. Never a suspension point.
  @Override
  void close();

  /// [#close()] because of a failure: after the elements that were sent already, receiving fails
  /// with this cause. Never a suspension point.
  ///
  /// @param cause the failure; of several calls the first counts
  void close(Throwable cause);

  /// {@return whether the channel takes no more elements} Never a suspension point.
  boolean isClosedForSend();
}
