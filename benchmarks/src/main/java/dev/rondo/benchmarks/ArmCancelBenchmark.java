package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.time.Timer;
import dev.rondo.time.WaitForTime;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2ObjectHashMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Arms timers with a callback, then cancels all of them in another random order: the cost of one
/// pair.
///
/// With a million timers the cost is cache misses: of the new entry, of its place in the structure,
/// and of both again when it is cancelled. `rondoDelay` is the method that programs call; it makes
/// a handle that can be restarted, and keeps the scheduler running.
///
/// Agrona's wheel knows only numbers, so a map from numbers to callbacks is part of its row.
/// Netty's wheel and the executor pass timers between threads, which the others do not need.
/// kotlinx arms a timer by starting a coroutine that sleeps; `kotlinxTimeout` arms a timer as its
/// `withTimeout` does, in a heap that another thread shares. No row has a stack: [SleepBenchmark]
/// measures sleeps, and [RestartBenchmark] timers that are restarted.
public class ArmCancelBenchmark extends RandomTimers {

  /// Far enough that no timer fires before it is cancelled.
  private static final long FAR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Runnable action = ArmCancelBenchmark::fire;

  private static void fire() {
    throw new AssertionError("fired before it was cancelled");
  }

  /// Arms or cancels a timer.
  @FunctionalInterface
  private interface Call {
    boolean with(int i);
  }

  /// Arms and cancels all timers, a million times in all.
  private int all(Call arm, Call cancel) {
    int cancelled = 0;
    for (int round = MILLION / timers; round > 0; round--) {
      for (int i = 0; i < timers; i++) {
        arm.with(i);
      }
      for (int i : order) {
        cancelled += cancel.with(i) ? 1 : 0;
      }
    }
    if (cancelled != MILLION) {
      throw new AssertionError(cancelled + " were cancelled");
    }
    return cancelled;
  }

  /// The limit.
  @State(Scope.Thread)
  public static class Bare {
    private final FlatWheel wheel = new FlatWheel(MILLION);
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int bare(Bare state) {
    return all(
        i -> {
          state.wheel.arm(i, delays[i], action);
          return true;
        },
        i -> {
          state.wheel.cancel(i);
          return true;
        });
  }

  /// Rondo, under a clock that stands still.
  @State(Scope.Thread)
  public static class Rondo {
    private final Scheduler scheduler = scheduler(() -> 0);
    private final WaitForTime time = WaitForTime.on(scheduler);
    private final TimerHandle[] alarms = new TimerHandle[MILLION];
    private final Timer[] timers = new Timer[MILLION];

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int rondo(Rondo state) {
    return all(
        i -> {
          state.alarms[i] = state.time.at(1 + delays[i], action);
          return true;
        },
        i -> state.alarms[i].cancel());
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int rondoDelay(Rondo state) {
    return all(
        i -> {
          state.timers[i] = state.time.delay(Duration.ofNanos(1 + delays[i]), action::run);
          return true;
        },
        i -> state.timers[i].cancel());
  }

  /// Agrona.
  @State(Scope.Thread)
  public static class Agrona {
    private final DeadlineTimerWheel wheel =
        new DeadlineTimerWheel(TimeUnit.NANOSECONDS, 0, AGRONA_TICK_NANOS, TICKS);
    private final Long2ObjectHashMap<Runnable> callbacks = new Long2ObjectHashMap<>();
    private final long[] ids = new long[MILLION];
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int agronaWheel(Agrona state) {
    return all(
        i -> {
          state.ids[i] = state.wheel.scheduleTimer(delays[i]);
          state.callbacks.put(state.ids[i], action);
          return true;
        },
        i -> state.wheel.cancelTimer(state.ids[i]) && state.callbacks.remove(state.ids[i]) != null);
  }

  /// Netty's wheel.
  @State(Scope.Thread)
  public static class NettyWheel {
    private final HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS, TICKS);
    private final Timeout[] timeouts = new Timeout[MILLION];

    @TearDown
    public void close() {
      wheel.stop();
    }
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int nettyWheel(NettyWheel state) {
    return all(
        i -> {
          state.timeouts[i] =
              state.wheel.newTimeout(
                  _ -> action.run(), FAR_NANOS + delays[i], TimeUnit.NANOSECONDS);
          return true;
        },
        i -> state.timeouts[i].cancel());
  }

  /// A service that returns futures.
  @State(Scope.Thread)
  public static class Futures {
    private final Future<?>[] futures = new Future<?>[MILLION];
  }

  private int allOf(ScheduledExecutorService executor, Futures state) {
    return all(
        i -> {
          state.futures[i] = executor.schedule(action, FAR_NANOS + delays[i], TimeUnit.NANOSECONDS);
          return true;
        },
        i -> state.futures[i].cancel(false));
  }

  /// On the loop's thread.
  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int nettyLoop(NettyLoop state, Futures futures) throws Exception {
    return state.loop().submit(() -> allOf(state.loop(), futures)).get();
  }

  /// The JDK's executor.
  @State(Scope.Thread)
  public static class Executor {
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);

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
  @OperationsPerInvocation(MILLION)
  public int scheduledExecutor(Executor state, Futures futures) {
    return allOf(state.executor, futures);
  }

  /// With fewer iterations, because a million takes seconds.
  @Benchmark
  @OperationsPerInvocation(MILLION)
  @Warmup(iterations = 1)
  @Measurement(iterations = 2)
  public int kotlinx() {
    return CoroutinePeers.armAndCancel(delays, order, TimeUnit.NANOSECONDS.toMillis(FAR_NANOS));
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  @Warmup(iterations = 1)
  @Measurement(iterations = 2)
  public int kotlinxTimeout() {
    return CoroutinePeers.armAndDispose(
        delays, order, TimeUnit.NANOSECONDS.toMillis(FAR_NANOS), action);
  }
}
