package dev.rondo.computicle;

import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The sending side of an [Endpoint]. Waiting senders are served first come, first served. A sender
/// that stops waiting, because it is cancelled, times out, or takes another branch of a select, has
/// not sent its message.
///
/// A message is **handed over**: once it is sent, it belongs to the receiver. Send what is
/// immutable, or do not touch it any more. What the sender did before it sent *happens before* what
/// the receiver does with the message.
///
/// Any thread: tasks of any scheduler, and threads that no scheduler runs on.
///
/// @param <T> the messages; never null
public sealed interface OutEndpoint<T> extends AutoCloseable permits Endpoint {

  /// Sends a message; waits until there is a receiver or room. In a task a *possible* suspension
  /// point: none if there is one, unless the turn's budget is spent. On another thread it blocks.
  ///
  /// @param message not null
  /// @throws EndpointClosedException if the endpoint is closed, or becomes so meanwhile; the
  ///   message was not sent
  /// @throws TaskCancelled if the task is cancelled; the message was not sent
  /// @throws CancellationException if the thread, on which no scheduler runs, is interrupted while
  ///   it waits, and still is then; the message was not sent
  /// @throws IllegalStateException on a scheduler's thread outside a stackful task
  /// @throws dev.rondo.scheduler.ScheduledDirectlyException if the task is scheduled meanwhile; the
  ///   message was not sent
  void send(T message);

  /// [#send(Object)] with a limit.
  ///
  /// @param message not null
  /// @param timeout at least zero; centuries mean for ever
  /// @throws dev.rondo.scheduler.TimedOutException if it was not taken in time; the message was not
  ///   sent
  /// @throws EndpointClosedException if the endpoint is closed, or becomes so meanwhile; the
  ///   message was not sent
  /// @throws IllegalArgumentException if the timeout is negative
  void send(T message, Duration timeout);

  /// Sends several messages, one after the other, as [#send(Object)] does. Others may send in
  /// between. In a task a *possible* suspension point.
  ///
  /// @param messages in this order; may be empty
  /// @throws EndpointClosedException if the endpoint is closed, or becomes so meanwhile; those that
  ///   come before the message which was not taken were sent
  void sendAll(Collection<? extends T> messages);

  /// Sends a message if that can be done at once. Never a suspension point; never blocks.
  ///
  /// @param message not null
  /// @return false if there is neither a receiver nor room; the message was not sent
  /// @throws EndpointClosedException if the endpoint is closed; the message was not sent
  boolean trySend(T message);

  /// {@return the sending of a message as an event, for selects and step tasks} Each wait sends the
  /// message once; a branch that loses has not sent it. A wait fails with
  /// [EndpointClosedException].
  ///
  /// @param message not null
  Waitable<@Nullable Void> sending(T message);

  /// Closes the endpoint. Messages that were sent already can still be received; after them
  /// receiving fails or ends. Waiting senders fail at once. Its name is free again. Closing again
  /// does nothing. Never a suspension point.
  @Override
  void close();

  /// [#close()] because of a failure: after the messages that were sent already, receiving fails
  /// with this cause. Never a suspension point.
  ///
  /// @param cause the failure; of several calls the first counts
  void close(Throwable cause);

  /// {@return whether no more messages are taken}
  boolean isClosedForSend();

  /// {@return how many tasks and threads wait to send, at this moment}
  int waitingSenderCount();
}
