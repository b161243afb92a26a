package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.internal.rooms.LendableEventSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Two sources of events in which one loop sleeps.
final class JointEventsTest {

  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final Semaphore asleep = new Semaphore(0);
  private final Lendable sockets = new Lendable("sockets");
  private final Source others = new Source("others");

  /// Has events when its semaphore has permits; a wakeup is one, too.
  private class Source implements EventSource {

    final String name;
    final Semaphore events = new Semaphore(0);
    boolean real = true;
    int waits;

    Source(String name) {
      this.name = name;
    }

    @Override
    public boolean poll() {
      return events.tryAcquire();
    }

    @Override
    public boolean await(long nanos) {
      log.add("in " + name);
      asleep.release();
      try {
        return events.tryAcquire(nanos, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    @Override
    public void wakeup() {
      events.release();
    }

    @Override
    public boolean isReal() {
      return real;
    }

    @Override
    public long untilNextNanos() {
      return FOREVER;
    }

    @Override
    public int waitCount() {
      return waits;
    }

    @Override
    public long waitsBegun() {
      return waits;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private final class Lendable extends Source implements LendableEventSource {

    private RuntimeException broken;

    Lendable(String name) {
      super(name);
    }

    @Override
    public boolean lend() {
      log.add("lend");
      return events.availablePermits() == 0;
    }

    @Override
    public void awaitElsewhere() {
      asleep.release();
      events.acquireUninterruptibly();
      events.release(); // found by the next poll
      if (broken != null) {
        throw broken;
      }
    }

    @Override
    public void takeBack() {
      log.add("take back");
    }
  }

  /// Another thread does something when that many sources are blocked in.
  private void whenAsleep(int sources, Runnable action) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          asleep.acquireUninterruptibly(sources);
          action.run();
        });
  }

  @Test
  void await_oneIsAwaited_blocksInThatOne() {
    EventSource both = LendableEventSource.both(sockets, others);
    others.waits = 1;
    whenAsleep(1, others.events::release);
    assertTrue(both.await(EventSource.FOREVER));
    others.waits = 0;
    sockets.waits = 1;
    whenAsleep(1, sockets.events::release);
    assertTrue(both.await(EventSource.FOREVER));
    assertEquals(List.of("in others", "in sockets"), log);
  }

  @Test
  void await_bothAreAwaited_endsWithAnEventOfEither() {
    for (EventSource both :
        List.of(
            LendableEventSource.both(sockets, others), LendableEventSource.both(others, sockets))) {
      sockets.waits = 1;
      others.waits = 1;
      whenAsleep(2, sockets.events::release);
      assertTrue(both.await(EventSource.FOREVER));
      others.events.drainPermits();
      whenAsleep(2, others.events::release);
      assertTrue(both.await(EventSource.FOREVER));
      sockets.events.drainPermits();
      others.events.drainPermits();
      assertEquals(
          List.of("lend", "in others", "take back", "lend", "in others", "take back"), log);
      log.clear();
      asleep.drainPermits();
    }
  }

  /// Of the two that is the one that need not be lent: a helper would wait for nothing.
  @Test
  void await_nothingIsAwaited_blocksInTheOneThatIsNotLentUntilAWakeup() {
    for (EventSource both :
        List.of(
            LendableEventSource.both(sockets, others), LendableEventSource.both(others, sockets))) {
      whenAsleep(1, both::wakeup);
      assertTrue(both.await(EventSource.FOREVER));
      assertEquals(List.of("in others"), log);
      log.clear();
    }
  }

  @Test
  void await_anEventIsThere_doesNotBlock() {
    sockets.waits = 1;
    others.waits = 1;
    sockets.events.release();
    assertTrue(LendableEventSource.both(sockets, others).await(EventSource.FOREVER));
    assertEquals(List.of(), log);
  }

  @Test
  void wakeup_beforeOrDuringTheWait_endsIt() {
    EventSource both = LendableEventSource.both(sockets, others);
    sockets.waits = 1;
    others.waits = 1;
    for (int i = 0; i < 2_000; i++) {
      Thread waker = Thread.ofPlatform().daemon().start(both::wakeup);
      boolean _ = both.await(EventSource.FOREVER);
      joinUninterruptibly(waker);
      sockets.events.drainPermits();
      others.events.drainPermits();
    }
  }

  private static void joinUninterruptibly(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void await_theLentOneFailsElsewhere_failsHere() {
    EventSource both = LendableEventSource.both(sockets, others);
    sockets.waits = 1;
    others.waits = 1;
    sockets.broken = new IllegalStateException("broken");
    whenAsleep(2, sockets.events::release);
    assertEquals(
        "broken",
        assertThrows(IllegalStateException.class, () -> both.await(EventSource.FOREVER))
            .getMessage());
  }

  @Test
  void both_unlike_areRefusedByName() {
    others.real = false;
    for (var pair : List.of(List.of(sockets, others), List.of(new Source("a"), new Source("b")))) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> LendableEventSource.both(pair.getFirst(), pair.getLast()))
              .getMessage();
      assertTrue(message.contains("first=" + pair.getFirst()), message);
    }
  }

  @Test
  void both_simulated_countTogether() {
    sockets.real = false;
    others.real = false;
    sockets.waits = 2;
    others.waits = 3;
    EventSource both = LendableEventSource.both(sockets, others);
    assertFalse(both.isReal());
    assertEquals(5, both.waitCount());
    assertEquals(5, both.waitsBegun());
    assertEquals(EventSource.FOREVER, both.untilNextNanos());
  }

  // In a scheduler.

  @Test
  void join_scheduler_sleepsInTheSource() {
    try (Scheduler scheduler = Scheduler.builder().build();
        var _ = scheduler.keepAlive()) {
      scheduler.host().join(others);
      var _ = scheduler.spawn(() -> scheduler.suspend());
      whenAsleep(1, () -> scheduler.execute(scheduler::stop));
      scheduler.start();
      assertEquals(List.of("in others"), log);
    }
  }

  @Test
  void join_strategyThatTakesNoSource_isReplaced() {
    try (Scheduler scheduler = Scheduler.builder().build();
        var _ = scheduler.keepAlive()) {
      scheduler.host().idleStrategy(new Refusing(false));
      scheduler.host().join(others);
      var _ = scheduler.spawn(() -> scheduler.suspend());
      whenAsleep(1, () -> scheduler.execute(scheduler::stop));
      scheduler.start();
      assertEquals(List.of("in others"), log);
    }
  }

  @Test
  void join_strategyThatLendsTheThread_isRefused() {
    try (Scheduler scheduler = Scheduler.builder().build()) {
      scheduler.host().idleStrategy(new Refusing(true));
      String message =
          assertThrows(IllegalStateException.class, () -> scheduler.host().join(others))
              .getMessage();
      assertEquals(
          "the loop waits in Refusing, which takes no other source of events: use this add-on in"
              + " another scheduler, on a thread of its own, such as that of a computicle",
          message);
    }
  }

  private record Refusing(boolean lendsThread) implements IdleStrategy {

    @Override
    public void idleUntil(long deadlineNanos) {
      throw new AssertionError("replaced");
    }

    @Override
    public void idle() {
      throw new AssertionError("replaced");
    }

    @Override
    public void wakeup() {}
  }
}
