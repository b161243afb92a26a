package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Iterating over a channel, and how it ends.
final class ChannelEndTest extends SchedulerTest {

  private static String message(Class<? extends Throwable> type, Runnable code) {
    return assertThrows(type, code::run).getMessage();
  }

  // Iterating.

  @Test
  void iterator_closedByItsSender_endsBehindTheLast() {
    Channel<Integer> channel = Channel.bounded(scheduler, 1);
    scheduler.spawn(() -> {
      try (channel) {
        for (int i = 1; i <= 3; i++) {
          channel.send(i);
        }
      }
    });
    runTask(() -> {
      for (int each : channel) {
        trace(each);
      }
      assertThrows(NoSuchElementException.class, () -> channel.iterator().next());
    });
    assertTrace("1 2 3");
  }

  @Test
  void iterator_severalTasks_shareTheElements() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    for (String name : List.of("a", "b")) {
      scheduler.spawn(() -> {
        for (int each : channel) {
          trace(name + each);
          scheduler.yield();
        }
      });
    }
    runTask(() -> {
      for (int i = 1; i <= 4; i++) {
        channel.send(i);
        scheduler.yield();
      }
      channel.close();
    });
    assertTrace("a1 b2 a3 b4");
  }

  @Test
  void send_scheduledDirectly_failsAndTheElementIsNotSent() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    Task<Void> task =
        scheduler.spawn(() -> {
          assertThrows(ScheduledDirectlyException.class, () -> channel.send(1));
          var failure =
              assertThrows(
                  ScheduledDirectlyException.class, () -> channel.send(2, Duration.ofDays(1)));
          trace(failure.value());
          channel.send(3);
        });
    drive();
    assertTrue(scheduler.scheduleTask(task));
    drive();
    assertTrue(scheduler.scheduleTask(task, "direct"));
    drive();
    assertEquals(3, channel.tryReceive());
    scheduler.start();
    assertTrace("direct");
  }

  @Test
  void iterator_scheduledDirectly_failsAndCanGoOn() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    Task<Void> task =
        scheduler.spawn(() -> {
          Iterator<Integer> all = channel.iterator();
          assertThrows(ScheduledDirectlyException.class, all::hasNext);
          while (all.hasNext()) {
            trace(all.next());
          }
        });
    drive();
    assertTrue(scheduler.scheduleTask(task));
    drive();
    assertTrue(channel.trySend(1));
    channel.close();
    scheduler.start();
    assertTrace("1");
  }

  @Test
  void iterator_closedWithACause_throwsBehindTheLast() {
    Channel<Integer> channel = Channel.unbounded(scheduler);
    var cause = new IllegalStateException("on purpose");
    channel.trySend(1);
    channel.close(cause);
    runTask(() -> {
      var thrown =
          assertThrows(
              ClosedException.class,
              () -> {
                for (int each : channel) {
                  trace(each);
                }
              });
      assertSame(cause, thrown.getCause());
    });
    assertTrace("1");
  }

  // Closing.

  @Test
  void close_elementsLeft_areReceivedFirst() {
    Channel<Integer> channel = Channel.<Integer>bounded(scheduler, 2).named("x");
    channel.trySend(1);
    channel.close();
    assertTrue(channel.isClosedForSend());
    assertFalse(channel.isClosedForReceive());
    runTask(() -> {
      assertEquals(Optional.of(1), scheduler.await(channel.receivingOrEnd()));
      assertEquals(Optional.empty(), scheduler.await(channel.receivingOrEnd()));
      String expected =
          "receive from bounded channel 'x', which was closed and is empty: iterate over it, or use"
              + " receivingOrEnd()";
      assertEquals(expected, message(ClosedException.class, channel::receive));
      assertEquals(expected, message(ClosedException.class, channel::tryReceive));
      assertThrows(ClosedException.class, () -> scheduler.await(channel.receiving()));
    });
    assertTrue(channel.isClosedForReceive());
  }

  @Test
  void close_othersWait_failAndNothingIsSent() {
    var cause = new IllegalStateException("on purpose");
    for (boolean receiving : List.of(true, false)) {
      Channel<Integer> channel = Channel.rendezvous(scheduler);
      for (String name : List.of("a", "b")) {
        scheduler.spawn(() -> {
          var failure =
              receiving
                  ? assertThrows(ClosedException.class, channel::receive)
                  : assertThrows(ClosedException.class, () -> channel.send(1));
          assertSame(cause, failure.getCause());
          String call = receiving ? "receive" : "send"; // the trace of the waiting task
          assertTrue(
              Arrays.stream(failure.getStackTrace())
                  .anyMatch(frame -> frame.getMethodName().equals(call)));
          trace(name);
        });
      }
      drive();
      channel.close(cause);
      channel.close(new IllegalStateException("too late"));
      channel.close();
      scheduler.start();
      assertTrace("a b");
      assertEquals(List.of(), channel.cancel());
      var failure = assertThrows(ClosedException.class, channel::tryReceive);
      assertSame(cause, failure.getCause()); // the first counts
    }
  }

  @Test
  void send_closed_isRefused() {
    Channel<Integer> channel =
        Channel.<Integer>bounded(scheduler, 1, Overflow.DROP_OLDEST).named("x");
    channel.close();
    runTask(() -> {
      String expected =
          "send to bounded channel 'x', which was closed: let one task close it, after all sends";
      assertEquals(expected, message(ClosedException.class, () -> channel.send(1)));
      assertEquals(expected, message(ClosedException.class, () -> channel.trySend(1)));
      assertEquals(
          expected, message(ClosedException.class, () -> scheduler.await(channel.sending(1))));
    });
    assertEquals(0, channel.size());
  }

  @Test
  void cancel_elementsAndSenders_areReturnedAndFail() {
    Channel<Integer> channel = Channel.<Integer>bounded(scheduler, 2).named("x");
    scheduler.spawn(() -> {
      channel.send(1);
      channel.send(2);
      trace(message(ClosedException.class, () -> channel.send(3)));
    });
    drive();
    assertEquals(List.of(1, 2), channel.cancel());
    assertEquals(List.of(), channel.cancel());
    drive();
    assertTrace("send to bounded channel 'x', which its receiver has cancelled");
    runTask(() ->
        assertEquals(
            "receive from bounded channel 'x', which its receiver has cancelled",
            message(ClosedException.class, channel::receive)));
  }

  @Test
  void cancel_afterClose_discardsWhatIsLeft() {
    Channel<Integer> channel = Channel.bounded(scheduler, 2);
    channel.trySend(1);
    channel.close();
    assertEquals(List.of(1), channel.cancel(new IllegalStateException("too late")));
    runTask(() -> assertEquals(Optional.empty(), scheduler.await(channel.receivingOrEnd())));
  }
}
