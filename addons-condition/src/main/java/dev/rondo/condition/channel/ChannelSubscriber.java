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

/// A [Flow.Subscriber] whose elements tasks receive from a channel: how what other threads publish
/// comes in. [Receiver#from] makes one and subscribes it.
///
/// It asks its publisher for so many elements ahead, and for more as they are *received*: a slow
/// receiver slows the publisher. `onComplete` closes the channel behind what was published;
/// `onError` does it with the failure as the cause. When the receiver cancels the channel the
/// subscription is cancelled, and so it is when the scheduler ends. While tasks wait for the
/// publisher the scheduler is not deadlocked.
///
/// The methods of `Subscriber` may be called on any thread, as *Reactive Streams* 1.0.4 has it: one
/// after the other. All the rest is confined to the scheduler's thread, on which alone the
/// subscription is asked or cancelled (rule 2.7).
///
/// @param <T> what it is sent
public final class ChannelSubscriber<T> implements Flow.Subscriber<T> {

  /// What comes in from other threads, in this order. The publisher never has more to say than we
  /// asked for, so this is the buffer.
  private sealed interface Message<T> {

    record Begin<T>(Flow.Subscription subscription) implements Message<T> {}

    record Next<T>(T element) implements Message<T> {}

    record End<T>(@Nullable Throwable failure) implements Message<T> {}
  }

  private final int ahead;
  private final Channel<T> out;
  private final ConcurrentLinkedQueue<Message<T>> inbox = new ConcurrentLinkedQueue<>();

  /// Rung when the inbox is not empty any more; there while the loop may wait for that. The loop
  /// writes, any thread reads.
  private volatile @Nullable CompletableFuture<Object> bell;

  /// The publisher has said its last word: it is not to be asked or cancelled any more (2.4). It
  /// writes, the loop reads.
  private volatile boolean published;

  /// Set by the loop: nobody will read the inbox any more. Any thread reads.
  private volatile boolean over;

  /// Null before it has begun, and when it is over.
  private Flow.@Nullable Subscription subscription;

  /// How many elements were received since we asked last.
  private int received;

  private ChannelSubscriber(Scheduler scheduler, int ahead) {
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

  /// {@return a subscriber that has not subscribed to anything} It is for one subscription.
  ///
  /// @param <T> what it is sent
  /// @param scheduler whose tasks receive; the calling thread is its
  /// @param ahead how many elements to ask for that nobody has received, at least 1
  /// @throws IllegalArgumentException if that is below 1
  public static <T> ChannelSubscriber<T> create(Scheduler scheduler, int ahead) {
    if (ahead < 1) {
      throw new IllegalArgumentException("ahead must be at least 1, but was " + ahead);
    }
    return new ChannelSubscriber<>(scheduler, ahead);
  }

  /// {@return where the elements are received; to be cancelled by whoever stops before the end}
  public Receiver<T> receiver() {
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

  /// Looks whether it is over after it has put the message there, and [#ended] looks for messages
  /// after it has said so: a subscription that comes too late is cancelled by one of the two.
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

    /// What the receiver is to get next.
    private @Nullable T pending;

    @Override
    public StepResult step(StepTask<Void> self) {
      bell = null;
      if (pending != null && self.received() != null) { // null: somebody woke it meanwhile
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
      // Half at a time: asking for each costs a call, asking for all lets the publisher run dry.
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

  /// The publisher is done, the receiver has given up, the scheduler ends, or the publisher's code
  /// has failed in our hands.
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
