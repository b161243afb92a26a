package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.BackendTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/// Endpoints between loops on threads of their own, and threads without a loop.
final class EndpointThreadsTest extends BackendTest {

  private static final int MESSAGES = 2_000;

  private final Endpoint<Integer> there = new Endpoint<>("there", 0);
  private final Endpoint<Integer> back = new Endpoint<>("back", 0);

  private static List<Integer> upTo(int count) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(i);
    }
    return all;
  }

  @Test
  void iterator_nextAtTheEnd_isOutOfElements() {
    var endpoint = new Endpoint<Integer>("numbers", 1);
    endpoint.send(1);
    endpoint.close();
    Iterator<Integer> each = endpoint.iterator();
    assertEquals(1, each.next());
    var told = assertThrows(NoSuchElementException.class, each::next);
    assertEquals("endpoint 'numbers' was closed and is empty", told.getMessage());
    assertFalse(each.hasNext());
  }

  @Test
  void pingPong_betweenParkedLoops() {
    var got = new ArrayList<Integer>();
    try (var fleet = new Fleet(backend)) {
      fleet.start(
          "ping",
          () -> {
            for (int i = 0; i < MESSAGES; i++) {
              there.send(i);
              got.add(back.receive());
            }
            there.close();
          });
      fleet.start(
          "pong",
          () -> {
            for (int each : there) {
              back.send(each);
            }
          });
    }
    assertEquals(upTo(MESSAGES), got);
  }

  @Test
  void stream_fromALoopToAThread() {
    Endpoint<Integer> stream = new Endpoint<>("stream", 16);
    try (var fleet = new Fleet(backend)) {
      fleet.start(
          "source",
          () -> {
            upTo(MESSAGES).forEach(stream::send);
            stream.close();
          });
      var got = new ArrayList<Integer>();
      stream.forEach(got::add);
      assertEquals(upTo(MESSAGES), got);
    }
  }

  @Test
  void stream_fromAThreadToALoop() {
    Endpoint<Integer> stream = new Endpoint<>("stream", 16);
    var got = new ArrayList<Integer>();
    try (var fleet = new Fleet(backend)) {
      fleet.start("sink", () -> stream.forEach(got::add));
      upTo(MESSAGES).forEach(stream::send);
      stream.close();
    }
    assertEquals(upTo(MESSAGES), got);
  }

  @Test
  void waitingLoop_isNotDeadlocked_andEndsWithTheMessage() throws Exception {
    var received =
        new FutureTask<>(() -> {
          try (Scheduler scheduler = builder().build()) {
            var task = scheduler.spawn(() -> there.receive());
            scheduler.start();
            return task.join();
          }
        });
    Thread.ofPlatform().daemon().start(received);
    there.send(7);
    assertEquals(7, received.get());
  }

  // A thread without a loop.

  @Test
  void thread_limit_endsItsWait() {
    assertThrows(TimedOutException.class, () -> there.send(1, Duration.ofNanos(1)));
    assertThrows(TimedOutException.class, () -> there.receive(Duration.ZERO));
    assertEquals(0, there.waitingSenderCount() + there.waitingReceiverCount());
    assertNull(there.tryReceive());
  }

  @Test
  void thread_interrupted_endsItsWaitAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    var told = assertThrows(CancellationException.class, () -> there.send(1));
    assertTrue(Thread.interrupted());
    assertTrue(told.getMessage().contains("has neither sent nor received"), told.getMessage());
    Thread.currentThread().interrupt();
    assertThrows(CancellationException.class, () -> there.receive());
    assertTrue(Thread.interrupted());
    assertEquals(0, there.waitingSenderCount() + there.waitingReceiverCount());
  }

  @Test
  void thread_closedMeanwhile_isTold() throws Exception {
    var sender = new FutureTask<>(() -> assertThrows(ClosedException.class, () -> there.send(1)));
    var receiver =
        new FutureTask<>(() -> assertThrows(ClosedException.class, () -> back.receive()));
    Thread.ofPlatform().daemon().start(sender);
    Thread.ofPlatform().daemon().start(receiver);
    there.close();
    back.close();
    sender.get();
    receiver.get();
  }
}
