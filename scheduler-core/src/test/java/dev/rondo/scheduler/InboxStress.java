package dev.rondo.scheduler;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// The door for other threads, raced. The loop and its sleep are played by an actor: an entry
/// posted while it looks either keeps it from sleeping or wakes it.
final class InboxStress {

  private InboxStress() {}

  /// Says on delivery that it was delivered.
  private static final class Note extends Inbox.Entry {
    private final Runnable action;

    Note(Runnable action) {
      this.action = action;
    }

    @Override
    void deliver(Loop loop) {
      action.run();
    }
  }

  /// Nothing here looks at the loop that entries are delivered to.
  @SuppressWarnings("NullAway")
  private static void drain(Inbox inbox) {
    inbox.drain(null);
  }

  /// One poster, one sleep.
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "fell asleep, and was woken")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "saw the entry, and stayed awake")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "saw the entry, and was woken in vain")
  @Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "lost wakeup: asleep for ever")
  @State
  public static class LostWakeup {
    private final AtomicInteger wakeups = new AtomicInteger();
    private final Inbox inbox = new Inbox(wakeups::incrementAndGet);
    private boolean stayedAwake;

    @Actor
    public void poster() {
      inbox.post(new Note(() -> {}));
    }

    @Actor
    public void loop() {
      stayedAwake = !inbox.mayFallAsleep();
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = wakeups.get();
      r.r2 = stayedAwake ? 1 : 0;
    }
  }

  /// Two posters, one sleep: one pays for the wakeup.
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "fell asleep, woken once")
  @Outcome(
      id = {"0, 1", "1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "stayed awake")
  @Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "lost wakeup")
  @Outcome(
      id = {"2, .*"},
      expect = Expect.FORBIDDEN,
      desc = "woken twice for one sleep")
  @State
  public static class DoubleWake {
    private final AtomicInteger wakeups = new AtomicInteger();
    private final Inbox inbox = new Inbox(wakeups::incrementAndGet);
    private boolean stayedAwake;

    @Actor
    public void first() {
      inbox.post(new Note(() -> {}));
    }

    @Actor
    public void second() {
      inbox.post(new Note(() -> {}));
    }

    @Actor
    public void loop() {
      stayedAwake = !inbox.mayFallAsleep();
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = wakeups.get();
      r.r2 = stayedAwake ? 1 : 0;
    }
  }

  /// A stop, an entry, and a loop that wants to sleep.
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "fell asleep, woken once")
  @Outcome(
      id = {"0, 1, 1", "1, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "stayed awake")
  @Outcome(id = "0, 0, .*", expect = Expect.FORBIDDEN, desc = "lost wakeup")
  @Outcome(id = "2, .*, .*", expect = Expect.FORBIDDEN, desc = "woken twice for one sleep")
  @Outcome(id = ".*, .*, 0", expect = Expect.FORBIDDEN, desc = "the stop was lost")
  @State
  public static class StopRacingPost {
    private final AtomicInteger wakeups = new AtomicInteger();
    private final Inbox inbox = new Inbox(wakeups::incrementAndGet);
    private boolean stayedAwake;

    @Actor
    public void stopper() {
      inbox.requestStop();
    }

    @Actor
    public void poster() {
      inbox.post(new Note(() -> {}));
    }

    @Actor
    public void loop() {
      stayedAwake = !inbox.mayFallAsleep();
    }

    @Arbiter
    public void arbiter(III_Result r) {
      r.r1 = wakeups.get();
      r.r2 = stayedAwake ? 1 : 0;
      r.r3 = inbox.isStopRequested() ? 1 : 0;
    }
  }

  /// What was accepted is delivered exactly once, what was refused never.
  @JCStressTest
  @Outcome(
      id = {"0, 0, 0, 0", "1, 1, 0, 0", "0, 0, 1, 1", "1, 1, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "delivered if accepted")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or delivered though refused, or twice")
  @State
  public static class PostRacingClose {
    private final Inbox inbox = new Inbox(() -> {});
    private int deliveredFirst;
    private int deliveredSecond;

    @Actor
    public void first(IIII_Result r) {
      r.r1 = inbox.post(new Note(() -> deliveredFirst++)) ? 1 : 0;
    }

    @Actor
    public void second(IIII_Result r) {
      r.r3 = inbox.post(new Note(() -> deliveredSecond++)) ? 1 : 0;
    }

    @Actor
    @SuppressWarnings("NullAway")
    public void loop() {
      drain(inbox);
      inbox.close(null);
    }

    @Arbiter
    public void arbiter(IIII_Result r) {
      drain(inbox);
      r.r2 = deliveredFirst;
      r.r4 = deliveredSecond;
    }
  }

  /// Two entries of one poster, drained at any moment, stay in their order; none is lost.
  @JCStressTest
  @Outcome(id = "12, 3", expect = Expect.ACCEPTABLE, desc = "in order, and the other poster's too")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or out of order")
  @State
  public static class FirstInFirstOut {
    private final Inbox inbox = new Inbox(() -> {});
    private int ours;
    private int others;

    @Actor
    public void poster() {
      inbox.post(new Note(() -> ours = ours * 10 + 1));
      inbox.post(new Note(() -> ours = ours * 10 + 2));
    }

    @Actor
    public void other() {
      inbox.post(new Note(() -> others = others * 10 + 3));
    }

    @Actor
    public void loop() {
      drain(inbox);
      drain(inbox);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      drain(inbox);
      r.r1 = ours;
      r.r2 = others;
    }
  }

  /// What a poster wrote before is seen by the loop on delivery.
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 42"},
      expect = Expect.ACCEPTABLE,
      desc = "not there yet, or all of it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "delivered without what was written before")
  @State
  public static class Visibility {
    private final Inbox inbox = new Inbox(() -> {});
    private int data;

    @Actor
    public void poster(II_Result r) {
      data = 42;
      inbox.post(
          new Note(() -> {
            r.r1 = 1;
            r.r2 = data;
          }));
    }

    @Actor
    public void loop() {
      drain(inbox);
    }
  }
}
