package dev.rondo.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The usual measurement of the benchmarks.
///
/// The name of a method gives the role of its row: `bare...` is a limit, the least code that is
/// written for this job alone; `rondo...` is Rondo; any other name is a peer. The limit of
/// `rondoBound` is `bareBound` if there is one, else `bare`. `bareDirect` is `bare` with
/// continuations that are entered as Rondo enters them, by private methods of the JDK.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public abstract class NanosPerOperation {

  /// For forks with virtual threads: one carrier, because all other rows have one thread.
  public static final String ONE_CARRIER = "-Djdk.virtualThreadScheduler.parallelism=1";

  /// The same, for benchmarks that block their carrier.
  public static final String NO_MORE_CARRIERS = "-Djdk.virtualThreadScheduler.maxPoolSize=1";
}
