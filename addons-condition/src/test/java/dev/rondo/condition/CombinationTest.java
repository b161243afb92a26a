package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.sync.Mutex;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Composite signals, and waits for several events: docs/inside/semantics.md, rule 18.
final class CombinationTest extends OnEveryBackend {

  private Signal<Integer> a;
  private Signal<Integer> b;
  private Signal<Integer> c;

  @BeforeEach
  void makeSignals() {
    a = new Signal<>(scheduler, "a");
    b = new Signal<>(scheduler, "b");
    c = new Signal<>(scheduler, "c");
  }

  private Task<Void> waiter(String name, Event<?> event) {
    return waiter(name, event, List.of(a, b, c));
  }

  private Task<Void> waiter(String name, Event<?> event, List<Event<?>> parts) {
    return scheduler.spawn(
        name,
        () -> {
          Object got = scheduler.await(event);
          log(
              name
                  + " "
                  + (got instanceof Selection<?>(int index, Object payload)
                      ? parts.get(index).name() + "=" + payload
                      : got));
        });
  }

  // All.

  @Test
  void onAll_eachHappens_wakesAllWithTheFirstPayloads() {
    var all = signals.onAll(a, b);
    waiter("w1", all);
    waiter("w2", all);
    settle();
    assertEquals(2, all.waiterCount());
    assertEquals(0, a.signalAll(1), "woke a task");
    assertEquals(0, a.signalAll(10), "a part counts once");
    assertFalse(a.signalOne(100));
    settle();
    assertEquals(List.of(), log);
    assertEquals(2, b.signalAll(2));
    scheduler.start();
    assertEquals(List.of("w1 [1, 2]@0", "w2 [1, 2]@0"), log);
    assertEquals("all of 'a, b'", all.toString());
  }

  @Test
  void onAll_nullPayloads_count() {
    waiter("w", signals.onAll(a, b));
    settle();
    a.signalAll(null);
    assertEquals(1, b.signalAll(null));
    scheduler.start();
    assertEquals(List.of("w [null, null]@0"), log);
  }

  @Test
  void onAll_happened_startsOver() {
    var all = signals.onAll(a, b);
    scheduler.spawn(() -> {
      for (int i = 0; i < 2; i++) {
        log(scheduler.await(all).toString());
      }
    });
    run(() -> {
      scheduler.yield();
      a.signalAll(1);
      assertEquals(1, b.signalAll(2));
      assertEquals(0, a.signalAll(3), "no task waits at this moment");
      scheduler.yield();
      assertEquals(0, b.signalAll(4));
      assertEquals(1, a.signalAll(5));
    });
    assertEquals(List.of("[1, 2]@0", "[5, 4]@0"), log);
  }

  @Test
  void onAll_noWaiter_partsAreNotWatched() {
    var all = signals.onAll(a, b);
    assertEquals(0, a.signalAll(1));
    Task<Void> left = waiter("left", all);
    settle();
    left.cancel("test");
    assertEquals(0, all.waiterCount());
    assertEquals(0, a.signalAll(2));
    assertEquals(0, b.signalAll(2));
    waiter("w", all);
    settle();
    assertEquals(0, b.signalAll(3));
    assertEquals(1, a.signalAll(3));
    scheduler.start();
    assertEquals(List.of("w [3, 3]@0"), log);
  }

  @Test
  void onAll_oneOfTwoWaitersLeaves_goesOn() {
    var all = signals.onAll(a, b);
    Task<Void> left = waiter("left", all);
    waiter("w", all);
    settle();
    a.signalAll(1);
    left.cancel("test");
    assertEquals(1, b.signalAll(2));
    scheduler.start();
    assertEquals(List.of("w [1, 2]@0"), log);
  }

