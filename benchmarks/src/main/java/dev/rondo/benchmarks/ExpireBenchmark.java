package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.WaitForTime;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2ObjectHashMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// A million armed timers fire: the cost of one.
///
/// `rondo` fires callbacks in the turn of the add-on. `rondoDelay` is the method that programs
/// call: each firing has a turn of its own, and may suspend.
///
/// `bare`, Rondo and Agrona have their own clock, which advances 60,000 times by 1 ms; each such
/// pass finds 17 timers. Most of the cost is cache misses of entries and callbacks; Rondo and
/// `bare` also sort the timers of each tick. Agrona's wheel fires in any order within a tick, and
/// knows only numbers, so a map from numbers to callbacks is part of its row.
///
/// Netty, the executor and kotlinx use the system's clock: their thread is held up until all timers
/// are due, within half a second, and the benchmark measures how they catch up. Netty's wheel fires
/// in any order within a tick, the two others in exact order.
public class ExpireBenchmark extends RandomTimers {

  /// The range of delays for the rows that use the system's clock.
  private static final int SHARE = (int) (RANGE_NANOS / TimeUnit.MILLISECONDS.toNanos(500));

  /// Counts the timers that have fired.
  @State(Scope.Thread)
  public abstract static class Firing {
    int fired;

    void fire() {
      fired++;
    }

    int all() {
      if (fired != MILLION) {
        throw new AssertionError(fired + " have fired");
      }
      fired = 0;
      return MILLION;
    }
  }

  /// The limit.
  public static class Bare extends Firing {
    private final FlatWheel wheel = new FlatWheel(MILLION);
    private final Runnable action = this::fire;
    private long now;

    @Setup(Level.Invocation)
    public void arm(ExpireBenchmark benchmark) {
      for (int i = 0; i < MILLION; i++) {
        wheel.arm(i, now + benchmark.delays[i], action);
      }
    }

    int expire() {
      for (long end = now + RANGE_NANOS + 2 * NANOS_OF_MILLI; now < end; ) {
        now += NANOS_OF_MILLI;
        wheel.advance(now);
      }
      return all();
    }
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int bare(Bare state) {
    return state.expire();
  }

  /// Rondo.
  public static class Rondo extends Firing {
    private final Runnable action = this::fire;
    private long now = 1;
    private final Scheduler scheduler = scheduler(() -> now);
    private final WaitForTime time = WaitForTime.on(scheduler);

    @Setup(Level.Invocation)
    public void arm(ExpireBenchmark benchmark) {
      for (long delay : benchmark.delays) {
        time.at(now + delay, action);
      }
    }

