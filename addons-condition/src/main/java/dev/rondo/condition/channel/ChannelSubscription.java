package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The subscription of a [Flow.Subscriber] to a channel. It is a task that receives as many
/// elements as were requested and passes them on, on the scheduler's thread. It follows the rules
/// of *Reactive Streams* 1.0.4, which the comments cite by number; that project's test kit checks
/// them.
///
/// The task is not a daemon: otherwise elements would be lost when the sender ends before the
/// subscriber has received all of them. It waits as follows:
///
/// | state | waits for | ends by |
/// |---|---|---|
/// | no demand | demand (an *external* wait: no deadlock), the end of an empty channel | `cancel`, closing |
/// | demand | an element | `cancel`, closing |
///
/// Any thread calls `request` and `cancel`. They write `demand`, `illegal` and `cancelled`, which
/// the loop reads, and read `bell`, which the loop writes. All other fields belong to the loop.
final class ChannelSubscription<T> implements Flow.Subscription, StepBody<Void> {

  /// The most elements that the task passes on in one turn.
  private static final int ELEMENTS_PER_TURN = 32;

  private final Receiver<? extends T> source;
  private final StepTask<Void> task;

  /// Null when the subscription has ended (3.13: the subscriber must not be retained).
  private Flow.@Nullable Subscriber<? super T> subscriber;

  private boolean begun;

  private final AtomicLong demand = new AtomicLong();
  private volatile @Nullable IllegalArgumentException illegal;
  private volatile boolean cancelled;

  /// Completed when there is demand again; not null while the loop may wait for that.
  private volatile @Nullable CompletableFuture<Object> bell;

  private ChannelSubscription(
      Scheduler scheduler, Receiver<? extends T> source, Flow.Subscriber<? super T> subscriber) {
    this.source = source;
    this.subscriber = subscriber;
    this.task = scheduler.host().newStepTask("subscription to " + Stage.channelOf(source), this);
    task.trap((ended, outcome) -> {
      ended(outcome);
      return outcome;
    });
  }

  // Publishers. Any thread subscribes.

  static <T> Flow.Publisher<T> single(Channel<?> channel, Receiver<? extends T> source) {
    var taken = new AtomicBoolean();
    return subscriber -> {
      requireNonNull(subscriber, "subscriber is null"); // 1.9
      if (taken.getAndSet(true)) {
        refuse(
            subscriber,
            new IllegalStateException(
                channel
                    + " has a subscriber already, and each element is for one receiver only: for"
                    + " several subscribers publish a Broadcast"));
      } else {
        begin(channel.scheduler, () -> source, subscriber);
      }
    };
  }

  static <T> Flow.Publisher<T> multiple(Broadcast<T> hub) {
    return subscriber ->
        begin(
            hub.scheduler, hub::subscribe, requireNonNull(subscriber, "subscriber is null")); // 1.9
  }

  private static <T> void begin(
      Scheduler scheduler,
      Supplier<? extends Receiver<? extends T>> source,
      Flow.Subscriber<? super T> subscriber) {
    if (scheduler.currentTask() != null || scheduler.inMainTask()) {
      beginHere(scheduler, source.get(), subscriber);
    } else if (!scheduler.post(() -> beginHere(scheduler, source.get(), subscriber))) {
      refuse(subscriber, new RejectedExecutionException("the scheduler is closed"));
    }
  }

  /// Runs on the scheduler's thread. The subscriber is refused if the scheduler is closing or
  /// stopping.
  private static <T> void beginHere(
      Scheduler scheduler, Receiver<? extends T> source, Flow.Subscriber<? super T> subscriber) {
    ChannelSubscription<T> made;
    try {
      made = new ChannelSubscription<>(scheduler, source, subscriber);
    } catch (IllegalStateException e) {
      var _ = source.cancel(e); // otherwise senders would wait for it
      refuse(subscriber, new RejectedExecutionException(e.getMessage(), e));
      return;
    }
    var _ = scheduler.scheduleTask(made.task);
  }

  /// 1.9: a subscriber that is refused receives a subscription first.
  private static void refuse(Flow.Subscriber<?> subscriber, RuntimeException why) {
    subscriber.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long n) {}

