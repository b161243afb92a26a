package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.internal.rooms.Attachment;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A choice of many sources that is awaited repeatedly: where a source allows it, a case that has
/// lost stays armed until the next wait.
class SelectRestTest extends SchedulerTest {

  /// Elements, each for one wait; waiters may stay armed.
  private class Elements implements Source<String> {

    final String name;
    final WaitQueue<String> waiting = new WaitQueue<>();
    final Deque<String> elements = new ArrayDeque<>();
    int polls;
    int arms;
    int disarms;

    Elements(String name) {
      this.name = name;
    }

    void put(int number) {
      String element = name + number;
      if (!waiting.fireFirst(element)) {
        elements.add(element);
      }
    }

    @Override
    public boolean poll(Waiter<? super String> waiter) {
      polls++;
      return take(waiter);
    }

    private boolean take(Waiter<? super String> waiter) {
      String first = elements.peek();
      if (first == null || !waiter.fire(first)) {
        return false;
      }
      elements.remove();
      return true;
    }

    @Override
    public void arm(Waiter<? super String> waiter) {
      assertNull(Attachment.of(waiter));
      arms++;
      if (!take(waiter)) {
        waiting.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super String> waiter) {
      disarms++;
      assertTrue(waiting.remove(waiter));
    }

    @Override
    public boolean mayStayArmed() {
      return true;
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    String counts() {
      return polls + "/" + arms + "/" + disarms;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private final Elements a = new Elements("a");
  private final Elements b = new Elements("b");
  private final Elements c = new Elements("c");
  private final Elements d = new Elements("d");
  private final List<Elements> sources = List.of(a, b, c, d);
  private final Waitable<String> any = Waitable.anyOf(sources);

  /// Awaits the choice again and again.
  private Task<Void> reader(String name) {
    return scheduler.spawn(
        name,
        () -> {
          while (true) {
            trace(name + scheduler.await(any));
          }
        });
  }

  /// Puts an element, and lets it be taken.
  private void put(Elements into, int number) {
    into.put(number);
    drive();
  }

  /// A reader that has taken two elements, so cases rest from now on.
  private Task<Void> readerThatRests(String name) {
    Task<Void> task = reader(name);
    drive();
    put(a, 1);
    put(a, 2);
    assertTrace("%sa1 %sa2".formatted(name, name));
    return task;
  }

  private void end(Task<?> task) {
    task.cancel("the test is over");
    drive();
    for (Elements each : sources) {
      assertEquals(0, each.waiting.size(), each.name);
    }
  }

  /// A step task that runs code while a reader has taken an element and does not wait yet.
  private void beforeItWaits(Runnable code) {
    a.put(3); // the reader is ready now, and its other cases rest
    code.run();
    drive();
  }

  @Test
  void await_again_asksOnlyTheSourcesThatHadSomething() {
    Task<Void> task = reader("");
    drive();
    put(a, 1);
    assertEquals("2/2/1", d.counts(), "the first wait leaves its sources");
    for (int i = 2; i < 10; i++) {
      put(a, i);
    }
    put(b, 1);
    put(b, 2);
    assertTrace("a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2");
    assertEquals("10/10/0", a.counts(), "it won nine waits, and was armed for a tenth");
    assertEquals("4/4/1", b.counts());
    assertEquals("2/2/1", c.counts());
    assertEquals("2/2/1", d.counts());
    end(task);
    assertEquals("2/2/2", d.counts());
  }

  @Test
  void await_threeParts_leaveEachTime() {
    Waitable<String> three = Waitable.anyOf(List.of(a, b, c));
    Task<Void> task =
        scheduler.spawn(() -> {
          for (int i = 0; i < 3; i++) {
            trace(scheduler.await(three));
          }
        });
    drive();
    put(a, 1);
    put(a, 2);
    put(a, 3);
    assertTrace("a1 a2 a3");
    assertEquals("3/3/3", c.counts());
    assertTrue(task.isDone());
  }

  @Test
  void element_whileCasesRest_isTakenByTheNextWait() {
    Task<Void> task = readerThatRests("");
    beforeItWaits(() -> {
      c.put(1);
      b.put(1);
    });
    assertTrace("a3 b1 c1");
    put(d, 1);
    assertTrace("d1");
    end(task);
  }

  @Test
  void look_whileCasesRest_seesNoWaiter() {
    Task<Void> task = readerThatRests("");
    beforeItWaits(() -> {
      assertEquals(0, b.waiting.size());
      assertTrue(c.waiting.isEmpty());
      assertNull(d.waiting.peek());
      assertEquals(List.of(), a.waiting.tasks());
    });
    beforeItWaits(() -> {
      assertEquals(List.of(), b.waiting.tasks());
      assertNull(c.waiting.poll());
      assertFalse(d.waiting.fireFirst("none"));
    });
    beforeItWaits(() -> {
      assertEquals(0, b.waiting.fireAll("none"));
      assertEquals(0, c.waiting.fireAllNext("none"));
      assertEquals(0, d.waiting.failAll(new IllegalStateException("none")));
    });
    assertTrace("a3 a3 a3");
    for (Elements each : List.of(b, c, d)) {
      put(each, 1);
    }
    assertTrace("b1 c1 d1");
    end(task);
  }

  /// The wait of the other task is older than the next one of the reader.
  @Test
  void await_otherTaskBeganMeanwhile_isServedFirst() {
    Task<Void> task = readerThatRests("reader:");
    beforeItWaits(() -> waitNow("first:", b));
    put(b, 1);
    put(b, 2);
    assertTrace("reader:a3 first:b1 reader:b2");
    end(task);
  }

  /// The reader's case was there first, and rests when the event comes.
  @Test
  void await_otherTaskBeganBeforeAndAfter_areServedInOrder() {
    Task<Void> task = readerThatRests("reader:");
    scheduler.spawn(() -> trace("second:" + scheduler.await(b)));
    drive();
    beforeItWaits(() -> {
      b.put(1);
      waitNow("third:", b);
    });
    put(b, 2);
    put(b, 3);
    assertTrace("reader:a3 second:b1 third:b2 reader:b3");
    end(task);
  }

  /// Has a new task wait from this moment on.
  private void waitNow(String name, Elements source) {
    Task<Void> task = scheduler.newTask(name, () -> trace(name + scheduler.received()));
    assertTrue(scheduler.queue().scheduleOn(task, source));
  }

  @Test
  void fireAll_manyWaitersAndCasesThatRest_wakesAllWaiters() {
    Task<Void> task = readerThatRests("");
    int[] woken = new int[1];
    for (int i = 0; i < 40; i++) {
      scheduler.spawn(() -> {
        scheduler.await(b);
        woken[0]++;
      });
    }
    drive();
    beforeItWaits(() -> assertEquals(40, b.waiting.fireAll("all")));
    assertEquals(40, woken[0]);
    put(b, 1);
    assertTrace("a3 b1");
    end(task);
  }

  @Test
  void await_twoTasksInTurn_areBothServed() {
    Task<Void> first = readerThatRests("x");
    Task<Void> second = reader("y");
    drive();
    for (int i = 1; i < 9; i++) {
      put(sources.get(i % 4), i);
    }
    assertTrace("xb1 yc2 xd3 ya4 xb5 yc6 xd7 ya8");
    first.cancel("it is enough");
    drive();
    for (int i = 1; i < 6; i++) {
      put(sources.get(i % 4), i);
    }
    assertTrace("yb1 yc2 yd3 ya4 yb5");
    end(second);
  }

  /// A task that has taken three elements, and is suspended.
  private Task<Void> suspendedWithCasesThatRest() {
    Task<Void> task =
        scheduler.spawn(() -> {
          for (int i = 0; i < 3; i++) {
            trace(scheduler.await(any));
          }
          scheduler.suspend();
        });
    drive();
    for (int i = 1; i < 4; i++) {
      put(a, i);
    }
    assertTrace("a1 a2 a3");
    return task;
  }

  /// What a task has left in queues serves another task when the first one ends.
  @Test
  void taskEnds_itsCasesServeAnother_thatOneIsServed() {
    Task<Void> first = suspendedWithCasesThatRest();
    Task<Void> other = reader("other:");
    drive();
    assertTrue(first.cancel("it ends"));
    drive();
    for (Elements each : sources) {
      put(each, 4);
    }
    assertTrace("other:a4 other:b4 other:c4 other:d4");
    end(other);
  }

  @Test
  void taskEnds_itsCasesRestForAnother_goOnResting() {
    Task<Void> first = suspendedWithCasesThatRest();
    Task<Void> other = reader("");
    drive();
    put(b, 4);
    assertTrace("b4");
    int polls = d.polls;
    assertTrue(first.cancel("it ends"));
    put(a, 5); // what rests for the other one does so while the first one ends
    assertTrace("a5");
    assertEquals(polls, d.polls);
    end(other);
  }

  @Test
  void cancelAndTimeout_whileWaiting_leaveNothing() {
    Task<Void> task = readerThatRests("");
    end(task);
    runTask(() -> {
      for (int i = 0; i < 3; i++) {
        b.put(i);
        trace(scheduler.await(any));
      }
      assertThrows(TimedOutException.class, () -> scheduler.await(any, Duration.ofSeconds(1)));
    });
    for (Elements each : sources) {
      assertEquals(0, each.waiting.size());
    }
    d.put(1);
    runTask(() -> trace(scheduler.await(any)));
    assertTrace("b0 b1 b2 d1");
  }

  @Test
  void otherwise_afterWaits_findsWhatIsThere() {
    var select = Select.biased();
    for (Elements each : sources) {
      select.on(each, this::trace);
    }
    var look = Select.biased();
    for (Elements each : sources) {
      look.on(each, element -> trace("saw:" + element));
    }
    look.otherwise(() -> trace("nothing"));
    Task<Void> task =
        scheduler.spawn(() -> {
          for (int i = 0; i < 4; i++) {
            select.run();
            look.run();
            look.run();
          }
        });
    drive();
    put(a, 1);
    put(b, 1);
    a.put(2);
    d.put(1);
    drive();
    a.put(3);
    b.put(2);
    c.put(1);
    drive();
    assertTrace("a1 nothing nothing b1 nothing nothing a2 saw:d1 nothing a3 saw:b2 saw:c1");
    assertTrue(task.isDone());
  }

  /// The same choice is awaited, and only looked at.
  @Test
  void otherwise_ofAChoiceWhoseCasesRest_theyGoOnResting() {
    var look = Select.biased().on(any, this::trace).otherwise(() -> trace("nothing"));
    Task<Void> task =
        scheduler.spawn(() -> {
          for (int i = 0; i < 3; i++) {
            trace(scheduler.await(any));
          }
          look.run();
          scheduler.suspend();
          look.run();
          look.run();
          trace(scheduler.await(any));
          scheduler.suspend();
        });
    drive();
    for (int i = 0; i < 3; i++) {
      put(a, i);
    }
    assertTrace("a0 a1 a2 nothing");
    for (Elements each : sources) {
      assertTrue(each.waiting.isEmpty(), each.name);
    }
    put(c, 1);
    scheduler.scheduleTask(task);
    drive();
    put(d, 1);
    assertTrace("c1 nothing d1");
    end(task);
  }

  @Test
  void runReady_afterWaits_findsAll() {
    var select = Select.biased();
    for (Elements each : sources) {
      select.on(each, this::trace);
    }
    Task<Void> task =
        scheduler.spawn(() -> {
          for (int i = 0; i < 3; i++) {
            select.run();
          }
          trace("ready:" + select.runReady());
          select.run();
        });
    drive();
    put(a, 1);
    put(a, 2);
    b.put(1);
    c.put(1);
    d.put(1);
    drive();
    put(d, 2);
    assertTrace("a1 a2 b1 c1 d1 ready:2 d2");
    assertTrue(task.isDone());
  }

  /// A choice is a part of another one after it was awaited itself.
  @Test
  void await_withinAnotherChoice_isRight() {
    var other = new Elements("other");
    Waitable<String> outer = Waitable.anyOf(List.of(other, any));
    Task<Void> task =
        scheduler.spawn(() -> {
          for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 3; i++) {
              trace(scheduler.await(any));
            }
            for (int i = 0; i < 3; i++) {
              trace("outer:" + scheduler.await(outer));
            }
          }
        });
    drive();
    for (int round = 0; round < 3; round++) {
      put(b, 1);
      put(a, 1);
      put(c, 1);
      put(other, 1);
      put(d, 1);
      put(a, 2);
      assertTrace("b1 a1 c1 outer:other1 outer:d1 outer:a2");
    }
    assertTrue(task.isDone());
    end(task);
    assertEquals(0, other.waiting.size());
  }

  @Test
  void pollOrArmThrows_afterWaits_leavesNothing() {
    boolean[] broken = new boolean[2];
    var fragile =
        new Elements("fragile") {
          @Override
          public boolean poll(Waiter<? super String> waiter) {
            failIf(broken[0]);
            return super.poll(waiter);
          }

          @Override
          public void arm(Waiter<? super String> waiter) {
            failIf(broken[1]);
            super.arm(waiter);
          }

          private void failIf(boolean fails) {
            if (fails) {
              throw new IllegalStateException("broken");
            }
          }
        };
    Waitable<String> choice = Waitable.anyOf(List.of(a, fragile, b, c, d));
    for (int kind = 0; kind < broken.length; kind++) {
      boolean[] flag = broken;
      int which = kind;
      runTask(() -> {
        for (int i = 0; i < 3; i++) {
          a.put(i);
          scheduler.await(choice);
        }
        scheduler.spawn(() -> fragile.put(1));
        scheduler.await(choice); // it has to be asked again
        flag[which] = true;
        var told = assertThrows(IllegalStateException.class, () -> scheduler.await(choice));
        assertEquals("broken", told.getMessage());
        flag[which] = false;
        for (Elements each : sources) {
          assertEquals(0, each.waiting.size(), each.name);
        }
        c.put(1);
        trace(scheduler.await(choice));
        d.put(1);
        trace(scheduler.await(d));
      });
      assertTrace("c1 d1");
    }
  }

  /// The choice that has the broken part is itself a part.
  @Test
  void pollOrArmThrows_inAChoiceWithinAChoice_thatIsThrownAndLeavesNothing() {
    for (boolean whenPolled : new boolean[] {true, false}) {
      Waitable<String> broken =
          new Waitable<>() {
            @Override
            public boolean poll(Waiter<? super String> waiter) {
              if (whenPolled) {
                throw new IllegalStateException("poll");
              }
              return false;
            }

            @Override
            public void arm(Waiter<? super String> waiter) {
              throw new IllegalStateException("arm");
            }

            @Override
            public void disarm(Waiter<? super String> waiter) {
              throw new AssertionError("it was not armed");
            }
          };
      Waitable<String> inner = Waitable.anyOf(List.of(a, b, c, broken));
      Waitable<String> outer = Waitable.anyOf(List.of(d, inner));
      runTask(() -> {
        for (int i = 0; i < 3; i++) {
          var told = assertThrows(IllegalStateException.class, () -> scheduler.await(outer));
          trace(told.getMessage());
        }
      });
      String message = whenPolled ? "poll" : "arm";
      assertTrace("%s %s %s".formatted(message, message, message));
      for (Elements each : sources) {
        assertEquals(0, each.waiting.size(), each.name);
      }
    }
  }

  /// A source that fires another one while it is polled.
  @Test
  void poll_firesACaseThatStayedArmed_thatOneWins() {
    boolean[] pushes = new boolean[1];
    var pushing =
        new Elements("pushing") {
          @Override
          public boolean poll(Waiter<? super String> waiter) {
            if (pushes[0]) {
              pushes[0] = false;
              b.put(7);
            }
            return super.poll(waiter);
          }
        };
    Waitable<String> choice = Waitable.anyOf(List.of(a, b, pushing, c));
    runTask(() -> {
      for (int i = 0; i < 3; i++) {
        pushing.put(i);
        scheduler.yield();
        trace(scheduler.await(choice));
      }
      pushes[0] = true;
      trace(scheduler.await(choice));
      scheduler.spawn(() -> c.put(8));
      trace(scheduler.await(choice));
      pushing.put(9);
      trace(scheduler.await(choice));
      pushes[0] = true;
      Select.biased().on(choice, this::trace).otherwise(() -> trace("nothing")).run();
    });
    assertTrace("pushing0 pushing1 pushing2 b7 c8 pushing9 b7");
  }

  /// A source that fires another one while it is armed, and is refused what it has itself.
  @Test
  void arm_firesAnotherCase_theOneBeingArmedLosesNothing() {
    boolean[] pushes = new boolean[1];
    var pushing =
        new Elements("pushing") {
          @Override
          public void arm(Waiter<? super String> waiter) {
            if (pushes[0]) {
              pushes[0] = false;
              a.put(7);
              elements.add("pushed");
            }
            super.arm(waiter);
          }
        };
    Waitable<String> choice = Waitable.anyOf(List.of(a, b, c, pushing));
    Task<Void> task =
        scheduler.spawn(() -> {
          while (true) {
            trace(scheduler.await(choice));
          }
        });
    drive();
    put(b, 1);
    put(b, 2);
    pushes[0] = true;
    pushing.put(3);
    drive();
    assertTrace("b1 b2 pushing3 a7 pushed");
    end(task);
  }

  // What is held.

  private static void assertCollected(WeakReference<?> reference) {
    for (int i = 0; i < 20 && reference.get() != null; i++) {
      System.gc();
    }
    assertNull(reference.get(), "is still held");
  }

  /// Spawns a task that awaits a choice of `a` and of others three times. Nothing else holds these
  /// others, one of which this returns.
  private WeakReference<?> restingWith(TaskAction<?> afterwards) {
    var others = new ArrayList<WeakReference<?>>();
    scheduler.spawn(() -> {
      others.add(awaitThrice());
      afterwards.run();
    });
    drive();
    return others.getFirst();
  }

  private WeakReference<?> awaitThrice() {
    var other = new Elements("other");
    Waitable<String> choice =
        Waitable.anyOf(List.of(a, other, new Elements("x"), new Elements("y")));
    for (int i = 0; i < 3; i++) {
      scheduler.spawn(() -> other.put(1));
      scheduler.await(choice);
    }
    return new WeakReference<>(other);
  }

  @Test
  void taskEnds_itsCasesAreNotHeldByAQueue() {
    WeakReference<?> reference = restingWith(() -> {});
    runTask(() -> {});
    assertCollected(reference);
  }

  @Test
  void anotherChoiceIsAwaited_casesOfTheFormerAreNotHeld() {
    Task<?>[] task = new Task<?>[1];
    WeakReference<?> reference =
        restingWith(() -> {
          task[0] = scheduler.currentTask();
          for (int i = 0; i < 3; i++) {
            scheduler.spawn(() -> b.put(1));
            scheduler.await(any);
          }
          scheduler.suspend();
        });
    assertCollected(reference);
    end(task[0]);
  }

  // Everything at once.

  @Test
  void anyMix_elementsAreConservedAndInOrder() {
    long seed = new Random().nextLong();
    System.out.println("SelectRestTest seed " + seed);
    var random = new Random(seed);
    var taken = new ArrayList<String>();
    var tasks = new ArrayList<Task<Void>>();
    int[] put = new int[sources.size()];
    for (int i = 0; i < 2_000; i++) {
      int which = random.nextInt(sources.size());
      Elements source = sources.get(which);
      switch (random.nextInt(8)) {
        case 0, 1, 2, 3 -> source.put(put[which]++);
        case 4 -> {
          if (tasks.size() < 5) {
            tasks.add(
                scheduler.spawn(() -> {
                  while (true) {
                    taken.add(scheduler.await(any));
                    if (random.nextInt(4) == 0) {
                      scheduler.yield();
                    }
                  }
                }));
          }
        }
        case 5 ->
            tasks.add(
                scheduler.spawn(() -> {
                  taken.add(scheduler.await(source));
                }));
        case 6 -> {
          if (!tasks.isEmpty()) {
            tasks.remove(random.nextInt(tasks.size())).cancel("chance");
          }
        }
        default -> assertTrue(source.waiting.size() <= tasks.size() + 1);
      }
      for (int turns = random.nextInt(4); turns > 0; turns--) {
        scheduler.step();
      }
    }
    tasks.forEach(task -> task.cancel("end"));
    drive();
    for (int i = 0; i < put.length; i++) {
      Elements source = sources.get(i);
      assertEquals(0, source.waiting.size());
      taken.addAll(source.elements);
      source.elements.clear();
      String name = source.name;
      List<String> expected = new ArrayList<>();
      for (int k = 0; k < put[i]; k++) {
        expected.add(name + k);
      }
      assertEquals(
          expected.stream().sorted().toList(),
          taken.stream().filter(each -> each.startsWith(name)).sorted().toList(),
          "seed " + seed);
    }
  }
}