    int expire() {
      for (long end = now + RANGE_NANOS; now < end; ) {
        now += NANOS_OF_MILLI;
        time.step();
      }
      return all();
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int rondo(Rondo state) {
    return state.expire();
  }

  /// Rondo, by the method that programs call: each firing is a turn of a task, behind other ready
  /// tasks.
  public static class RondoDelay extends Firing {
    private long now = 1;
    private final Scheduler scheduler = scheduler(() -> now);
    private final WaitForTime time = WaitForTime.on(scheduler);

    @Setup(Level.Invocation)
    public void arm(ExpireBenchmark benchmark) {
      for (long delay : benchmark.delays) {
        var _ = time.delay(Duration.ofNanos(delay), this::fire);
      }
    }

    int expire() {
      scheduler.spawn("clock", this::advance);
      scheduler.start();
      return all();
    }

    private void advance() {
      for (long end = now + RANGE_NANOS; now < end; ) {
        now += NANOS_OF_MILLI;
        time.step();
        scheduler.yield();
      }
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int rondoDelay(RondoDelay state) {
    return state.expire();
  }

  /// Agrona.
  public static class Agrona extends Firing implements DeadlineTimerWheel.TimerHandler {
    private final Runnable action = this::fire;
    private long now;
    private final DeadlineTimerWheel wheel =
        new DeadlineTimerWheel(TimeUnit.NANOSECONDS, now, AGRONA_TICK_NANOS, TICKS);
    private final Long2ObjectHashMap<Runnable> callbacks = new Long2ObjectHashMap<>();

    @Setup(Level.Invocation)
    public void arm(ExpireBenchmark benchmark) {
      wheel.currentTickTime(now);
      for (long delay : benchmark.delays) {
        callbacks.put(wheel.scheduleTimer(now + delay), action);
      }
    }

    @Override
    public boolean onTimerExpiry(TimeUnit unit, long instant, long id) {
      callbacks.remove(id).run();
      return true;
    }

    int expire() {
      for (long end = now + RANGE_NANOS + AGRONA_TICK_NANOS; now < end; ) {
        now += NANOS_OF_MILLI;
        do { // a poll ends with its tick
          wheel.poll(now, this, Integer.MAX_VALUE);
        } while (wheel.currentTickTime() <= now);
      }
      return all();
    }
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int agronaWheel(Agrona state) {
    return state.expire();
  }

  /// Services with the system's clock and a thread of their own, which is held up.
  public abstract static class HeldUp extends Firing {
    private CountDownLatch held = new CountDownLatch(1);
    private CountDownLatch door = new CountDownLatch(1);
    private CountDownLatch end = new CountDownLatch(1);

    /// Called by the thread that is to be held up.
    void hold() {
      held.countDown();
      try {
        door.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the end
      }
    }

    @Override
    void fire() {
      super.fire();
      if (fired == MILLION) {
        end.countDown();
      }
    }

    /// Makes the thread call [#hold].
    abstract void begin();

    /// Makes the thread call [#fire] later.
    abstract void arm(long delayNanos);

    @Setup(Level.Invocation)
    public void arm(ExpireBenchmark benchmark) throws InterruptedException {
      held = new CountDownLatch(1);
      door = new CountDownLatch(1);
      end = new CountDownLatch(1);
      begin();
      held.await();
      for (long delay : benchmark.delays) {
        arm(delay / SHARE);
      }
      LockSupport.parkNanos(RANGE_NANOS / SHARE + 2 * NANOS_OF_MILLI);
    }

    int expire() throws InterruptedException {
      door.countDown();
      end.await();
      return all();
    }
  }

  /// Netty's wheel.
  public static class NettyWheel extends HeldUp {
    private final HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS, TICKS);

    @Override
    void begin() {
      wheel.newTimeout(_ -> hold(), 1, TimeUnit.MILLISECONDS);
    }

    @Override
    void arm(long delayNanos) {
      wheel.newTimeout(_ -> fire(), delayNanos, TimeUnit.NANOSECONDS);
    }

    @TearDown
    public void close() {
      wheel.stop();
    }
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int nettyWheel(NettyWheel state) throws InterruptedException {
    return state.expire();
  }

  /// The JDK's executor.
  public static class Executor extends HeldUp {
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
    private final Runnable action = this::fire;

    @Override
    void begin() {
      executor.execute(this::hold);
    }

    @Override
    void arm(long delayNanos) {
      executor.schedule(action, delayNanos, TimeUnit.NANOSECONDS);
    }

    @TearDown
    public void close() {
      executor.shutdownNow();
    }
  }

  @Benchmark
  @OperationsPerInvocation(MILLION)
  public int scheduledExecutor(Executor state) throws InterruptedException {
    return state.expire();
  }

  /// A million coroutines that sleep on an event loop, which is held up: starting them takes more
  /// than a second, and none may wake before all sleep.
  public static class Kotlinx extends Firing {
    private static final long BEGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

    private CountDownLatch door = new CountDownLatch(1);
    private Thread loop = Thread.currentThread();

    @Setup(Level.Invocation)
    public void arm(ExpireBenchmark benchmark) throws InterruptedException {
      var asleep = new CountDownLatch(1);
      var open = new CountDownLatch(1);
      long[] millis =
          Arrays.stream(benchmark.delays)
              .map(nanos -> (BEGIN_NANOS + nanos / SHARE) / NANOS_OF_MILLI)
              .toArray();
      door = open;
      loop = Thread.ofPlatform().start(() -> fired = CoroutinePeers.expire(millis, asleep, open));
      asleep.await();
      LockSupport.parkNanos(BEGIN_NANOS + RANGE_NANOS / SHARE + 2 * NANOS_OF_MILLI);
    }

    int expire() throws InterruptedException {
      door.countDown();
      loop.join();
      return all();
    }
  }

  /// With fewer iterations, because a million takes seconds.
  @Benchmark
  @OperationsPerInvocation(MILLION)
  @Warmup(iterations = 1)
  @Measurement(iterations = 2)
  public int kotlinx(Kotlinx state) throws InterruptedException {
    return state.expire();
  }
}
