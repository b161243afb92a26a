package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ClosedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Other publishers as sources of a channel.
final class FlowSubscriberTest extends FlowFixture {

  /// Publishes what the test says, and records the requests.
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

  private final Source source = new Source();

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
  void from_receiverCancelsBeforeTheSubscriptionWasSeen_itIsCancelled() {
    Receiver<Object> received = Receiver.from(scheduler, source, 1);
    var _ = received.cancel();
    drive();
    assertTrace("cancel");
  }

  @Test
  void from_publisherFails_receiverGetsTheCauseBehindTheElements() {
    Receiver<Object> received = Receiver.from(scheduler, source, 1);
    drive();
    source.subscriber.onNext("a");
    source.subscriber.onError(new IOException("no more"));
    runTask(() -> {
      trace(received.receive());
      var thrown = assertThrows(ClosedException.class, received::receive);
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
  void from_schedulerClosesBehindThePublishersLastWord_isNotCancelledAnyMore() {
    Receiver<Object> received = Receiver.from(scheduler, source, 1);
    drive();
    source.subscriber.onComplete(); // 2.4: the subscription ends here
    scheduler.close();
    assertTrace("request1");
    assertTrue(received.isClosedForReceive());
  }

  @Test
  void from_schedulerCloses_subscriptionIsCancelledAndReceiversFail() {
    Receiver<Object> received = Receiver.from(scheduler, source, 1);
    drive();
    scheduler.close();
    assertTrace("request1 cancel");
    assertTrue(received.isClosedForReceive());
  }

  @Test
  void from_publisherBreaksTheRules_isAnError() {
    var subscriber = new ChannelSubscriber<>(scheduler, 1);
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
    assertThrows(IllegalArgumentException.class, () -> new ChannelSubscriber<>(scheduler, 0));
  }

  /// Through a publisher and a subscriber, with two threads that are not the scheduler's.
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
}