  @Test
  void onAll_lastWaiterLeaves_whatWasSeenIsForgotten() {
    var all = signals.onAll(a, b);
    run(() -> {
      time.sleep(ms(1));
      scheduler.spawn(() -> a.signalAll(1));
      assertThrows(TimedOutException.class, () -> scheduler.await(all, ms(5)));
      scheduler.spawn(() -> assertEquals(0, b.signalAll(2)));
      assertThrows(TimedOutException.class, () -> scheduler.await(all, ms(5)));
      scheduler.spawn(() -> {
        assertEquals(0, a.signalAll(3));
        assertEquals(1, b.signalAll(4));
      });
      log(scheduler.await(all).toString());
    });
    assertEquals(List.of("[3, 4]@11"), log);
  }

  @Test
  void reset_waiting_waitsOnForAllOfThem() {
    var all = signals.onAll(a, b);
    waiter("w", all);
    settle();
    a.signalAll(1);
    all.reset();
    assertEquals(1, all.waiterCount());
    assertEquals(0, b.signalAll(2));
    assertEquals(1, a.signalAll(3));
    scheduler.start();
    assertEquals(List.of("w [3, 2]@0"), log);
  }

  @Test
  void onAll_samePartTwice_oneSendIsEnough() {
    waiter("w", signals.onAll(a, b, a));
    settle();
    a.signalAll(1);
    assertEquals(1, b.signalAll(2));
    scheduler.start();
    assertEquals(List.of("w [1, 2, 1]@0"), log);
  }

  // Any.

  @Test
  void onAny_oneHappens_wakesAllWithWhichItWas() {
    var any = signals.onAny(a, b);
    waiter("w1", any);
    waiter("w2", any);
    settle();
    assertTrue(b.signalOne(2));
    assertEquals(0, a.signalAll(1), "no task waits any more");
    scheduler.start();
    assertEquals(List.of("w1 b=2@0", "w2 b=2@0"), log);
    assertEquals("any of 'a, b'", any.toString());
  }

  @Test
  void onAny_lastWaiterLeaves_watchersVanish() {
    var any = signals.onAny(a, b);
    Task<Void> left = waiter("left", any);
    settle();
    left.cancel("test");
    assertEquals(0, a.signalAll(1));
    assertFalse(b.signalOne(2));
    waiter("w", any);
    settle();
    assertEquals(List.of(), log);
    assertEquals(1, a.signalAll(3));
    scheduler.start();
    assertEquals(List.of("w a=3@0"), log);
  }

  // Beside direct waiters.

  @Test
  void signalAll_directWaitersToo_directFirstThenCombinationsInTheirOrder() {
    waiter("any", signals.onAny(a, b));
    waiter("all", signals.onAll(a));
    waiter("direct", a);
    settle();
    scheduler.spawn(() -> log("other"));
    assertEquals(3, a.signalAll(1));
    scheduler.start();
    assertEquals(List.of("other@0", "direct 1@0", "any a=1@0", "all [1]@0"), log);
  }

  @Test
  void signalAllImmediate_directWaitersToo_allAtTheFrontInTheSameOrder() {
    var any = signals.onAny(a, b);
    waiter("any1", any);
    waiter("any2", any);
    waiter("all", signals.onAll(a));
    waiter("direct", a);
    settle();
    scheduler.spawn(() -> log("other"));
    assertEquals(4, a.signalAllImmediate(1));
    scheduler.start();
    assertEquals(List.of("direct 1@0", "any1 a=1@0", "any2 a=1@0", "all [1]@0", "other@0"), log);
  }

  @Test
  void signalOne_directWaiterToo_oneOfThemAndTheCombinationSees() {
    waiter("all", signals.onAll(a, b));
    waiter("direct1", a);
    Task<Void> second = waiter("direct2", a);
    settle();
    assertTrue(a.signalOne(1));
    settle();
    assertEquals(List.of("direct1 1@0"), log);
    second.cancel("test");
    assertTrue(b.signalOne(2));
    scheduler.start();
    assertEquals(List.of("direct1 1@0", "all [1, 2]@0"), log);
  }

