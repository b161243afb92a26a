package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SubmissionPublisher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What the test kit of Reactive Streams does not look at, see [FlowRulesTest]: what publishers and
/// subscribers mean for the tasks at the other end, and for the scheduler.
final class FlowTest extends SchedulerTest {

  /// Traces its calls; asks for nothing by itself.
  private class Watcher implements Flow.Subscriber<Object> {

    Flow.@Nullable Subscription subscription;
    @Nullable Throwable failure;

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      trace("begin");
    }

    @Override
    public void onNext(Object element) {
      trace(element);
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      trace("error");
    }

    @Override
    public void onComplete() {
      trace("end");
    }
  }

  /// Publishes what the test says, and notes what it is asked.
  private final class Source implements Flow.Publisher<Object>, Flow.Subscription {

    Flow.@Nullable Subscriber<? super Object> subscriber;

    @Override
    public void subscribe(Flow.Subscriber<? super Object> given) {
      subscriber = given;
      given.onSubscribe(this);
    }

    @Override
    public void request(long n) {
      trace("request" + n);
    }

    @Override
    public void cancel() {
      trace("cancel");
    }
  }

  private final Watcher watcher = new Watcher();
  private final Source source = new Source();

  private void sendInATask(Sender<Object> to, int elements) {
    scheduler.spawn(() -> {
      try (to) {
        for (int i = 1; i <= elements; i++) {
          to.send(i);
          trace("+" + i);
        }
      } catch (ClosedForSendException _) {
        trace("refused");
      }
    });
  }

  // A channel as a publisher.

  @Test
  void publisher_rendezvous_takesNoElementThatNobodyAskedFor() {
    var channel = Channel.rendezvous(scheduler);
    channel.asPublisher().subscribe(watcher);
    sendInATask(channel, 3);
    drive();
    assertTrace("begin");
    assertEquals(1, channel.sendersWaiting());
    watcher.subscription.request(2);
    drive();
    assertTrace("1 +1 +2 2");
    watcher.subscription.request(1);
    drive();
    assertTrace("3 +3 end");
  }

  @Test
  void publisher_everythingReceived_saysSoWithoutBeingAskedAgain() {
    var channel = Channel.bounded(scheduler, 4);
    channel.asPublisher().subscribe(watcher);
    sendInATask(channel, 2);
    drive();
    assertTrace("begin +1 +2");
    watcher.subscription.request(2);
    scheduler.start();
    assertTrace("1 2 end");
  }

  @Test
  void publisher_closedWhileNobodyAsks_saysSoIfNothingIsLeft() {
    var channel = Channel.bounded(scheduler, 4);
    channel.asPublisher().subscribe(watcher);
    drive();
    channel.close();
    scheduler.start();
    assertTrace("begin end");
  }

  @Test
  void publisher_closedWithACause_isTheErrorBehindTheElements() {
    var cause = new IOException("no more");
    var channel = Channel.bounded(scheduler, 4);
    assertTrue(channel.trySend("a"));
    channel.close(cause);
    channel.asPublisher().subscribe(watcher);
    drive();
    assertTrace("begin");
    watcher.subscription.request(1);
    scheduler.start();
    assertTrace("a error");
    assertSame(cause, watcher.failure);
  }

  @Test
  void publisher_subscriberCancels_senderIsToldAndTheSchedulerEnds() {
    var channel = Channel.rendezvous(scheduler);
    channel.asPublisher().subscribe(watcher);
    sendInATask(channel, 9);
    drive();
    watcher.subscription.request(1);
    drive();
    watcher.subscription.cancel();
    watcher.subscription.cancel();
    watcher.subscription.request(1);
    scheduler.start();
    assertTrace("begin 1 +1 refused");
  }

  @Test
  void publisher_subscriberCancelsInsideOnNext_getsNoFurtherElement() {
    var channel = Channel.bounded(scheduler, 4);
    channel
        .asPublisher()
        .subscribe(
            new Watcher() {
              @Override
              public void onSubscribe(Flow.Subscription given) {
                super.onSubscribe(given);
                given.request(Long.MAX_VALUE);
              }

              @Override
              public void onNext(Object element) {
                super.onNext(element);
                subscription.cancel();
              }
            });
    sendInATask(channel, 4);
    scheduler.start();
    assertTrace("begin +1 +2 +3 +4 1");
    assertTrue(channel.isClosedForReceive());
  }

  @Test
  void publisher_subscriberThrows_isOverAndTheFailureReported() {
    RuntimeException thrown = new IllegalStateException("subscriber");
    var channel = Channel.rendezvous(scheduler);
    channel
        .asPublisher()
        .subscribe(
            new Watcher() {
              @Override
              public void onSubscribe(Flow.Subscription given) {
                given.request(5);
              }

              @Override
              public void onNext(Object element) {
                throw thrown;
              }
            });
    sendInATask(channel, 2);
    scheduler.start();
    assertTrace("+1 refused");
    assertSame(thrown, takeReported().getFirst().failure());
  }

  @Test
  void publisher_illegalRequest_isAnErrorAndTheEndOfTheChannel() {
    var channel = Channel.rendezvous(scheduler);
    channel.asPublisher().subscribe(watcher);
    drive();
    watcher.subscription.request(0);
    sendInATask(channel, 1);
    scheduler.start();
    assertTrace("begin error refused");
    assertTrue(watcher.failure.getMessage().contains("n=0"), watcher.failure::getMessage);
  }

  @Test
  void publisher_secondSubscriber_isRefusedAndTheFirstGoesOn() {
    var publisher = Channel.rendezvous(scheduler).named("lines").asPublisher();
    var second = new Watcher();
    publisher.subscribe(watcher);
    publisher.subscribe(second);
    assertTrace("begin error");
    assertTrue(second.failure.getMessage().contains("'lines'"), second.failure::getMessage);
    drive();
    watcher.subscription.cancel();
    scheduler.start();
    assertTrace("begin");
  }

  @Test
  void publisher_schedulerCloses_subscriberIsToldThatItWasCancelled() {
    var late = Channel.rendezvous(scheduler);
    late.asPublisher().subscribe(watcher);
    drive();
    assertTrace("begin");
    scheduler.close();
    assertTrace("error");
    assertInstanceOf(TaskCancelled.class, watcher.failure);
    late.asPublisher().subscribe(new Watcher());
    assertTrace("begin error");
  }

  @Test
  void publisher_demandFromAnotherThread_isNoDeadlock() throws Exception {
    var channel = Channel.rendezvous(scheduler);
    var begun = new CompletableFuture<Flow.Subscription>();
    channel
        .asPublisher()
        .subscribe(
            new Watcher() {
              @Override
              public void onSubscribe(Flow.Subscription given) {
                begun.complete(given);
              }
            });
    sendInATask(channel, 2);
    Thread other = Thread.ofPlatform().start(() -> begun.join().request(2));
    scheduler.start();
    other.join();
    assertTrace("1 +1 +2 2 end");
  }

  @Test
  void broadcastPublisher_severalSubscribers_haveTheirOwnPaceAndEnd() {
    var hub = Broadcast.to(scheduler, 2, Overflow.DROP_OLDEST);
    var slow = new Watcher();
    hub.asPublisher().subscribe(watcher);
    hub.asPublisher().subscribe(slow);
    drive();
    assertTrace("begin begin");
    watcher.subscription.request(9);
    sendInATask(hub, 3);
    drive();
    assertTrace("+1 +2 +3 2 3 end");
    slow.subscription.request(1);
    drive();
    assertTrace("2");
    slow.subscription.cancel();
    scheduler.start();
  }

  @Test
  void broadcastPublisher_oneCancels_justLeaves() {
    var hub = Broadcast.to(scheduler, 1, Overflow.SUSPEND);
    hub.asPublisher().subscribe(watcher);
    drive();
    watcher.subscription.cancel();
    drive();
    assertEquals(0, hub.subscriptions());
    assertFalse(hub.isClosedForSend());
    assertTrace("begin");
  }

  // A publisher as a source.

  @Test
  void from_receiverIsSlow_asksForMoreOnlyAsElementsAreReceived() {
    Receiver<Object> received = Receiver.from(scheduler, source, 4);
    drive();
    assertTrace("request4");
    for (int i = 1; i <= 4; i++) {
      source.subscriber.onNext(i);
    }
    drive();
    assertTrace("");
    runTask(() -> trace(received.receive()));
    assertTrace("1");
    runTask(() -> {
      trace(received.receive());
      trace(received.receive());
    });
    assertTrace("2 request2 3");
    source.subscriber.onComplete();
    runTask(() -> {
      for (Object each : received) {
        trace(each);
      }
      trace("end");
    });
    assertTrace("4 end");
  }

  @Test
  void from_publisherFails_receiverGetsTheCauseBehindTheElements() {
    Receiver<Object> received = Receiver.from(scheduler, source, 1);
    drive();
    source.subscriber.onNext("a");
    source.subscriber.onError(new IOException("no more"));
    runTask(() -> {
      trace(received.receive());
      var thrown = assertThrows(ClosedForReceiveException.class, received::receive);
      trace(thrown.getCause().getMessage());
    });
    assertTrace("request1 a no more");
  }

  @Test
  void from_receiverCancels_subscriptionIsCancelledAlsoWhenNothingComes() {
    Receiver<Object> received = Receiver.from(scheduler, source, 1);
    drive();
    var _ = received.cancel();
    drive();
    assertTrace("request1 cancel");
    source.subscriber.onNext("late");
    source.subscriber.onComplete();
    source.subscriber.onSubscribe(source);
    assertTrace("cancel");
  }

  @Test
  void from_schedulerCloses_subscriptionIsCancelledAndReceiversAreTold() {
    Receiver<Object> received = Receiver.from(scheduler, source, 1);
    drive();
    scheduler.close();
    assertTrace("request1 cancel");
    assertTrue(received.isClosedForReceive());
  }

  @Test
  void from_publisherBreaksTheRules_isAnError() {
    var subscriber = ChannelSubscriber.of(scheduler, 1);
    assertThrows(NullPointerException.class, () -> subscriber.onNext(null));
    assertThrows(NullPointerException.class, () -> subscriber.onError(null));
    assertThrows(NullPointerException.class, () -> subscriber.onSubscribe(null));
    subscriber.onSubscribe(source);
    subscriber.onSubscribe(source);
    drive();
    assertTrace("request1 cancel");
    var _ = subscriber.receiver().cancel();
    drive();
    assertTrace("cancel");
    assertThrows(IllegalArgumentException.class, () -> ChannelSubscriber.of(scheduler, 0));
  }

  /// Through both faces and two threads that are not the scheduler's.
  @Test
  void from_aPublisherOfTheJdk_waitsForItAndHasAllInOrder() {
    List<Integer> got = new ArrayList<>();
    var publisher = new SubmissionPublisher<Integer>();
    Receiver<Integer> numbers = Receiver.from(scheduler, publisher, 8);
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < 1_000; i++) {
                publisher.submit(i);
              }
              publisher.close();
            });
    runTask(() -> {
      for (int each : Receiver.from(scheduler, numbers.map(x -> x * 2).asPublisher(), 3)) {
        got.add(each);
      }
      scheduler.blocking(() -> other.join(Duration.ofMinutes(1)));
    });
    assertEquals(1_000, got.size());
    for (int i = 0; i < 1_000; i++) {
      assertEquals(2 * i, got.get(i));
    }
  }

  @Test
  void publisher_schedulerClosesBeforeTheSubscriptionBegins_isTold() throws Exception {
    for (boolean foreign : new boolean[] {false, true}) {
      Scheduler closed = newScheduler();
      var channel = Channel.rendezvous(closed);
      if (foreign) {
        elsewhere(() -> {
          channel.asPublisher().subscribe(watcher);
          return null;
        });
      } else {
        channel.asPublisher().subscribe(watcher);
      }
      closed.close();
      assertTrace("begin error");
    }
  }

  @Test
  void publisher_schedulerIsStopping_refusesAndSendersDoNotWait() throws Exception {
    Scheduler stopping = newScheduler();
    time.serve(stopping);
    var hub = Broadcast.to(stopping, 1, Overflow.SUSPEND);
    stopping.spawn(() -> {
      stopping.await(stopping.stopping());
      stopping.yield();
      for (int i = 0; i < 3; i++) {
        hub.send(i);
      }
      trace("sent");
    });
    while (stopping.step()) {
      // Until it waits.
    }
    var _ = stopping.stop(Duration.ofHours(1));
    elsewhere(() -> {
      hub.asPublisher().subscribe(watcher);
      return null;
    });
    stopping.start();
    stopping.close();
    assertTrace("begin error sent");
    assertEquals(0, hub.subscriptions());
  }

  @Test
  void publisher_closedAndThenGivenUpByAnother_isToldWithoutAsking() {
    var channel = Channel.bounded(scheduler, 4);
    channel.asPublisher().subscribe(watcher);
    channel.trySend(1);
    channel.close();
    drive();
    assertTrace("begin");
    assertEquals(List.of(1), channel.cancel());
    scheduler.start();
    assertTrace("end");
  }

  @Test
  void publisher_schedulerIsClosed_refuses() {
    var channel = Channel.rendezvous(scheduler);
    scheduler.close();
    channel.asPublisher().subscribe(watcher);
    assertTrace("begin error");
    assertInstanceOf(RejectedExecutionException.class, watcher.failure);
    assertThrows(NullPointerException.class, () -> channel.asPublisher().subscribe(null));
  }
}
