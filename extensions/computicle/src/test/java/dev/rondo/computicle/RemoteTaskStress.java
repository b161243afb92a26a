package dev.rondo.computicle;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskFailedException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// Code for another loop, `exec` and `spawn` of a pool, under races: it ends once, in one way, and
/// those that wait for it know how.
///
/// Two actors everywhere: jcstress silently leaves out a test with more actors than the machine has
/// processors.
final class RemoteTaskStress {

  /// How it has ended.
  private static final int HAS_A_VALUE = 1;

  private static final int WAS_CANCELLED = 2;
  private static final int HAS_FAILED = 3;

  private RemoteTaskStress() {}

  private static int bit(boolean fact) {
    return fact ? 1 : 0;
  }

  /// Code that was handed over and has not begun.
  static class Sent {

    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger forgotten = new AtomicInteger();
    final RemoteTask<Integer> task =
        new RemoteTask<>("sent", runs::incrementAndGet, false, it -> forgotten.incrementAndGet());

    /// The loop that it was sent to.
    final void runLoop() {
      try (Scheduler scheduler =
          Scheduler.builder().failureHandler((where, failure) -> {}).build()) {
        var _ = task.begin(scheduler, ended -> {});
        scheduler.start();
      }
    }

    /// Blocks until it has ended.
    final int outcome() {
      try {
        var _ = task.join();
        return HAS_A_VALUE;
      } catch (CancellationException e) {
        return WAS_CANCELLED;
      } catch (TaskFailedException e) {
        return HAS_FAILED;
      }
    }
  }

  /// It begins and is cancelled.
  @JCStressTest
  @Outcome(
      id = {"0, 1, 1", "1, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "cancelled too late")
  @Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "cancelled before its first turn")
  @Outcome(expect = Expect.FORBIDDEN, desc = "its end contradicts what the caller was told")
  @State
  public static class CancelRacingBegin extends Sent {

    @Actor
    public void loop() {
      runLoop();
    }

    @Actor
    public void canceller(III_Result result) {
      result.r1 = bit(task.cancel("race"));
    }

    @Arbiter
    public void known(III_Result result) {
      result.r2 = outcome();
      result.r3 = runs.get();
    }
  }

  /// It runs while another thread waits for it.
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the joiner has the value")
  @Outcome(expect = Expect.FORBIDDEN, desc = "it has not")
  @State
  public static class JoinRacingRun extends Sent {

    @Actor
    public void loop() {
      runLoop();
    }

    @Actor
    public void joiner(II_Result result) {
      result.r1 = outcome();
    }

    @Arbiter
    public void known(II_Result result) {
      result.r2 = runs.get();
    }
  }

  /// Its loop has ended without it, and it is cancelled.
  @JCStressTest
  @Outcome(
      id = {"0, 3, 1", "1, 3, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "abandoned")
  @Outcome(id = "1, 2, 1", expect = Expect.ACCEPTABLE, desc = "cancelled")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not ended, or its loop does not forget it")
  @State
  public static class CancelRacingAbandon extends Sent {

    @Actor
    public void loop() {
      task.abandon("the loop has ended");
    }

    @Actor
    public void canceller(III_Result result) {
      result.r1 = bit(task.cancel("race"));
    }

    @Arbiter
    public void known(III_Result result) {
      result.r2 = outcome();
      result.r3 = bit(forgotten.get() > 0);
    }
  }

  /// It fails while a thread begins to wait: that one sees the failure, and so does the handler if
  /// the failure came first.
  @JCStressTest
  @Outcome(
      id = {"0, 3", "1, 3"},
      expect = Expect.ACCEPTABLE,
      desc = "the joiner has the failure")
  @Outcome(expect = Expect.FORBIDDEN, desc = "it has not")
  @State
  public static class JoinRacingFailure {

    private final Ending<Integer> ending = new Ending<>("task", "failing", false);

    @Actor
    public void loop(II_Result result) {
      result.r1 = bit(ending.fail(new IllegalStateException("race")));
    }

    @Actor
    public void joiner(II_Result result) {
      try {
        var _ = ending.join();
      } catch (TaskFailedException e) {
        result.r2 = HAS_FAILED;
      }
    }
  }
}
