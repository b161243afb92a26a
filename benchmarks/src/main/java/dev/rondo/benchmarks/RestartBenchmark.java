package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.Timer;
import dev.rondo.time.WaitForTime;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.DeadlineTimerWheel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The idle timeouts of ten thousand connections, each restarted long before it is due, in random
/// order: the cost of one restart.
///
/// Rondo's timer is itself an entry of the wheel, so a restart moves it from one list to another
/// and allocates nothing. Compared to `bare` it adds the checks of thread and state. A timer of
/// Netty or of the executor can be used only once, so a restart is a cancellation and a new timer.
/// Agrona's wheel knows only numbers, and its row has no callbacks.
///
/// `bare`, Rondo and Agrona have their own clock, which advances by 100 us with each restart, and
/// look for due timers once in a millisecond; there are none.
public class RestartBenchmark extends NanosPerOperation {
  private static final int TIMERS = 10_000;
  private static final int ROUNDS = 10;
  private static final int RESTARTS = ROUNDS * TIMERS;
  private static final int RESTARTS_PER_PASS = 10;
  private static final long STEP_NANOS = 100_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private int[] order = {};

  @Setup
  public void shuffle() {
    var numbers = IntStream.range(0, TIMERS).boxed().collect(Collectors.toList());
    Collections.shuffle(numbers, new Random(1));
    order = numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  private static void fire() {
    throw new AssertionError("fired although it was restarted");
  }

  /// A service with ten thousand timers.
  public interface Timers {

    /// Restarts a timer.
    void restart(int i);

    /// Looks for due timers.
    default void pass() {}
  }

  private void restartAll(Timers timers) {
    for (int round = 0; round < ROUNDS; round++) {
      int left = RESTARTS_PER_PASS;
      for (int i : order) {
        timers.restart(i);
        if (--left == 0) {
          timers.pass();
          left = RESTARTS_PER_PASS;
        }
      }
    }
  }

  /// The limit.
  @State(Scope.Thread)
  public static class Bare implements Timers {
    private final FlatWheel wheel = new FlatWheel(TIMERS);
    private final Runnable action = RestartBenchmark::fire;
    private long now;

    @Setup
    public void arm() {
      for (int i = 0; i < TIMERS; i++) {
        wheel.arm(i, now + TIMEOUT.toNanos(), action);
        now += STEP_NANOS;
      }
    }

    @Override
    public void restart(int i) {
      now += STEP_NANOS;
      wheel.cancel(i);
      wheel.arm(i, now + TIMEOUT.toNanos(), action);
    }

    @Override
    public void pass() {
      wheel.advance(now);
    }
  }

  @Benchmark
  @OperationsPerInvocation(RESTARTS)
  public void bare(Bare state) {
    restartAll(state);
  }

  /// Rondo.
  @State(Scope.Thread)
  public static class Rondo implements Timers {
    private long now;
    private final Scheduler scheduler = RandomTimers.scheduler(() -> now);
    private final WaitForTime time = WaitForTime.on(scheduler);
    private final Timer[] timers = new Timer[TIMERS];

    @Setup
    public void arm() {
      for (int i = 0; i < TIMERS; i++) {
        timers[i] = time.delay(TIMEOUT, RestartBenchmark::fire);
        now += STEP_NANOS;
      }
    }

    @Override
    public void restart(int i) {
      now += STEP_NANOS;
      timers[i].restart();
    }

    @Override
    public void pass() {
      time.step();
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(RESTARTS)
  public void rondo(Rondo state) {
    restartAll(state);
  }

  /// Agrona.
  @State(Scope.Thread)
  public static class Agrona implements Timers, DeadlineTimerWheel.TimerHandler {
    private final DeadlineTimerWheel wheel =
        new DeadlineTimerWheel(
            TimeUnit.NANOSECONDS, 0, RandomTimers.AGRONA_TICK_NANOS, RandomTimers.TICKS);
    private final long[] ids = new long[TIMERS];
    private long now;

    @Setup
    public void arm() {
      for (int i = 0; i < TIMERS; i++) {
        ids[i] = wheel.scheduleTimer(now + TIMEOUT.toNanos());
        now += STEP_NANOS;
      }
    }

    @Override
    public void restart(int i) {
      now += STEP_NANOS;
      wheel.cancelTimer(ids[i]);
      ids[i] = wheel.scheduleTimer(now + TIMEOUT.toNanos());
    }

    @Override
    public void pass() {
      do { // a poll ends with its tick
        wheel.poll(now, this, Integer.MAX_VALUE);
      } while (wheel.currentTickTime() <= now);
    }

    @Override
    public boolean onTimerExpiry(TimeUnit unit, long instant, long id) {
      fire();
      return true;
    }
  }

  @Benchmark
  @OperationsPerInvocation(RESTARTS)
  public void agronaWheel(Agrona state) {
    restartAll(state);
  }

  /// Netty's wheel.
  @State(Scope.Thread)
  public static class NettyWheel implements Timers {
    private final HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS, 1 << 15);
    private final Timeout[] timeouts = new Timeout[TIMERS];

    @Setup
    public void arm() {
      for (int i = 0; i < TIMERS; i++) {
        timeouts[i] = timeout();
      }
    }

    private Timeout timeout() {
      return wheel.newTimeout(_ -> fire(), TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void restart(int i) {
      timeouts[i].cancel();
      timeouts[i] = timeout();
    }

    @TearDown
    public void close() {
      wheel.stop();
    }
  }

  @Benchmark
  @OperationsPerInvocation(RESTARTS)
  public void nettyWheel(NettyWheel state) {
    restartAll(state);
  }

  /// A service that returns futures.
  private static final class Scheduled implements Timers {
    private final ScheduledExecutorService executor;
    private final Future<?>[] futures = new Future<?>[TIMERS];

    Scheduled(ScheduledExecutorService executor) {
      this.executor = executor;
      for (int i = 0; i < TIMERS; i++) {
        futures[i] = future();
      }
    }

    private Future<?> future() {
      return executor.schedule(RestartBenchmark::fire, TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void restart(int i) {
      futures[i].cancel(false);
      futures[i] = future();
    }
  }

  /// The JDK's executor.
  @State(Scope.Thread)
  public static class Executor {
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
    private final Scheduled timers = new Scheduled(executor);

    @Setup
    public void removeOnCancel() {
      executor.setRemoveOnCancelPolicy(true);
    }

    @TearDown
    public void close() {
      executor.shutdownNow();
    }
  }

  @Benchmark
  @OperationsPerInvocation(RESTARTS)
  public void scheduledExecutor(Executor state) {
    restartAll(state.timers);
  }
}