  @Test
  void select_partAndWhole_thePartWinsAndTheWholeForgets() {
    var all = signals.onAll(a, b);
    run(() -> {
      scheduler.spawn(() -> assertEquals(1, a.signalAll(1)));
      assertEquals(1, scheduler.<Object>select(all, a).index());
      scheduler.spawn(() -> {
        assertEquals(0, b.signalAll(2));
        assertEquals(1, a.signalAll(3));
      });
      assertEquals(List.of(3, 2), scheduler.await(all));
    });
  }

  @Test
  void select_lastPartAndWhole_theWholeIsLost() {
    var all = signals.onAll(a);
    run(() -> {
      scheduler.spawn(() -> assertEquals(1, a.signalAll(1)));
      assertEquals(1, scheduler.<Object>select(all, a).index());
      assertThrows(TimedOutException.class, () -> scheduler.await(all, ms(1)));
    });
  }

  @Test
  void select_partAndAny_theAnyIsLost() {
    var any = signals.onAny(a, b);
    run(() -> {
      scheduler.spawn(() -> assertEquals(1, a.signalAll(1)));
      assertEquals(1, scheduler.<Object>select(any, a).index());
      assertThrows(TimedOutException.class, () -> scheduler.await(any, ms(1)));
    });
  }

  // Nested.

  @Test
  void nested_allOfAnyAndAll_happensInOneSend() {
    var inner = signals.onAll(a, b);
    var nested = signals.<Object>onAny(c, inner);
    waiter("nested", nested, List.of(c, inner));
    waiter("inner", inner);
    settle();
    assertEquals(0, a.signalAll(1));
    assertEquals(2, b.signalAll(2));
    scheduler.start();
    assertEquals(List.of("inner [1, 2]@0", "nested a, b=[1, 2]@0"), log);
    assertEquals(0, c.signalAll(3), "still watched");
    assertEquals(0, a.signalAll(3));
  }

  @Test
  void nested_waiterOfTheInnerLeaves_theWholeStillWatchesIt() {
    var inner = signals.onAny(a, b);
    var nested = signals.onAll(inner, c);
    Task<Void> left = waiter("left", inner);
    waiter("whole", nested);
    settle();
    left.cancel("test");
    c.signalAll(3);
    assertEquals(1, a.signalAll(1));
    scheduler.start();
    assertEquals(1, log.size());
  }

  @Test
  void nested_lastWaiterOfTheWholeLeaves_innerIsNotWatchedEither() {
    var inner = signals.onAll(a, b);
    var nested = signals.onAll(inner, c);
    Task<Void> left = waiter("left", nested);
    settle();
    a.signalAll(1);
    left.cancel("test");
    b.signalAll(2);
    waiter("w", nested);
    settle();
    c.signalAll(3);
    assertEquals(0, b.signalAll(4));
    assertEquals(1, a.signalAll(5)); // neither the a nor the b from before counts
    scheduler.start();
    assertEquals(List.of("w [[5, 4], 3]@0"), log);
  }

  @Test
  void nested_samePartOnTwoLevels_oneSendDoesBoth() {
    waiter("w", signals.<Object>onAll(signals.onAny(a, b), a));
    settle();
    assertEquals(1, a.signalAll(1));
    scheduler.start();
    assertEquals(1, log.size());
    assertEquals(0, a.signalAll(2));
  }

  // Waits for several events.

  @Test
  void select_whichAndItsPayload_othersAreLeft() {
    Task<Selection<Integer>> task = scheduler.spawn(() -> scheduler.select(a, b));
    settle();
    assertEquals(1, a.waiterCount());
    assertTrue(b.signalOne(7));
    assertEquals(0, a.waiterCount());
    scheduler.start();
    assertEquals(new Selection<>(1, 7), task.join());
  }

