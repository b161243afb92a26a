package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BroadcastTest extends SchedulerTest {

  private Broadcast<Integer> broadcast(Overflow overflow) {
    return new Broadcast<Integer>(scheduler, 2, overflow).named("news");
  }

  private Task<Void> sender(Broadcast<Integer> broadcast, int... elements) {
    return scheduler.spawn(() -> {
      for (int each : elements) {
        broadcast.send(each);
        trace("+" + each);
      }
    });
  }

  @Test
  void send_severalSubscribed_eachReceivesAll() {
    Broadcast<Integer> news = broadcast(Overflow.SUSPEND);
    List<List<Integer>> got = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Subscription<Integer> subscription = news.subscribe();
      List<Integer> own = new ArrayList<>();
      got.add(own);
      scheduler.spawn(() -> {
        for (int each : subscription) {
          own.add(each);
        }
      });
    }
    runTask(() -> {
      for (int i = 0; i < 10; i++) {
        news.send(i);
      }
      news.close();
    });
    for (List<Integer> each : got) {
      assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), each);
    }
    assertEquals(0, news.subscriptions());
  }

  @Test
  void send_oneIsSlow_waitsForItAndNoOtherReceivesEarlier() {
    Broadcast<Integer> news = broadcast(Overflow.SUSPEND);
    Subscription<Integer> fast = news.subscribe();
    Subscription<Integer> slow = news.subscribe();
    sender(news, 1, 2, 3);
    drive();
    assertTrace("+1 +2");
    assertEquals(1, fast.tryReceive());
    assertEquals(2, fast.tryReceive());
    assertNull(fast.tryReceive());
    assertFalse(news.trySend(9));
    assertEquals(1, slow.tryReceive());
    drive();
    assertTrace("+3");
    assertEquals(3, fast.tryReceive());
    slow.close();
    fast.close();
  }

  @Test
  void close_ofTheSlowSubscription_sendersGoOn() {
    Broadcast<Integer> news = broadcast(Overflow.SUSPEND);
    Subscription<Integer> slow = news.subscribe();
    try (Subscription<Integer> fast = news.subscribe()) {
      sender(news, 1, 2, 3);
      drive();
      fast.tryReceive();
      assertTrace("+1 +2");
      slow.close();
      drive();
      assertTrace("+3");
      assertEquals(1, news.subscriptions());
      assertThrows(ClosedException.class, slow::tryReceive);
    }
    assertEquals(0, news.subscriptions());
  }

  @Test
  void dropping_oneIsSlow_itAloneMissesSome() {
    for (Overflow overflow : List.of(Overflow.DROP_OLDEST, Overflow.DROP_LATEST)) {
      Broadcast<Integer> news = broadcast(overflow);
      Subscription<Integer> fast = news.subscribe();
      Subscription<Integer> slow = news.subscribe();
      for (int i = 1; i <= 4; i++) {
        assertTrue(news.trySend(i));
        assertEquals(i, fast.tryReceive());
      }
      assertEquals(0, fast.dropped());
      assertEquals(2, slow.dropped());
      assertEquals(2, slow.size());
      assertEquals(overflow == Overflow.DROP_OLDEST ? List.of(3, 4) : List.of(1, 2), slow.cancel());
      fast.close();
    }
  }

  @Test
  void subscribe_later_getsWhatIsSentLater() {
    Broadcast<Integer> news = broadcast(Overflow.SUSPEND);
    assertTrue(news.trySend(1)); // no subscription left
    try (Subscription<Integer> late = news.subscribe()) {
      assertTrue(news.trySend(2));
      assertEquals(2, late.tryReceive());
    }
  }

  @Test
  void close_subscriptionsDrainAndEnd() {
    Broadcast<Integer> news = broadcast(Overflow.SUSPEND);
    Subscription<Integer> one = news.subscribe();
    var cause = new IllegalStateException("on purpose");
    news.trySend(1);
    news.close(cause);
    runTask(() -> {
      assertEquals(1, one.receive());
      assertSame(cause, assertThrows(ClosedException.class, one::receive).getCause());
      assertEquals(
          "send to broadcast 'news', which was closed: let one task close it, after all sends",
          assertThrows(ClosedException.class, () -> news.send(2)).getMessage());
    });
    assertTrue(one.isClosedForReceive());
    assertEquals("subscription to broadcast 'news'", one.toString());
    assertThrows(ClosedException.class, () -> news.subscribe().tryReceive());
  }

  @Test
  void subscribe_closedWithoutCause_endsAtOnce() {
    Broadcast<Integer> news = broadcast(Overflow.SUSPEND);
    news.close();
    runTask(
        () -> assertEquals(Optional.empty(), scheduler.await(news.subscribe().receivingOrEnd())));
  }

  @Test
  void send_cancelled_noneReceivesIt() {
    Broadcast<Integer> news = broadcast(Overflow.SUSPEND);
    Subscription<Integer> slow = news.subscribe();
    Task<Void> sender = sender(news, 1, 2, 3);
    drive();
    sender.cancel("test");
    drive();
    assertTrace("+1 +2");
    assertEquals(List.of(1, 2), slow.cancel());
    assertEquals(0, news.waitingSenderCount());
  }

  @Test
  void select_sendAndReceiveOfOneBroadcast_doesNotMeetItself() {
    Broadcast<Integer> news = new Broadcast<>(scheduler, 1, Overflow.SUSPEND);
    Subscription<Integer> own = news.subscribe();
    Subscription<Integer> full = news.subscribe();
    news.trySend(1);
    own.tryReceive();
    scheduler.spawn(() ->
        Select.biased()
            .on(own.receiving(), got -> trace("got " + got))
            .on(news.sending(2), sent -> trace("sent"))
            .run());
    drive();
    assertTrace("");
    assertEquals(1, full.tryReceive());
    drive();
    assertTrace("sent");
    assertEquals(List.of(2), own.cancel());
    full.close();
  }

  @Test
  void to_badArgument_saysSo() {
    assertThrows(
        IllegalArgumentException.class, () -> new Broadcast<>(scheduler, 0, Overflow.SUSPEND));
    assertThrows(NullPointerException.class, () -> new Broadcast<>(scheduler, 1, null));
  }
}
