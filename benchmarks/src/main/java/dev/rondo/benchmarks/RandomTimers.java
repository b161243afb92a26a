package dev.rondo.benchmarks;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/// Timers at random within a minute, for the benchmarks of timers.
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms4g", "-Xmx4g"})
public abstract class RandomTimers extends NanosPerOperation {
  static final int MILLION = 1_000_000;
  static final long RANGE_NANOS = TimeUnit.MINUTES.toNanos(1);
  static final long NANOS_OF_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /// Agrona needs powers of two: a tick of about a millisecond, and more than a minute of them.
  static final long AGRONA_TICK_NANOS = 1L << 20;

  static final int TICKS = 1 << 16;

  /// The number of timers armed at a time.
  @Param("1000000")
  public int timers;

  long[] delays = {};

  /// The order of cancelling.
  int[] order = {};

  /// {@return a scheduler with its own clock}
  static Scheduler scheduler(LongSupplier clock) {
    return Scheduler.builder().ticker(ticker(clock)).build();
  }

  static Ticker ticker(LongSupplier clock) {
    return new Ticker() {
      @Override
      public long read() {
        return clock.getAsLong();
      }
    };
  }

  @Setup
  public void shuffle() {
    delays = new long[timers];
    order = new int[timers];
    var random = new Random(1);
    for (int i = 0; i < timers; i++) {
      delays[i] = random.nextLong(RANGE_NANOS);
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
  }
}
