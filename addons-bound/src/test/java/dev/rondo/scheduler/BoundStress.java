package dev.rondo.scheduler;

import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Races of the BOUND backend, beside those of [SchedulerStress].
final class BoundStress {

  private BoundStress() {}

  /// A task of the BOUND backend that blocks in the JDK, against the call that unblocks it.
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "went on")
  @Outcome(expect = Expect.FORBIDDEN, desc = "did not end")
  @State
  public static class UnblockRacingBlock extends SchedulerStress.Raced<Consumer<Boolean>> {
    private volatile boolean open;

    @Actor
    public void loop(I_Result r) {
      Scheduler scheduler = Scheduler.builder().backend(CoroutineBackends.bound()).build();
      Task<Void> task =
          scheduler.spawn(() -> {
            Thread self = Thread.currentThread();
            publish(now -> {
              open = now;
              LockSupport.unpark(self);
            });
            while (!open) {
              LockSupport.park();
            }
          });
      scheduler.start();
      r.r1 = task.isDone() && scheduler.tasks().size() == 0 ? 1 : 0;
    }

    @Actor
    public void caller() {
      target().accept(true);
    }
  }
}
