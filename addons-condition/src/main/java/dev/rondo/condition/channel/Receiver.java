package dev.rondo.condition.channel;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The side of a channel that elements come out of. Any number of tasks may receive from one
/// channel; each element goes to one of them, first come first served. One that gives up
/// (cancelled, timed out, another branch of a select won) leaves the element to others.
///
/// The methods that make another receiver of this one are the stages of a **pipeline**. Each stage
/// has daemon tasks that receive from here and send, without a buffer, to what they return; nobody
/// else should receive from here then. Closing travels down a pipeline, with its cause, behind the
/// elements that were sent before; cancelling travels up, through all stages to the source, whose
/// sender is told. A stage that fails does both, with its failure as the cause. So a pipeline ends
/// as a whole, whichever end it begins at; whoever stops receiving before the end has to `cancel`.
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
  /// @throws dev.rondo.scheduler.TimedOutException if none came in time; none was taken
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

  // Pipelines.

  /// Each element through a function. Never a suspension point.
  ///
  /// @param <R> what comes out
  /// @param mapper quick, and must not suspend, see [#mapConcurrently]
  /// @return to receive the results from
  default <R> Receiver<R> map(Mapper<? super T, ? extends R> mapper) {
    return Stage.of("map", this, 0, new Work.Mapping<>(mapper));
  }

  /// The elements for which a predicate is true. Never a suspension point.
  ///
  /// @param predicate quick, and must not suspend
  /// @return to receive them from
  default Receiver<T> filter(Predicate<? super T> predicate) {
    return Stage.of("filter", this, 0, new Work.Filtering<>(predicate));
  }

  /// The same elements, with room for some between their sender and their receiver. Never a
  /// suspension point.
  ///
  /// @param capacity how many, at least 1
  /// @return to receive them from
  /// @throws IllegalArgumentException if the capacity is below 1
  default Receiver<T> buffer(int capacity) {
    return Stage.of("buffer", this, Channel.requireCapacity(capacity), new Work.Passing<>());
  }

  /// So many elements at a time; fewer at the end only. Never a suspension point.
  ///
  /// @param size how many, at least 1
  /// @return to receive the batches from
  /// @throws IllegalArgumentException if the size is below 1
  default Receiver<List<T>> batch(int size) {
    return Stage.of(
        "batch", this, 0, new Work.Batching<>(Stage.channelOf(this).scheduler, size, null));
  }

  /// So many elements at a time; fewer at the end, or when the first of them has waited for so
  /// long. Never a suspension point. Needs a timer: the stage fails if the scheduler has none.
  ///
  /// @param size how many at most, at least 1
  /// @param longest how long an element waits for others, at least zero
  /// @return to receive the batches from
  /// @throws IllegalArgumentException if the size is below 1, or the time is negative
  default Receiver<List<T>> batch(int size, Duration longest) {
    Objects.requireNonNull(longest, "longest is null");
    return Stage.of(
        "batch", this, 0, new Work.Batching<>(Stage.channelOf(this).scheduler, size, longest));
  }

  /// Fan-out and fan-in: each element through a function that may suspend, several at a time. The
  /// results come in the order they are ready. When the pipeline ends early the tasks that are in
  /// the function are cancelled. Never a suspension point.
  ///
  /// @param <R> what comes out
  /// @param workers how many elements at a time, at least 1
  /// @param mapper may suspend
  /// @return to receive the results from
  /// @throws IllegalArgumentException if the number of workers is below 1
  default <R> Receiver<R> mapConcurrently(int workers, Mapper<? super T, ? extends R> mapper) {
    return Stage.concurrent(this, workers, mapper);
  }

  /// {@return a receiver of what all of these receive} Closed when all of them are, or one of them
  /// with a cause. Never a suspension point.
  ///
  /// @param <T> what is received
  /// @param receivers at least one
  /// @throws IllegalArgumentException if there is none
  static <T> Receiver<T> merge(List<? extends Receiver<? extends T>> receivers) {
    return Stage.merging(receivers);
  }

  // Reactive streams.

  /// A publisher of what is received here, with back-pressure: no element is taken that was not
  /// asked for. It has one subscriber, because an element is for one receiver only; a second one is
  /// refused with an [IllegalStateException]. For several there is [Broadcast#asPublisher()].
  ///
  /// Any thread may subscribe, ask and cancel. The subscriber is called on the scheduler's thread,
  /// so it must neither block nor suspend. When it cancels, or throws, this receiver is cancelled.
  /// The scheduler goes on until it has been told the end or has cancelled; if the scheduler ends
  /// before, its `onError` gets the [TaskCancelled]; if the scheduler is closed, or stopping, it
  /// gets a [RejectedExecutionException], and this receiver is cancelled. A subscription that comes
  /// from another thread has to find a scheduler that runs, see [Scheduler#keepAlive()]. Never a
  /// suspension point.
  ///
  /// @return the publisher
  default Flow.Publisher<T> asPublisher() {
    return ChannelSubscription.single(Stage.channelOf(this), this);
  }

  /// A receiver of what a publisher publishes, on whatever threads it does. Cancel it if you stop
  /// before the end; see [ChannelSubscriber]. Never a suspension point.
  ///
  /// @param <T> what is published
  /// @param scheduler whose tasks receive; the calling thread is its
  /// @param publisher subscribed to at once, on the calling thread
  /// @param ahead how many elements to ask for that nobody has received, at least 1
  /// @return to receive them from
  /// @throws IllegalArgumentException if that is below 1
  static <T> Receiver<T> from(
      Scheduler scheduler, Flow.Publisher<? extends T> publisher, int ahead) {
    Objects.requireNonNull(publisher, "publisher is null");
    var subscriber = ChannelSubscriber.<T>create(scheduler, ahead);
    publisher.subscribe(subscriber);
    return subscriber.receiver();
  }
}
