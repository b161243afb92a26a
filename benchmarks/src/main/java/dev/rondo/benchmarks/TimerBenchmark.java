package dev.rondo.benchmarks;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimeKeeper;
import dev.rondo.time.Timer;
import dev.rondo.time.WaitForTime;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.agrona.DeadlineTimerWheel;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// A million timers, at random within a minute.
///
/// *ArmCancel*: all are armed, then all are cancelled, in another random order: what one pair
/// costs. *Expire*: all are armed already, and fire as time passes, 1 ms at a time.
/// `ScheduledThreadPoolExecutor` has no clock of its own: its thread is held up until all are due.
///
/// Rondo and `ScheduledThreadPoolExecutor` fire in exact order; the wheels of Netty and Agrona
/// within a tick of a millisecond, in any. Netty's and the executor's hand over between threads,
/// which the others need not. kotlinx arms a timer by starting a coroutine.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 2)
@Measurement(iterations = 6, time = 2)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms3g", "-Xmx3g"})
public class TimerBenchmark {

  private static final int TIMERS = 1_000_000;
  private static final long RANGE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /// Agrona wants powers of two: a tick of about a millisecond.
  private static final long AGRONA_TICK_NANOS = 1L << 20;

  private static final int AGRONA_TICKS = 1 << 16;

  /// Nothing that is to be cancelled may fire before.
  private static final long FAR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final long[] delays = new long[TIMERS];
  private final int[] order = new int[TIMERS];
  private long now = 1;
  private int fired;
  private final Runnable action = this::fire;

  private final Scheduler scheduler =
      Scheduler.builder()
          .ticker(
              new Ticker() {
                @Override
                public long read() {
                  return now;
                }
              })
          .build();
  private final WaitForTime time = WaitForTime.on(scheduler);
  private final TimeKeeper.Alarm[] alarms = new TimeKeeper.Alarm[TIMERS];

  private final HashedWheelTimer netty = new HashedWheelTimer(1, TimeUnit.MILLISECONDS, 1 << 16);
  private final Timeout[] timeouts = new Timeout[TIMERS];

  private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
  private final Future<?>[] futures = new Future<?>[TIMERS];

  private final DeadlineTimerWheel agrona =
      new DeadlineTimerWheel(TimeUnit.NANOSECONDS, now, AGRONA_TICK_NANOS, AGRONA_TICKS);
  private final long[] ids = new long[TIMERS];

