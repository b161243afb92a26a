package dev.rondo.scheduler.engine;

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
import org.openjdk.jcstress.infra.results.I_Result;

/// The inbox under races. An actor plays the loop and its sleep: an entry posted while it checks
/// either keeps it from sleeping or wakes it.
///
/// Two actors everywhere: jcstress silently leaves out a test with more actors than the machine has
/// processors.
final class InboxStress {

  private InboxStress() {}

  /// Notes its delivery.
  private static final class Note implements Inbox.Entry {
    private final Runnable action;

    Note(Runnable action) {
      this.action = action;
    }

    @Override
    public void deliver() {
      action.run();
    }
  }

  private static void drain(Inbox inbox) {
    while (inbox.deliver(Integer.MAX_VALUE)) {}
  }

  /// One poster, one sleep.
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "fell asleep, and was woken")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "saw the entry, and stayed awake")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "saw the entry, and was woken in vain")
  @Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "lost wakeup: asleep for ever")
  @State
  public static class PostRacingSleep {
    private final AtomicInteger wakeups = new AtomicInteger();
    private final Inbox inbox = new Inbox(wakeups::incrementAndGet, Runnable::run);
    private boolean stayedAwake;

    @Actor
    public void poster() {
      inbox.post(new Note(() -> {}));
    }

    @Actor
    public void loop() {
      stayedAwake = !inbox.tryFallAsleep();
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = wakeups.get();
      r.r2 = stayedAwake ? 1 : 0;
    }
  }

  /// A stop request instead of an entry.
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "fell asleep, and was woken")
  @Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "saw the stop, and stayed awake")
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "saw it, and was woken in vain")
  @Outcome(expect = Expect.FORBIDDEN, desc = "asleep for ever, or the stop was lost")
  @State
  public static class StopRacingSleep {
    private final AtomicInteger wakeups = new AtomicInteger();
    private final Inbox inbox = new Inbox(wakeups::incrementAndGet, Runnable::run);
    private boolean stayedAwake;

    @Actor
    public void stopper() {
      inbox.requestStop();
    }

    @Actor
    public void loop() {
      stayedAwake = !inbox.tryFallAsleep();
    }

    @Arbiter
    public void arbiter(III_Result r) {
      r.r1 = wakeups.get();
      r.r2 = stayedAwake ? 1 : 0;
      r.r3 = inbox.takeStopRequest() ? 1 : 0;
    }
  }

  /// The loop sleeps. Of two posters exactly one makes the wakeup.
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "woken once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not woken, or twice for one sleep")
  @State
  public static class TwoPostersOneSleep {
    private final AtomicInteger wakeups = new AtomicInteger();
    private final Inbox inbox = new Inbox(wakeups::incrementAndGet, Runnable::run);

    public TwoPostersOneSleep() {
      inbox.tryFallAsleep();
    }

    @Actor
    public void first() {
      inbox.post(new Note(() -> {}));
    }

    @Actor
    public void second() {
      inbox.post(new Note(() -> {}));
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = wakeups.get();
    }
  }

  /// The loop sleeps. A stop request and an entry wake it once, and neither is lost.
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "woken once, both there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not woken, woken twice, or something was lost")
  @State
  public static class StopRacingPost {
    private final AtomicInteger wakeups = new AtomicInteger();
    private final Inbox inbox = new Inbox(wakeups::incrementAndGet, Runnable::run);
    private int delivered;

    public StopRacingPost() {
      inbox.tryFallAsleep();
    }

    @Actor
    public void stopper() {
      inbox.requestStop();
    }

    @Actor
    public void poster() {
      inbox.post(new Note(() -> delivered++));
    }

    @Arbiter
    public void arbiter(III_Result r) {
      drain(inbox);
      r.r1 = wakeups.get();
      r.r2 = inbox.takeStopRequest() ? 1 : 0;
      r.r3 = delivered;
    }
  }

  /// An accepted entry is delivered exactly once, a refused one never.
  @JCStressTest
  @Outcome(
      id = {"0, 0, 0, 0", "1, 1, 0, 0", "1, 1, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "delivered if accepted")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, delivered though refused, or twice")
  @State
  public static class PostRacingClose {
    private final Inbox inbox = new Inbox(() -> {}, Runnable::run);
    private int deliveredFirst;
    private int deliveredSecond;

    @Actor
    public void poster(IIII_Result r) {
      r.r1 = inbox.post(new Note(() -> deliveredFirst++)) ? 1 : 0;
      r.r3 = inbox.post(new Note(() -> deliveredSecond++)) ? 1 : 0;
    }

    @Actor
    public void loop() {
      drain(inbox);
      inbox.close();
    }

    @Arbiter
    public void arbiter(IIII_Result r) {
      drain(inbox);
      r.r2 = deliveredFirst;
      r.r4 = deliveredSecond;
    }
  }

  /// Entries of one poster, drained at any moment, stay in their order; none is lost.
  @JCStressTest
  @Outcome(id = "123", expect = Expect.ACCEPTABLE, desc = "all, in order")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or out of order")
  @State
  public static class PostsRacingDrain {
    private final Inbox inbox = new Inbox(() -> {}, Runnable::run);
    private int seen;

    @Actor
    public void poster() {
      for (int i = 1; i <= 3; i++) {
        int number = i;
        inbox.post(new Note(() -> seen = seen * 10 + number));
      }
    }

    @Actor
    public void loop() {
      drain(inbox);
      drain(inbox);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      drain(inbox);
      r.r1 = seen;
    }
  }

  /// Two posters at once: no entry is lost, and each poster's order is kept.
  @JCStressTest
  @Outcome(id = "12, 34", expect = Expect.ACCEPTABLE, desc = "all, in order")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or out of order")
  @State
  public static class PostsRacingPosts {
    private final Inbox inbox = new Inbox(() -> {}, Runnable::run);
    private int first;
    private int second;

    @Actor
    public void first() {
      inbox.post(new Note(() -> first = first * 10 + 1));
      inbox.post(new Note(() -> first = first * 10 + 2));
    }

    @Actor
    public void second() {
      inbox.post(new Note(() -> second = second * 10 + 3));
      inbox.post(new Note(() -> second = second * 10 + 4));
    }

    @Arbiter
    public void arbiter(II_Result r) {
      drain(inbox);
      r.r1 = first;
      r.r2 = second;
    }
  }

  /// On delivery the loop sees what the poster wrote before.
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 42"},
      expect = Expect.ACCEPTABLE,
      desc = "not there yet, or all of it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "delivered without what was written before")
  @State
  public static class Visibility {
    private final Inbox inbox = new Inbox(() -> {}, Runnable::run);
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
