package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/// Channels and broadcasts as publishers.
final class FlowPublisherTest extends FlowFixture {

  // A channel as a publisher.

  @Test
  void publisher_rendezvous_takesNoElementWithoutDemand() {
    var channel = Channel.rendezvous(scheduler);
    channel.asPublisher().subscribe(watcher);
    sendInATask(channel, 3);
    drive();
    assertTrace("begin");
    assertEquals(1, channel.waitingSenderCount());
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
  void publisher_closedWithoutDemand_saysSoIfNothingIsLeft() {
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
  void publisher_subscriberCancels_senderFailsAndTheSchedulerEnds() {
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
  void publisher_schedulerCloses_subscriberFailsWithTheCancellation() {
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
    drive(); // the sender waits: the order is the same whenever the demand comes
    Thread other = Thread.ofPlatform().start(() -> begun.join().request(2));
    scheduler.start();
    other.join();
    assertTrace("1 +1 +2 2 end");
  }

  @Test
  void broadcastPublisher_severalSubscribers_haveTheirOwnPaceAndEnd() {
    var hub = new Broadcast<>(scheduler, 2, Overflow.DROP_OLDEST);
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
    var hub = new Broadcast<>(scheduler, 1, Overflow.SUSPEND);
    hub.asPublisher().subscribe(watcher);
    drive();
    watcher.subscription.cancel();
    drive();
    assertEquals(0, hub.subscriptions());
    assertFalse(hub.isClosedForSend());
    assertTrace("begin");
  }

  @Test
  void publisher_schedulerClosesBeforeTheSubscriptionBegins_isRefused() throws Exception {
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
    var hub = new Broadcast<>(stopping, 1, Overflow.SUSPEND);
    stopping.spawn(() -> {
      stopping.await(stopping.shutdownRequested());
      stopping.yield();
      for (int i = 0; i < 3; i++) {
        hub.send(i);
      }
      trace("sent");
    });
    while (stopping.step()) {
      // Until it waits.
    }
    var _ = stopping.shutdown(Duration.ofHours(1), Duration.ofHours(1));
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
  void publisher_closedAndThenCancelledByAnother_endsWithoutDemand() {
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
