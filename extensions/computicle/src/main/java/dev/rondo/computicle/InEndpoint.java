package dev.rondo.computicle;

import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The receiving side of an [Endpoint]. Each message goes to one receiver, first come, first
/// served. A receiver that stops waiting, because it is cancelled, times out, or takes another
/// branch of a select, has taken no message. What one task or thread sends is received in the order
/// it was sent.
///
/// Any thread: tasks of any scheduler, and threads that no scheduler runs on. While a task waits
/// here its scheduler is not deadlocked: another thread may send. A virtual clock goes on, though.
///
/// @param <T> the messages; never null
public sealed interface InEndpoint<T> extends Iterable<T> permits Endpoint {

  /// Receives a message; waits while there is none. In a task a *possible* suspension point: none
  /// if there is a message, unless the turn's budget is spent. On another thread it blocks.
  ///
  /// @return the message, which belongs to the receiver
  /// @throws EndpointClosedException if no more messages will come
  /// @throws TaskCancelled if the task is cancelled; no message was taken
  /// @throws CancellationException if the thread, on which no scheduler runs, is interrupted while
  ///   it waits, and still is then; no message was taken
  /// @throws IllegalStateException on a scheduler's thread outside a stackful task
  /// @throws dev.rondo.scheduler.ScheduledDirectlyException if the task is scheduled meanwhile; no
  ///   message was taken
  T receive();

  /// [#receive()] with a limit.
  ///
  /// @param timeout at least zero; centuries mean for ever
  /// @return the message
  /// @throws dev.rondo.scheduler.TimedOutException if none came in time; none was taken
  /// @throws EndpointClosedException if no more messages will come
  /// @throws IllegalArgumentException if the timeout is negative
  T receive(Duration timeout);

  /// Receives several messages at once: waits for the first as [#receive()] does, and takes those
  /// that are there then. In a task a *possible* suspension point.
  ///
  /// @param atMost at least 1
  /// @return at least one message
  /// @throws EndpointClosedException if no more messages will come
  /// @throws IllegalArgumentException if `atMost` is below 1
  List<T> receiveSome(int atMost);

  /// Receives a message if there is one now. Never a suspension point; never blocks.
  ///
  /// @return the message; null if there is none now
  /// @throws EndpointClosedException if no more messages will come
  @Nullable T tryReceive();

  /// {@return the receiving of a message as an event, for selects and step tasks} It can be awaited
  /// any number of times; a branch that loses takes nothing. A wait fails with
  /// [EndpointClosedException].
  Waitable<T> receiving();

  /// {@return [#receiving()], but empty at the end of an endpoint that was closed without a cause}
  /// A wait fails with [EndpointClosedException] if there was a cause.
  Waitable<Optional<T>> receivingOrEnd();

  /// Iterates over the messages received from now on, until the endpoint is closed.
  ///
  /// `hasNext` waits as [#receive()] does. It takes the message that the next call of `next`
  /// returns, and throws [EndpointClosedException] if the endpoint was closed with a cause. At the
  /// end `next` throws [java.util.NoSuchElementException]. Several iterations share the messages.
  @Override
  Iterator<T> iterator();

  /// Ends receiving. All present and later sends and receives fail. Its name is free again. Never a
  /// suspension point.
  ///
  /// @return the messages that were sent and not received; empty on a second call
  List<T> cancel();

  /// [#cancel()] because of a failure, which is the cause of what senders and receivers fail with.
  /// Never a suspension point.
  ///
  /// @param cause the failure; of several calls, also of [OutEndpoint#close(Throwable)], the first
  ///   counts
  /// @return the messages that were sent and not received; empty on a second call
  List<T> cancel(Throwable cause);

  /// {@return whether no more messages will come}
  boolean isClosedForReceive();

  /// {@return how many messages are in the buffer, at this moment}
  int size();

  /// {@return how many tasks and threads wait to receive, at this moment}
  int waitingReceiverCount();
}
