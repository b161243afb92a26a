package dev.rondo.benchmarks;

import dev.rondo.application.Application;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// A foreign thread passes commands to a loop on another thread and spins until they have run: the
/// cost of one.
///
/// For one command at a time, the cost is the operating system's wake-up of a parked thread. A
/// thousand commands at a time wake the loop once. The rest is the queue between the threads;
/// `bare` shows its limit, a JCTools queue. With `execute`, Rondo makes a step task for each
/// command, which dumps show. With `post` it makes no task, like Netty.
///
/// `rondoSelecting` has a listening socket, so its loop blocks in a selector, as Netty's does; the
/// others park. A command has no stack, so the backend does not matter.
public class HandoverBenchmark extends NanosPerOperation {
  private static final int COMMANDS = 2_000;

  /// The number of commands passed before waiting for their end.
  @Param({"1", "1000"})
  public int burst;

  /// Written by the loop's thread only.
  private final AtomicInteger ran = new AtomicInteger();

  private final Runnable command = this::count;
  private int sent;

  private void count() {
    ran.setRelease(ran.getPlain() + 1);
  }

  private void handOver(Executor loop) {
    for (int i = COMMANDS / burst; i > 0; i--) {
      for (int k = 0; k < burst; k++) {
        loop.execute(command);
      }
      sent += burst;
      while (ran.getAcquire() != sent) {
        Thread.onSpinWait();
      }
    }
  }

  /// The limit.
  @State(Scope.Thread)
  public static class Bare {
    private final MpscLoop loop = new MpscLoop();

    @TearDown
    public void close() {
      loop.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public void bare(Bare state) {
    handOver(state.loop);
  }

  /// A bare scheduler.
  @State(Scope.Thread)
  public static class Rondo {
    private final CompletableFuture<Scheduler> made = new CompletableFuture<>();

    {
      Thread.ofPlatform().daemon().start(this::run);
    }

    private final Scheduler scheduler = made.join();

    private void run() {
      try (var own = Scheduler.create()) {
        var _ = own.keepAlive();
        own.spawn("keeper", () -> own.suspend()); // keeps the scheduler running
        made.complete(own);
        own.start();
      }
    }

    @TearDown
    public void close() {
      scheduler.execute(scheduler::stop);
    }
  }

  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public void rondo(Rondo state) {
    handOver(state.scheduler);
  }

  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public void rondoPost(Rondo state) {
    handOver(state.scheduler::post);
  }

  /// An application with a socket.
  @State(Scope.Thread)
  public static class Selecting {
    private final CompletableFuture<Application> made = new CompletableFuture<>();

    {
      Thread.ofPlatform().daemon().start(this::run);
    }

    private final Application application = made.join();

    private void run() {
      Application.run(app -> {
        made.complete(app);
        accept(app);
      });
    }

    @SuppressWarnings("InfiniteLoopStatement")
    private static void accept(Application app) throws IOException {
      try (var listener = app.listen(0)) {
        while (true) {
          listener.accept().close(); // no client connects
        }
      }
    }

    @TearDown
    public void close() {
      application.execute(application::stop);
    }
  }

  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public void rondoSelecting(Selecting state) {
    handOver(state.application);
  }

  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public void rondoSelectingPost(Selecting state) {
    handOver(state.application::post);
  }

  // Peers.

  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public void nettyLoop(NettyLoop state) {
    handOver(state.loop());
  }

  /// An executor with one thread.
  @State(Scope.Thread)
  public static class OneThread {
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    @TearDown
    public void close() {
      executor.shutdownNow();
    }
  }

  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public void oneThreadExecutor(OneThread state) {
    handOver(state.executor);
  }

  /// An event loop of kotlinx.coroutines. Commands are dispatched, which costs less than a
  /// coroutine.
  @State(Scope.Thread)
  public static class Kotlinx {
    private final KotlinLoop loop = new KotlinLoop();

    @TearDown
    public void close() {
      loop.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public void kotlinx(Kotlinx state) {
    handOver(state.loop);
  }
}
