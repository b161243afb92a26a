package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// A [Flow.Subscriber] that sends its elements to a channel, from which tasks receive them. So
/// other threads can publish to tasks. [Receiver#from] makes and subscribes one.
///
/// The subscriber requests a number of elements ahead, and more as elements are *received*, so a
/// slow receiver slows the publisher. `onComplete` closes the channel behind the published
/// elements; `onError` closes it with the failure as the cause. The subscription is cancelled when
/// the receiver cancels the channel and when the scheduler ends. While tasks wait for the publisher
/// the scheduler is not deadlocked.
///
/// The methods of `Subscriber` may be called on any thread, one after the other, as *Reactive
/// Streams* 1.0.4 requires. All other methods are confined to the scheduler's thread, which alone
/// calls the subscription (rule 2.7).
///
/// @param <T> the elements
final class ChannelSubscriber<T> implements Flow.Subscriber<T> {

  /// The signals of the publisher, in order. The publisher sends no more elements than were
  /// requested, so the inbox is also the buffer.
  private sealed interface Message<T> {

    record Begin<T>(Flow.Subscription subscription) implements Message<T> {}

    record Next<T>(T element) implements Message<T> {}

    record End<T>(@Nullable Throwable failure) implements Message<T> {}
  }

  private final int ahead;
  private final Channel<T> out;
  private final ConcurrentLinkedQueue<Message<T>> inbox = new ConcurrentLinkedQueue<>();

  /// Completed when the inbox is no longer empty; not null while the loop may wait for that. The
  /// loop writes, any thread reads.
  private volatile @Nullable CompletableFuture<Object> bell;

  /// Set when the publisher has ended; the subscription then counts as cancelled (2.4). The
  /// publisher writes, the loop reads.
  private volatile boolean published;

  /// Set when the inbox is no longer read. The loop writes, any thread reads.
  private volatile boolean over;

  /// Null before it begins and after it has ended.
  private Flow.@Nullable Subscription subscription;

  /// The number of elements received since the last request.
  private int received;

  /// Makes a subscriber for one subscription.
  ///
  /// @param scheduler whose tasks receive; must be called on its thread
  /// @param ahead the number of elements to request before they are received, at least 1
  /// @throws IllegalArgumentException if `ahead` is below 1
  ChannelSubscriber(Scheduler scheduler, int ahead) {
    if (ahead < 1) {
      throw new IllegalArgumentException("ahead must be at least 1, but is " + ahead);
    }
    this.ahead = ahead;
    this.out = Channel.<T>rendezvous(scheduler).named("subscriber");
    Task<Void> task = scheduler.host().newStepTask("subscriber", new Pump());
    task.daemon()
        .trap((ended, outcome) -> {
          ended(outcome);
          return outcome;
        });
    var _ = scheduler.scheduleTask(task);
  }

  /// {@return the receiver of the elements; cancel it to stop before the end}
  Receiver<T> receiver() {
    return out;
  }

  // For the publisher. Any thread.

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    put(new Message.Begin<>(requireNonNull(subscription, "subscription is null")));
  }

  @Override
  public void onNext(T element) {
    put(new Message.Next<>(requireNonNull(element, "element is null")));
  }

  @Override
  public void onError(Throwable failure) {
    requireNonNull(failure, "failure is null");
    published = true;
    put(new Message.End<>(failure));
  }

  @Override
  public void onComplete() {
    published = true;
    put(new Message.End<>(null));
  }

  /// Adds the message before it reads `over`, while [#ended] writes `over` before it reads the
  /// inbox. So one of the two methods cancels a subscription that comes too late.
  private void put(Message<T> message) {
    inbox.add(message);
    CompletableFuture<Object> waiting = bell;
    if (waiting != null) {
      waiting.complete(message);
    }
    if (over) {
      refuseRest();
    }
  }

  private void refuseRest() {
    for (Message<T> each; (each = inbox.poll()) != null; ) {
      if (each instanceof Message.Begin<T>(Flow.Subscription late)) {
        late.cancel();
      }
    }
  }

  // The task.

  private final class Pump implements StepBody<Void> {

    /// The element to deliver next.
    private @Nullable T pending;

    @Override
    public StepResult step(StepTask<Void> self) {
      bell = null;
      if (pending != null && self.received() != null) { // null after another wakeup
        delivered();
      }
      while (!out.isClosedForSend()) {
        T element = pending;
        if (element != null) {
          if (!out.trySend(element)) {
            return self.await(out.rawSending(element));
          }
          delivered();
          continue;
        }
        switch (inbox.poll()) {
          case null -> {
            return awaitMessage(self);
          }
          case Message.Begin<T>(Flow.Subscription given) -> begin(given);
          case Message.Next<T>(T next) -> pending = next;
          case Message.End<T>(Throwable failure) -> {
            subscription = null;
            out.end(failure);
          }
        }
      }
      return StepResult.DONE;
    }

    private void delivered() {
      pending = null;
      received++;
      // Half at a time: a request for each costs a call, a request for all stalls the publisher.
      boolean wanted = !published && !out.isClosedForSend();
      if (wanted && subscription != null && received >= (ahead + 1) / 2) {
        int more = received;
        received = 0;
        subscription.request(more);
      }
    }

    private StepResult awaitMessage(StepTask<Void> self) {
      var rung = new CompletableFuture<Object>();
      bell = rung;
      if (!inbox.isEmpty()) {
        return StepResult.AGAIN;
      }
      return self.await(Waitable.anyOf(List.of(out.scheduler.completion(rung), out.ends())));
    }
  }

  private void begin(Flow.Subscription given) {
    if (subscription != null) {
      given.cancel(); // 2.5
    } else {
      subscription = given;
      given.request(ahead);
    }
  }

  /// Called when the publisher has ended, the receiver has cancelled, the scheduler ends, or a call
  /// of the subscription has failed.
  private void ended(Outcome<Void> outcome) {
    switch (outcome) {
      case Outcome.Success<Void> success -> {}
      case Outcome.Failure<Void> failure -> out.close(failure.cause());
      case Outcome.Cancelled<Void> cancelled -> out.close(cancelled.cause());
    }
    Flow.Subscription left = subscription;
    subscription = null;
    over = true;
    if (left != null && !published) {
      left.cancel();
    }
    refuseRest();
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
