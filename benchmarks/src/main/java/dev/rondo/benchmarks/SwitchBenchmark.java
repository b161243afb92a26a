package dev.rondo.benchmarks;

import dev.rondo.scheduler.coroutine.PlaceholderCoroutine;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// A placeholder: one of ours, a bare continuation, a kotlinx.coroutines and a Netty peer.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 1, time = 1)
@Measurement(iterations = 1, time = 1)
public class SwitchBenchmark {
  private static final ContinuationScope SCOPE = new ContinuationScope("bench");

  @Benchmark
  public int ours() {
    return PlaceholderCoroutine.turns();
  }

  @Benchmark
  public void bare() {
    new Continuation(SCOPE, () -> {}).run();
  }

  @Benchmark
  @OperationsPerInvocation(1000)
  public int kotlinx() {
    return CoroutinePeers.yields(1000);
  }

  @Benchmark
  public Object netty() {
    return NioIoHandler.newFactory();
  }
}
