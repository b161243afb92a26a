package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/// A thousand tasks sleep a millisecond or less, again and again, under a clock that a task moves:
/// the cost of one sleep.
///
/// The cost is a switch, and a timer that is armed and fires, which `bare` shows on a [FlatWheel].
/// Each sleep is a new object. `rondoPrepared` and `rondoStackless` await the same time span again,
/// which makes only the timer. HANDOFF would show its switch only, see [SwitchBenchmark].
///
/// There are no peers, because none can sleep by a clock that a benchmark moves.
public class SleepBenchmark extends NanosPerOperation {
  private static final int SLEEPERS = 1_000;
  private static final int ROUNDS = 100;
  private static final int SLEEPS = ROUNDS * SLEEPERS;

  /// A tick of [FlatWheel].
  private static final long STEP_NANOS = RandomTimers.AGRONA_TICK_NANOS;

  private static final long LESS_NANOS = STEP_NANOS / SLEEPERS;

  /// The sleep of a task. It differs for each task, so that no two are due at the same instant, and
  /// all are due within a step.
  private static long nanos(int sleeper) {
    return STEP_NANOS - LESS_NANOS * (sleeper + 1);
  }

  private static void check(int slept, int times) {
    if (slept != times * SLEEPERS) {
      throw new AssertionError(slept + " sleeps are over, of " + times * SLEEPERS);
    }
  }

  /// The limit.
  @State(Scope.Thread)
  public static class Bare {
    private final BareLoop loop = new BareLoop();
    private final FlatWheel wheel = new FlatWheel(SLEEPERS);
    private long now;
    private int slept;

    @Setup
    public void fill() {
      for (int i = 0; i < SLEEPERS; i++) {
        int sleeper = i;
        var self = new BareLoop.Fiber[1];
        Runnable wake = () -> loop.schedule(self[0]);
        self[0] =
            new BareLoop.Fiber(() -> {
              while (true) {
                wheel.arm(sleeper, now + nanos(sleeper), wake);
                BareLoop.pause();
                slept++;
              }
            });
        loop.schedule(self[0]);
      }
      loop.run();
    }

    void sleep(int times) {
      slept = 0;
      for (int i = 0; i < times; i++) {
        now += STEP_NANOS;
        wheel.advance(now);
        loop.run();
      }
      check(slept, times);
    }
  }

  /// Rondo, on the backend named by the benchmark's name.
  @State(Scope.Thread)
  public static class Rondo {
    @SuppressWarnings("NullAway.Init") // JMH initializes it
    Scheduler scheduler;

    @SuppressWarnings("NullAway.Init")
    WaitForTime time;

    private long now;
    int slept;

    @Setup
    public void fill(BenchmarkParams params) {
      scheduler = Kind.of(params).builder().ticker(RandomTimers.ticker(() -> now)).build();
      time = WaitForTime.on(scheduler);
      for (int i = 0; i < SLEEPERS; i++) {
        spawnSleeper(Duration.ofNanos(nanos(i)));
      }
      sleep(1);
    }

    @SuppressWarnings("InfiniteLoopStatement")
    void spawnSleeper(Duration duration) {
      scheduler.spawn(() -> {
        while (true) {
          time.sleep(duration);
          slept++;
        }
      });
    }

    /// Makes all tasks sleep a number of times.
    void sleep(int times) {
      slept = 0;
      scheduler.spawn(() -> {
        scheduler.yield(); // until all sleep
        for (int i = 0; i < times; i++) {
          now += STEP_NANOS;
          time.step();
          scheduler.yield(); // behind all woken tasks
        }
        scheduler.stop();
      });
      scheduler.start();
      check(slept, times);
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  /// Rondo, with a time span that is made once.
  public static class Prepared extends Rondo {
    @Override
    @SuppressWarnings("InfiniteLoopStatement")
    void spawnSleeper(Duration duration) {
      Waitable<Void> after = time.after(duration);
      scheduler.spawn(() -> {
        while (true) {
          scheduler.await(after);
          slept++;
        }
      });
    }
  }

  /// Rondo, with sleepers that have no stack.
  public static class Steps extends Rondo {

    /// A sleeper.
    private final class Sleeper {
      private final Waitable<Void> after;
      private boolean asleep;

      Sleeper(Waitable<Void> after) {
        this.after = after;
      }

      StepResult step(StepTask<Void> self) {
        self.received();
        slept += asleep ? 1 : 0;
        asleep = true;
        return self.await(after);
      }
    }

    @Override
    void spawnSleeper(Duration duration) {
      scheduler.host().spawnSteps("sleeper", new Sleeper(time.after(duration))::step);
    }
  }

  @Benchmark
  @OperationsPerInvocation(SLEEPS)
  public void bare(Bare state) {
    state.sleep(ROUNDS);
  }

  @Benchmark
  @OperationsPerInvocation(SLEEPS)
  public void rondo(Rondo state) {
    state.sleep(ROUNDS);
  }

  @Benchmark
  @OperationsPerInvocation(SLEEPS)
  public void rondoBound(Rondo state) {
    state.sleep(ROUNDS);
  }

  @Benchmark
  @OperationsPerInvocation(SLEEPS)
  public void rondoPrepared(Prepared state) {
    state.sleep(ROUNDS);
  }

  @Benchmark
  @OperationsPerInvocation(SLEEPS)
  public void rondoStackless(Steps state) {
    state.sleep(ROUNDS);
  }
}
