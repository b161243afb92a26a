package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Turn;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// A ring of stackless tasks of four classes: the price of one turn.
///
/// `bare` is the limit: a loop over an `ArrayDeque` of objects with a megamorphic `step()`. What
/// `rondo` adds is the count of turns to the next pass, the write of the ring's head and the eager
/// budget. `netty` is a runnable that posts itself to its NIO event loop.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StepBenchmark {
  private static final int TURNS = 1_000_000;

  /// How many tasks take turns.
  @Param({"2", "100", "10000"})
  public int ring;

  /// What every body does.
  abstract static class Body {
    int count;

    abstract boolean step();
  }

  private static final class A extends Body {
    @Override
    boolean step() {
      count++;
      return true;
    }
  }

  private static final class B extends Body {
    @Override
    boolean step() {
      count += 2;
      return true;
    }
  }

  private static final class C extends Body {
    @Override
    boolean step() {
      count += 3;
      return true;
    }
  }

  private static final class D extends Body {
    @Override
    boolean step() {
      count += 4;
      return true;
    }
  }

  private static Body body(int i) {
    return switch (i & 3) {
      case 0 -> new A();
      case 1 -> new B();
      case 2 -> new C();
      default -> new D();
    };
  }

  /// The limit.
  @State(Scope.Thread)
  public static class Bare {
    private final ArrayDeque<Body> ready = new ArrayDeque<>();

    @Setup
    public void fill(StepBenchmark benchmark) {
      for (int i = 0; i < benchmark.ring; i++) {
        ready.add(body(i));
      }
    }
  }

  /// Rondo's step tasks: the same four bodies, one call further in.
  @State(Scope.Thread)
  public static class Rondo {
    private final Scheduler scheduler = Scheduler.create();
    private int left;

    @Setup
    public void fill(StepBenchmark benchmark) {
      for (int i = 0; i < benchmark.ring; i++) {
        switch (i & 3) {
          case 0 -> scheduler.spawnSteps("a", this::a);
          case 1 -> scheduler.spawnSteps("b", this::b);
          case 2 -> scheduler.spawnSteps("c", this::c);
          default -> scheduler.spawnSteps("d", this::d);
        }
      }
    }

    private int count;

    private Turn a(StepTask<Void> self) {
      count++;
      return again();
    }

    private Turn b(StepTask<Void> self) {
      count += 2;
      return again();
    }

    private Turn c(StepTask<Void> self) {
      count += 3;
      return again();
    }

    private Turn d(StepTask<Void> self) {
      count += 4;
      return again();
    }

    private Turn again() {
      if (--left == 0) {
        scheduler.stop();
      }
      return Turn.AGAIN;
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  /// Netty's NIO event loop.
  @State(Scope.Thread)
  public static class Netty {
    private final MultiThreadIoEventLoopGroup group =
        new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoop loop = group.next();

    @TearDown
    public void close() {
      group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public int bare(Bare state) {
    ArrayDeque<Body> ready = state.ready;
    int count = 0;
    for (int i = 0; i < TURNS; i++) {
      Body next = ready.poll();
      if (next.step()) {
        ready.add(next);
      }
      count = next.count;
    }
    return count;
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public int rondo(Rondo state) {
    state.left = TURNS;
    state.scheduler.start();
    return state.count;
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public void netty(Netty state) throws InterruptedException {
    var end = new CountDownLatch(ring);
    for (int i = 0; i < ring; i++) {
      Body body = body(i);
      state.loop.execute(
          new Runnable() {
            private int left = TURNS / ring;

            @Override
            public void run() {
              if (body.step() && --left > 0) {
                state.loop.execute(this);
              } else {
                end.countDown();
              }
            }
          });
    }
    end.await();
  }
}