          @Override
          public void cancel() {}
        });
    subscriber.onError(why);
  }

  // For the subscriber. Any thread.

  @Override
  public void request(long n) {
    if (n <= 0) {
      illegal =
          new IllegalArgumentException(
              "rule 3.9 of Reactive Streams: request(n) takes n above zero, but n=" + n);
      var _ = task.cancel("illegal request");
      return;
    }
    demand.accumulateAndGet(n, ChannelSubscription::saturatedSum);
    CompletableFuture<Object> waiting = bell;
    if (waiting != null) {
      waiting.complete(Wake.DEMAND);
    }
  }

  /// 3.17: demand that exceeds a `long` is unbounded.
  private static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  @Override
  public void cancel() {
    cancelled = true;
    var _ = task.cancel("its subscriber has cancelled");
  }

  // The task.

  private enum Wake {
    DEMAND
  }

  @Override
  public StepResult step(StepTask<Void> self) {
    bell = null;
    Object came = self.received();
    Flow.Subscriber<? super T> to = requireNonNull(subscriber);
    if (!begun) {
      begun = true;
      to.onSubscribe(this);
    }
    Channel<? extends T> channel = Stage.channelOf(source);
    for (int left = ELEMENTS_PER_TURN; !isOver(); left--) {
      if (came != null && came != Wake.DEMAND && !(came instanceof Closing)) {
        takeDemand();
        to.onNext(channel.element(came));
        came = null;
      } else if (channel.isClosedForReceive()) {
        end(to, requireNonNull(channel.closing).failure(channel));
        return StepResult.DONE;
      } else if (demand.get() == 0) {
        return awaitDemand(self, channel);
      } else {
        came = left > 0 ? channel.take() : null;
        if (came == null) {
          return self.await(channel.rawReceiving());
        }
      }
    }
    return StepResult.SUSPEND; // cancelled: the loop ends the task
  }

  private boolean isOver() {
    return cancelled || illegal != null;
  }

  private void takeDemand() {
    long before = demand.getAndUpdate(n -> n == Long.MAX_VALUE ? n : n - 1);
    assert before > 0 : "1.1: an element that was not requested";
  }

  /// Writes the bell before it reads the demand again, while [#request] writes the demand before it
  /// reads the bell. So one of the two methods sees the other's write.
  private StepResult awaitDemand(StepTask<Void> self, Channel<? extends T> channel) {
    var rung = new CompletableFuture<Object>();
    bell = rung;
    if (demand.get() > 0) {
      return StepResult.AGAIN;
    }
    return self.await(Waitable.anyOf(List.of(channel.scheduler.completion(rung), channel.ends())));
  }

  // The end.

  private void end(Flow.Subscriber<? super T> to, @Nullable Throwable failure) {
    subscriber = null;
    if (failure == null) {
      to.onComplete();
    } else {
      to.onError(failure);
    }
  }

  /// Cancels the source and, if the subscriber has not ended the subscription, calls its `onError`.
  /// A subscriber that threw (2.13) counts as cancelled; its failure is the task's.
  private void ended(Outcome<Void> outcome) {
    Flow.Subscriber<? super T> to = subscriber;
    subscriber = null;
    switch (outcome) {
      case Outcome.Success<Void> success -> {
        var _ = source.cancel();
      }
      case Outcome.Failure<Void> failure -> {
        var _ = source.cancel(failure.cause());
      }
      case Outcome.Cancelled<Void> end -> {
        IllegalArgumentException mistake = illegal;
        if (cancelled) {
          var _ = source.cancel();
        } else {
          Throwable cause = mistake == null ? end.cause() : mistake;
          var _ = source.cancel(cause);
          fail(to, cause);
        }
      }
    }
  }

  private void fail(Flow.@Nullable Subscriber<? super T> to, Throwable cause) {
    if (to == null) {
      return;
    }
    if (!begun) {
      begun = true;
      to.onSubscribe(this); // 1.9
    }
    to.onError(cause);
  }

  @Override
  public String toString() {
    return task.name();
  }
}
