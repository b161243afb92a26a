package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.Faces;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The receiving side of anything that carries elements: a channel between tasks, an endpoint
/// between schedulers, a mailbox, a stream of messages from a peer. Any number of tasks may receive
/// from one channel; each element goes to one of them, first come, first served. A receiver that
/// stops waiting, because it is cancelled, times out, or takes another branch of a select, has
/// taken no element.
///
/// A copy from any source to any sink ends both sides, whichever fails:
///
/// ```java
/// try {
///   for (T each : from) {
///     to.send(each);
///   }
///   to.close();
/// } catch (Throwable e) {
///   to.close(e);
///   from.cancel(e);
///   throw e;
/// }
/// ```
///
/// Confined to the scheduler's thread, unless the implementation says otherwise.
///
/// @param <T> the elements; never null
/// @see SendChannel
public interface ReceiveChannel<T> extends Iterable<T> {

  /// Receives an element; waits while the channel is empty. A *possible* suspension point: it does
  /// not suspend if there is an element, unless the turn's budget is spent.
  ///
  /// @return the element
  /// @throws ClosedException if no more elements will come
  /// @throws TaskCancelled if the task is cancelled; no element was taken
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; no element was taken
  /// @throws IllegalStateException outside a stackful task
  T receive();

  /// [#receive()] with a limit. A *possible* suspension point in the same way.
  ///
  /// @param timeout at least zero; centuries mean for ever
  /// @return the element
  /// @throws TimedOutException if no element came in time; no element was taken
  /// @throws ClosedException if no more elements will come
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException outside a stackful task, or if the scheduler has no timer
  T receive(Duration timeout);

  /// Receives an element if there is one now. Never a suspension point.
  ///
  /// @return the element; null if there is none now
  /// @throws ClosedException if no more elements will come
  @Nullable T tryReceive();

  /// {@return an event that receives an element, for selects and step tasks} The event can be
  /// awaited any number of times. A branch that loses takes nothing. A wait fails with
  /// [ClosedException]. Never a suspension point itself.
  Waitable<T> receiving();

  /// {@return [#receiving()], but empty at the end of a channel that was closed without a cause} A
  /// wait fails with [ClosedException] if there was a cause. Never a suspension point itself.
  Waitable<Optional<T>> receivingOrEnd();

  /// Iterates over the elements received from now on, until the channel is closed: `for (T element
  /// : channel)`.
  ///
  /// `hasNext` is a *possible* suspension point. It takes the element that the next call of `next`
  /// returns, and throws [ClosedException] if the channel was closed with a cause. At the end
  /// `next` throws [java.util.NoSuchElementException]. Several iterations share the elements.
  @Override
  default Iterator<T> iterator() {
    return Faces.all()
        .elements(this, () -> Scheduler.current().host().awaitEvent(receivingOrEnd()));
  }

  /// Ends receiving. All present and later sends and receives fail. Never a suspension point.
  ///
  /// @return the elements that were sent and not received, which now belong to the caller; empty on
  ///   a second call, and if their senders keep them
  List<T> cancel();

  /// [#cancel()] because of a failure. The exceptions of senders and receivers have it as their
  /// cause. Never a suspension point.
  ///
  /// @param cause the failure; the first call counts, whether of this method or of
  ///   [SendChannel#close(Throwable)]
  /// @return the elements that were sent and not received; empty on a second call
  List<T> cancel(Throwable cause);

  /// {@return whether no more elements will come} Never a suspension point.
  boolean isClosedForReceive();
}