  @Test
  void select_signalOne_wakesOneOfThem() {
    Task<Selection<Integer>> first = scheduler.spawn(() -> scheduler.select(a, b));
    Task<Selection<Integer>> second = scheduler.spawn(() -> scheduler.select(b, a));
    settle();
    assertTrue(a.signalOne(1));
    settle();
    assertTrue(first.isDone());
    assertFalse(second.isDone());
    assertTrue(b.signalOne(2));
    scheduler.start();
    assertEquals(new Selection<>(0, 2), second.join());
  }

  @Test
  void awaitAll_inAnyOrderAndOneTurn_payloadsInTheOrderOfTheEvents() {
    Task<List<Integer>> task = scheduler.spawn(() -> signals.awaitAll(a, b, c));
    settle();
    c.signalAll(3);
    a.signalAll(1);
    c.signalAll(30);
    b.signalAll(2);
    scheduler.start();
    assertEquals(List.of(1, 2, 3), task.join());
    assertEquals(0, a.signalAll(4));
  }

  // Bad input.

  @Test
  void combine_nothing_saysSo() {
    assertEquals(
        "all of needs at least one part",
        assertThrows(IllegalArgumentException.class, () -> signals.onAll()).getMessage());
    assertThrows(IllegalArgumentException.class, () -> signals.onAny());
    run(() -> assertEquals(List.of(), signals.awaitAll()));
  }

  @Test
  void combine_nullOrForeign_saysSo() {
    assertThrows(NullPointerException.class, () -> signals.onAll(a, null));
    try (var other = builder().build()) {
      Signal<Integer> foreign = new Signal<>(other, "foreign");
      assertEquals(
          "all of 'a, foreign': signal 'foreign' belongs to another scheduler",
          assertThrows(IllegalArgumentException.class, () -> signals.onAll(a, foreign))
              .getMessage());
    }
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    var all = signals.onAll(a, b);
    Thread thread =
        Thread.ofPlatform()
            .unstarted(() -> {
              assertThrows(WrongThreadException.class, all::reset);
              assertThrows(WrongThreadException.class, () -> signals.onAll(a));
              assertThrows(WrongThreadException.class, () -> signals.onAny(a));
              log("all");
            });
    thread.start();
    thread.join();
    assertEquals(List.of("all@0"), log);
  }

  // Names.

  private enum Light {
    RED,
    GREEN
  }

  @Test
  void signal_namedByAnyObject_equalNamesAreTheSame() {
    record Point(int x, int y) {}

    var identity = new Object();
    List<Object> names = List.of(Light.RED, new Point(1, 2), identity, 5, "word");
    for (Object name : names) {
      scheduler.spawn(() -> log.add(scheduler.await(signals.signal(name))));
    }
    settle();
    assertEquals(0, signals.signalAll(Light.GREEN, null));
    assertEquals(0, signals.signalAll(new Object(), null));
    assertEquals(1, signals.signalAll(new Point(1, 2), "point"));
    assertTrue(signals.signalOne(Light.RED, "light"));
    assertTrue(signals.signalOne(identity, "identity"));
    assertEquals(1, signals.signalAllImmediate(5, "number"));
    assertEquals(1, signals.signalAll("word", "word"));
    scheduler.start();
    assertEquals(List.of("number", "point", "light", "identity", "word"), log);
  }

  @Test
  void scheduleOn_anObjectsSignal_runsWhenItIsSent() {
    var object = new Object();
    Task<?> task = scheduler.newTask("t", () -> log.add(scheduler.received()));
    assertTrue(scheduler.queue().scheduleOn(task, signals.signal(object)));
    settle();
    assertEquals(List.of(), log);
    assertEquals(1, signals.signalAll(object, "changed"));
    scheduler.start();
    assertEquals(List.of("changed"), log);
  }

  @Test
  void signal_namedByASignal_saysWhatToDo() {
    assertEquals(
        "signal 'a' is not a name: send it, or wait for it, by its own methods",
        assertThrows(IllegalArgumentException.class, () -> signals.signalAll(a, null))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> signals.signal(new Mutex(scheduler, "m")));
  }
}
