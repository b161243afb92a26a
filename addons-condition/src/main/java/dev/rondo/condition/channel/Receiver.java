package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;

/// The receiving side of a channel between tasks.
///
/// The methods that return another receiver add a stage to a **pipeline**. The daemon tasks of a
/// stage receive from this receiver and send, without a buffer, to the returned one. No other task
/// should then receive from this receiver. Closing travels down a pipeline, with its cause, behind
/// the elements that were sent before. Cancelling travels up, through all stages to the source,
/// whose sender fails. A stage that fails does both, with its failure as the cause. So a pipeline
/// ends as a whole, whichever end comes first. A task that stops receiving before the end must call
/// `cancel`.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the elements; never null
public sealed interface Receiver<T> extends ReceiveChannel<T> permits Channel, Subscription {

  /// Ends receiving. If this receiver is the end of a pipeline, all its stages end too, up to the
  /// source. All present and later sends and receives fail. Never a suspension point.
  ///
  /// @return the elements that were sent and not received; empty on a second call
  @Override
  List<T> cancel();

  /// {@return the number of elements in the buffer}
  int size();

  /// {@return the number of elements that were dropped because the buffer was full, see [Overflow]}
  long dropped();

  // Pipelines.

  /// {@return a receiver of the results of a function that is applied to each element} Never a
  /// suspension point.
  ///
  /// @param <R> the results
  /// @param mapper quick, and must not suspend, see [#mapConcurrently]
  default <R> Receiver<R> map(Mapper<? super T, ? extends R> mapper) {
    return Stage.of("map", this, 0, new Work.Mapping<>(mapper));
  }

  /// {@return a receiver of the elements for which a predicate is true} Never a suspension point.
  ///
  /// @param predicate quick, and must not suspend
  default Receiver<T> filter(Predicate<? super T> predicate) {
    return Stage.of("filter", this, 0, new Work.Filtering<>(predicate));
  }

  /// {@return a receiver of the same elements, with a buffer in between} Never a suspension point.
  ///
  /// @param capacity the number of elements that the buffer holds, at least 1
  /// @throws IllegalArgumentException if the capacity is below 1
  default Receiver<T> buffer(int capacity) {
    return Stage.of("buffer", this, Channel.requireCapacity(capacity), new Work.Passing<>());
  }

  /// {@return a receiver of batches of elements, all of the same size except the last} Never a
  /// suspension point.
  ///
  /// @param size of a batch, at least 1
  /// @throws IllegalArgumentException if the size is below 1
  default Receiver<List<T>> batch(int size) {
    return Stage.of(
        "batch", this, 0, new Work.Batching<>(Stage.channelOf(this).scheduler, size, null));
  }

  /// {@return a receiver of batches of elements, smaller at the end or when the first element has
  /// waited too long} The stage fails if the scheduler has no timer. Never a suspension point.
  ///
  /// @param size of a full batch, at least 1
  /// @param longest the longest time that an element waits for others, at least zero
  /// @throws IllegalArgumentException if the size is below 1, or the duration is negative
  default Receiver<List<T>> batch(int size, Duration longest) {
    Objects.requireNonNull(longest, "longest is null");
    return Stage.of(
        "batch", this, 0, new Work.Batching<>(Stage.channelOf(this).scheduler, size, longest));
  }

  /// {@return a receiver of the results of a function that may suspend, applied to several elements
  /// at a time: fan-out and fan-in} The results come in the order in which they are ready. When the
  /// pipeline ends early the tasks that run the function are cancelled. Never a suspension point.
  ///
  /// @param <R> the results
  /// @param workers the most elements that are processed at a time, at least 1; `Integer.MAX_VALUE`
  ///   for any number. Each worker is a task, made when it is first needed
  /// @param mapper may suspend
  /// @throws IllegalArgumentException if the number of workers is below 1
  default <R> Receiver<R> mapConcurrently(int workers, Mapper<? super T, ? extends R> mapper) {
    return Stage.concurrent(this, workers, mapper);
  }

  /// {@return a receiver of the elements of all of these receivers} It is closed when all of them
  /// are closed, or one of them is closed with a cause. Never a suspension point.
  ///
  /// @param <T> the elements
  /// @param receivers at least one
  /// @throws IllegalArgumentException if there is none
  static <T> Receiver<T> merge(List<? extends Receiver<? extends T>> receivers) {
    requireNonNull(receivers, "receivers is null");
    receivers.forEach(each -> requireNonNull(each, "receiver is null"));
    return Stage.merging(receivers);
  }

  // Reactive streams.

  /// {@return a publisher of the elements of this receiver, with back-pressure: it takes no element
  /// that was not requested} The publisher has one subscriber, because each element goes to one
  /// receiver only. A second subscriber is refused with an [IllegalStateException]. For several
  /// subscribers use [Broadcast#asPublisher()].
  ///
  /// Any thread may subscribe, request and cancel; a subscription from another thread needs a
  /// running scheduler, see [Scheduler#keepAlive()]. The subscriber is called on the scheduler's
  /// thread, so it must neither block nor suspend. When the subscriber cancels or throws, this
  /// receiver is cancelled. The subscription keeps the scheduler running until the subscription has
  /// ended. If the scheduler is closed before that, `onError` receives the [TaskCancelled]. If the
  /// scheduler is closed or stopping when the subscription begins, `onError` receives a
  /// [RejectedExecutionException] and this receiver is cancelled. Never a suspension point.
  default Flow.Publisher<T> asPublisher() {
    return ChannelSubscription.single(Stage.channelOf(this), this);
  }

  /// {@return a receiver of the elements of a publisher, which may publish on any thread} Cancel
  /// the receiver to stop before the end. Never a suspension point.
  ///
  /// Further elements are requested as elements are received, so a slow receiver slows the
  /// publisher. `onComplete` closes the receiver behind the published elements; `onError` closes it
  /// with the failure as the cause. The subscription is cancelled when the receiver is cancelled
  /// and when the scheduler ends. While tasks wait for the publisher the scheduler is not
  /// deadlocked.
  ///
  /// @param <T> the elements
  /// @param scheduler whose tasks receive; must be called on its thread
  /// @param publisher subscribed to at once, on the calling thread
  /// @param ahead the number of elements to request before they are received, at least 1
  /// @throws IllegalArgumentException if `ahead` is below 1
  static <T> Receiver<T> from(
      Scheduler scheduler, Flow.Publisher<? extends T> publisher, int ahead) {
    Objects.requireNonNull(publisher, "publisher is null");
    var subscriber = new ChannelSubscriber<T>(scheduler, ahead);
    publisher.subscribe(subscriber);
    return subscriber.receiver();
  }
}
