package dev.rondo.computicle;

import dev.rondo.scheduler.TaskFailedException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A pool whose size changes, or that closes, while a job comes: an accepted job runs once, or is
/// failed without having run; a refused one does not run.
///
/// Two actors everywhere: jcstress silently leaves out a test with more actors than the machine has
/// processors.
final class PoolStress {

  private static final int WAS_REFUSED = 0;
  private static final int HAS_A_VALUE = 1;
  private static final int HAS_FAILED = 2;

  private PoolStress() {}

  /// A pool of one loop, and one job.
  static class Racing {

    final Pool pool = new Pool("race", 1);
    final AtomicInteger runs = new AtomicInteger();

    /// Blocks until the job has ended.
    ///
    /// @return how
    final int spawnAndJoin() {
      RemoteTask<Integer> job;
      try {
        job = pool.spawn(runs::incrementAndGet);
      } catch (ComputicleEndedException e) {
        return WAS_REFUSED;
      }
      try {
        var _ = job.join();
        return HAS_A_VALUE;
      } catch (TaskFailedException | CancellationException e) {
        return HAS_FAILED;
      }
    }
  }

  /// A job comes while the pool closes.
  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "refused")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "has run")
  @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "failed before it began")
  @Outcome(expect = Expect.FORBIDDEN, desc = "it runs twice, or contradicts what its caller knows")
  @State
  public static class SpawnRacingClose extends Racing {

    @Actor
    public void spawner(II_Result result) {
      result.r1 = spawnAndJoin();
    }

    @Actor
    public void closer() {
      pool.close();
    }

    @Arbiter
    public void known(II_Result result) {
      result.r2 = runs.get();
    }
  }

  /// A job comes while the only loop goes, and another one comes.
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "has run")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or run twice")
  @State
  public static class SpawnRacingResize extends Racing {

    @Actor
    public void spawner(II_Result result) {
      result.r1 = spawnAndJoin();
    }

    @Actor
    public void resizer() {
      pool.resize(0);
      pool.resize(1);
    }

    @Arbiter
    public void known(II_Result result) {
      pool.close();
      result.r2 = runs.get();
    }
  }
}
