package dev.rondo.scheduler;

import dev.rondo.scheduler.internal.rooms.WaitClaim;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// Claims under races: each is taken once, and two are taken together or not at all.
final class WaitClaimStress {

  private WaitClaimStress() {}

  private static int bit(boolean fact) {
    return fact ? 1 : 0;
  }

  /// Two threads want one claim.
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "one has it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "both, or none")
  @State
  public static class TakeRacingTake {
    private final WaitClaim claim = new WaitClaim();

    @Actor
    public void one(II_Result result) {
      result.r1 = bit(claim.tryTake());
    }

    @Actor
    public void other(II_Result result) {
      result.r2 = bit(claim.tryTake());
    }
  }

  /// Two tasks want each other, in opposite order.
  @JCStressTest
  @Outcome(
      id = {"0, 1, 2", "1, 0, 2"},
      expect = Expect.ACCEPTABLE,
      desc = "one has both")
  @Outcome(expect = Expect.FORBIDDEN, desc = "both have both, or none, or one is left open")
  @State
  public static class BothRacingBoth {
    private final WaitClaim a = new WaitClaim();
    private final WaitClaim b = new WaitClaim();

    @Actor
    public void one(III_Result result) {
      result.r1 = bit(WaitClaim.tryTakeBoth(a, b));
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = bit(WaitClaim.tryTakeBoth(b, a));
    }

    @Arbiter
    public void left(III_Result result) {
      result.r3 = bit(a.isTaken()) + bit(b.isTaken());
    }
  }

  /// One thread wants both, the other one of them: its wait ends.
  @JCStressTest
  @Outcome(id = "1, 0, 2", expect = Expect.ACCEPTABLE, desc = "both were taken together")
  @Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "one was taken, the other is open")
  @Outcome(expect = Expect.FORBIDDEN, desc = "taken twice, or not at all")
  @State
  public static class BothRacingTake {
    private final WaitClaim a = new WaitClaim();
    private final WaitClaim b = new WaitClaim();

    @Actor
    public void one(III_Result result) {
      result.r1 = bit(WaitClaim.tryTakeBoth(a, b));
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = bit(b.tryTake());
    }

    @Arbiter
    public void left(III_Result result) {
      result.r3 = bit(a.isTaken()) + bit(b.isTaken());
    }
  }
}
