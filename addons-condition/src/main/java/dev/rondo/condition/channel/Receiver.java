package dev.rondo.condition.channel;

import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimeoutException;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The side of a channel that elements come out of. Any number of tasks may receive from one
/// channel; each element goes to one of them, first come first served. One that gives up
/// (cancelled, timed out, another branch of a select won) leaves the element to others.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what is received; never null
public sealed interface Receiver<T> extends Iterable<T> permits Channel, Subscription {

  /// Receives an element. A *possible* suspension point: none if one is there, unless this turn's
  /// budget of such operations is spent.
  ///
  /// @return the element
  /// @throws ClosedForReceiveException if there are no more
  /// @throws TaskCancelled if the task is cancelled; no element was taken
  /// @throws IllegalStateException outside a stackful task
  T receive();

  /// [#receive()] with a limit. A *possible* suspension point in the same way.
  ///
  /// @param timeout at least zero; centuries mean for ever
  /// @return the element
  /// @throws TimeoutException if none came in time; none was taken
  /// @throws ClosedForReceiveException if there are no more
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException outside a stackful task, or if the scheduler has no timer
  T receive(Duration timeout);

  /// Receives an element if there is one now. Never a suspension point.
  ///
  /// @return the element; null if there is none now
  /// @throws ClosedForReceiveException if there are no more
  @Nullable T tryReceive();

  /// {@return receiving an element as something to await, for selects and step tasks} May be
  /// awaited any number of times; a branch that loses takes nothing. Fails with
  /// [ClosedForReceiveException]. Never a suspension point itself.
  Waitable<T> receiving();

  /// {@return [#receiving()], but empty at the end of a channel that was closed without a cause}
  /// Fails with [ClosedForReceiveException] if there was a cause. Never a suspension point itself.
  Waitable<Optional<T>> receivingOrEnd();

  /// What is received from now on, until the channel is closed: `for (T element : receiver)`.
  ///
  /// `hasNext` is a *possible* suspension point and takes the element, which the next `next`
  /// returns; it throws [ClosedForReceiveException] if the channel was closed with a cause. `next`
  /// behind the end throws [NoSuchElementException]. Several iterations share the elements.
  @Override
  Iterator<T> iterator();

  /// Gives up receiving: whoever waits to send, or sends, or waits to receive, is told; and so are
  /// the stages of a pipeline that this is the end of, up to its source. Never a suspension point.
  ///
  /// @return what was sent and will not be received; empty on a second call
  List<T> cancel();

  /// [#cancel()] because of a failure. Never a suspension point.
  ///
  /// @param cause why; of several calls the first counts
  /// @return what was sent and will not be received; empty on a second call
  List<T> cancel(Throwable cause);

  /// {@return whether nothing will be received any more}
  boolean isClosedForReceive();

  /// {@return how many elements are in the buffer}
  int size();

  /// {@return how many elements were dropped because the buffer was full, see [Overflow]}
  long dropped();

  /// {@return how many waits to receive there are}
  int receiversWaiting();
}