  @Setup
  public void fill() {
    var random = new Random(1);
    for (int i = 0; i < TIMERS; i++) {
      delays[i] = random.nextLong(RANGE_NANOS);
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    executor.setRemoveOnCancelPolicy(true);
  }

  @TearDown
  public void close() {
    scheduler.close();
    netty.stop();
    executor.shutdownNow();
  }

  private void fire() {
    fired++;
  }

  private int all() {
    if (fired != TIMERS) {
      throw new AssertionError(fired + " have fired");
    }
    fired = 0;
    return TIMERS;
  }

  // Rondo.

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int rondoArmCancel() {
    for (int i = 0; i < TIMERS; i++) {
      alarms[i] = time.at(now + delays[i], action);
    }
    int cancelled = 0;
    for (int i : order) {
      cancelled += alarms[i].cancel() ? 1 : 0;
    }
    return cancelled;
  }

  /// The word people use: it has a handle that can be restarted, and keeps the scheduler running.
  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int rondoDelayArmCancel() {
    var timers = new Timer[TIMERS];
    for (int i = 0; i < TIMERS; i++) {
      timers[i] = time.delay(Duration.ofNanos(1 + delays[i]), () -> fired++);
    }
    int cancelled = 0;
    for (int i : order) {
      cancelled += timers[i].cancel() ? 1 : 0;
    }
    return cancelled;
  }

  /// A million armed in Rondo, before each invocation; in the instance that JMH gives it, which is
  /// not the one that the benchmark is called on.
  @State(Scope.Thread)
  public static class RondoArmed {
    private @Nullable TimerBenchmark owner;

    @Setup(Level.Invocation)
    public void arm(TimerBenchmark benchmark) {
      owner = benchmark;
      for (long delay : benchmark.delays) {
        var _ = benchmark.time.at(benchmark.now + delay, benchmark.action);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int rondoExpire(RondoArmed armed) {
    return requireNonNull(armed.owner).expireRondo();
  }

  private int expireRondo() {
    for (long end = now + RANGE_NANOS; now < end; ) {
      now += STEP_NANOS;
      time.step();
    }
    return all();
  }

  // Agrona.

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int agronaArmCancel() {
    agrona.currentTickTime(now);
    for (int i = 0; i < TIMERS; i++) {
      ids[i] = agrona.scheduleTimer(now + delays[i]);
    }
    int cancelled = 0;
    for (int i : order) {
      cancelled += agrona.cancelTimer(ids[i]) ? 1 : 0;
    }
    return cancelled;
  }

  /// A million armed in Agrona's wheel, before each invocation.
  @State(Scope.Thread)
  public static class AgronaArmed {
    private @Nullable TimerBenchmark owner;

    @Setup(Level.Invocation)
    public void arm(TimerBenchmark benchmark) {
      owner = benchmark;
      benchmark.agrona.currentTickTime(benchmark.now);
      for (long delay : benchmark.delays) {
        benchmark.agrona.scheduleTimer(benchmark.now + delay);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int agronaExpire(AgronaArmed armed) {
    return requireNonNull(armed.owner).expireAgrona();
  }

  private int expireAgrona() {
    long end = now + RANGE_NANOS + AGRONA_TICK_NANOS;
    while (fired < TIMERS && now < end) {
      now += STEP_NANOS;
      while (agrona.currentTickTime() <= now) { // a poll ends with the tick, or at its limit
        agrona.poll(now, this::expired, Integer.MAX_VALUE);
      }
    }
    return all();
  }

  private boolean expired(TimeUnit unit, long instant, long id) {
    action.run();
    return true;
  }

  // Netty.

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int nettyWheelArmCancel() {
    for (int i = 0; i < TIMERS; i++) {
      timeouts[i] =
          netty.newTimeout(_ -> action.run(), FAR_NANOS + delays[i], TimeUnit.NANOSECONDS);
    }
    int cancelled = 0;
    for (int i : order) {
      cancelled += timeouts[i].cancel() ? 1 : 0;
    }
    return cancelled;
  }

  // The JDK.

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int executorArmCancel() {
    for (int i = 0; i < TIMERS; i++) {
      futures[i] = executor.schedule(action, FAR_NANOS + delays[i], TimeUnit.NANOSECONDS);
    }
    int cancelled = 0;
    for (int i : order) {
      cancelled += futures[i].cancel(false) ? 1 : 0;
    }
    return cancelled;
  }

  /// A million armed in the executor, before each invocation; all are due.
  @State(Scope.Thread)
  public static class ExecutorArmed {
    private @Nullable TimerBenchmark owner;

    private CountDownLatch held = new CountDownLatch(1);
    private CountDownLatch end = new CountDownLatch(1);

    @Setup(Level.Invocation)
    public void arm(TimerBenchmark benchmark) {
      owner = benchmark;
      held = new CountDownLatch(1);
      end = new CountDownLatch(1);
      CountDownLatch door = held;
      benchmark.executor.execute(() -> {
        try {
          door.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      for (long delay : benchmark.delays) {
        // Within a tenth of a second, which arming a million takes at least: nobody has to wait.
        benchmark.executor.schedule(benchmark.action, delay / 600, TimeUnit.NANOSECONDS);
      }
      benchmark.executor.schedule(end::countDown, RANGE_NANOS / 600, TimeUnit.NANOSECONDS);
    }
  }

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int executorExpire(ExecutorArmed armed) throws InterruptedException {
    return requireNonNull(armed.owner).expireExecutor(armed);
  }

  private int expireExecutor(ExecutorArmed armed) throws InterruptedException {
    armed.held.countDown();
    armed.end.await();
    return all();
  }

  // kotlinx.

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int kotlinxArmCancel() {
    return CoroutinePeers.armAndCancel(delays, order, TimeUnit.NANOSECONDS.toMillis(FAR_NANOS));
  }
}
