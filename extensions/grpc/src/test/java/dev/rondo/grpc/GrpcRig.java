package dev.rondo.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.base.Ticker;
import com.google.common.util.concurrent.ListenableFuture;
import dev.rondo.grpc.numbers.NumbersGrpc;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.WaitForTime;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A scheduler with servers and clients of gRPC: after each test no channel may be left, no wait
/// and no unobserved failure.
abstract class GrpcRig extends BackendTest {

  /// It reports streams that end while messages wait for room, as those of some tests do.
  private static final java.util.logging.Logger STREAMS =
      java.util.logging.Logger.getLogger("io.grpc.netty.NettyServerHandler");

  static {
    STREAMS.setLevel(java.util.logging.Level.OFF);
  }

  /// A wait that takes longer hangs.
  private static final Duration HANG = Duration.ofMinutes(4);

  /// How far the scheduler's clock is ahead of the system's.
  final AtomicLong aheadNanos = new AtomicLong();

  Scheduler scheduler;
  WaitForNetty netty;
  GrpcCalls calls;

  /// A server and a client of it.
  final class Pair implements AutoCloseable {

    final GrpcServer server;
    final ManagedChannel channel;
    final NumbersGrpc.NumbersStub stub;
    final NumbersGrpc.NumbersFutureStub futures;

    Pair(BindableService service) throws IOException {
      this(calls.start(calls.serverBuilder(anyPort()).addService(service)));
    }

    Pair(GrpcServer server) {
      this.server = server;
      channel = calls.channelBuilder(server.localAddresses().getFirst()).usePlaintext().build();
      stub = NumbersGrpc.newStub(channel);
      futures = NumbersGrpc.newFutureStub(channel);
    }

    @Override
    public void close() {
      var _ = channel.shutdownNow();
      server.close();
    }
  }

  @BeforeEach
  void open() {
    Ticker ahead =
        new Ticker() {
          @Override
          public long read() {
            return System.nanoTime() + aheadNanos.get();
          }
        };
    scheduler = builder().ticker(ahead).build();
    var _ = WaitForTime.on(scheduler);
    netty = WaitForNetty.on(scheduler);
    calls = GrpcCalls.on(scheduler);
  }

  @AfterEach
  void nothingIsLeft() {
    int open = netty.openCount();
    int waits = netty.waiterCount();
    scheduler.close();
    assertEquals(List.of(), takeReported(), "failures that the test did not check");
    assertEquals(0, open, "open channels");
    assertEquals(0, waits, "waits");
  }

  static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /// Runs a test as the main task, and waits until what it has closed is closed.
  void run(TaskAction<?> main) {
    runOn(
        scheduler,
        () -> {
          main.run();
          await(() -> netty.openCount() == 0);
          return null;
        });
  }

  <T> T await(ListenableFuture<T> call) {
    return calls.await(call);
  }

  /// Gives the other tasks turns until something is so.
  void await(BooleanSupplier condition) {
    long deadline = scheduler.host().deadlineAfter(HANG);
    while (!condition.getAsBoolean()) {
      if (scheduler.host().nowNanos() - deadline > 0) {
        throw new AssertionError("it does not happen");
      }
      scheduler.yield();
    }
  }

  /// {@return the status that code fails with}
  static Status statusOf(TaskAction<?> code) throws Exception {
    try {
      code.run();
    } catch (StatusRuntimeException | ClosedException e) {
      return Status.fromThrowable(e);
    }
    throw new AssertionError("did not fail");
  }

  /// {@return a number once it stays the same for many turns of all tasks}
  int settled(int[] count) {
    int before;
    do {
      before = count[0];
      for (int i = 0; i < 1_000; i++) {
        scheduler.yield();
      }
    } while (count[0] > before);
    return before;
  }
}
