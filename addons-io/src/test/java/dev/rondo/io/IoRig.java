package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/// A scheduler with IO on one of the coroutine backends, with the best transport for it unless the
/// name says otherwise. Runs a test as its main task, and then checks that nothing is left: no
/// task, wait, channel or unobserved failure.
public enum IoRig {
  CONTINUATION,
  CONTINUATION_ON_NIO,
  BOUND,
  HANDOFF,
  HANDOFF_ON_VIRTUAL_THREAD;

  /// The environment of a test.
  public record World(
      Scheduler scheduler, WaitForIO io, ManualTimer timer, List<Throwable> failures) {

    public Task<Void> spawn(String name, dev.rondo.scheduler.TaskAction<?> code) {
      return scheduler.spawn(name, code);
    }

    /// A task whose result is the failure of its code.
    public Task<Throwable> failing(Callable<?> code) {
      return scheduler.spawn(() -> {
        try {
          return new AssertionError("did not fail, but returned " + code.call());
        } catch (Exception e) {
          return e;
        }
      });
    }

    public TcpListener listen() throws IOException {
      return io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /// The reactor with which the sockets of this world wait.
    public Reactor reactor() {
      return io.reactor();
    }

    /// Two ends of one connection.
    public Pair pair() throws IOException {
      try (var listener = listen()) {
        TcpSocket client = io.connect(listener.localAddress());
        return new Pair(client, listener.accept());
      }
    }

    /// Writes until the system takes no more, because the peer does not read.
    public void fill(Pair pair) throws Exception {
      pair.server().setOption(StandardSocketOptions.SO_RCVBUF, 16_384); // not enlarged then
      pair.client().setOption(StandardSocketOptions.SO_SNDBUF, 16_384);
      var writable = new boolean[] {true};
      while (writable[0]) {
        Task<?> writer = failing(() -> pair.client().write(ByteBuffer.allocate(9_000_000)));
        settle();
        writer.cancel("enough");
        settle();
        writable[0] = false;
        Select.biased()
            .on(pair.client().writable(), ignored -> writable[0] = true)
            .otherwise(() -> {})
            .run();
      }
    }

    /// Gives the other tasks turns until all of them wait.
    public void settle() {
      for (int i = 0; i < 10; i++) {
        scheduler.yield();
      }
    }
  }

  public record Pair(TcpSocket client, TcpSocket server) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  /// Timers that fire when the test says so.
  public static final class ManualTimer implements TimerService {

    private final List<Runnable> armed = new ArrayList<>();

    @Override
    public TimerHandle at(long deadlineNanos, Runnable action) {
      armed.add(action);
      return () -> armed.remove(action);
    }

    public int armed() {
      return armed.size();
    }

    public void fire() {
      List<Runnable> due = List.copyOf(armed);
      armed.clear();
      due.forEach(Runnable::run);
    }
  }

  /// The channels that are still open.
  private static List<String> listed(Scheduler scheduler) {
    var names = new ArrayList<String>();
    int end =
        LoopView.of(scheduler)
            .openChannels()
            .visit(0, Integer.MAX_VALUE, (place, channel) -> names.add(channel.name()));
    assertEquals(ChannelList.NONE, end);
    return names;
  }

  @FunctionalInterface
  public interface Test {
    void run(World world) throws Exception;
  }

  public void run(Test test) throws Exception {
    run(test, false);
  }

  /// With the checks of [SchedulerBuilder#debug()].
  public void runInDebugMode(Test test) throws Exception {
    run(test, true);
  }

  private void run(Test test, boolean debug) throws Exception {
    if (this != HANDOFF_ON_VIRTUAL_THREAD) {
      runHere(test, debug);
      return;
    }
    var done = new CompletableFuture<Void>();
    Thread loop =
        Thread.ofVirtual()
            .start(() -> {
              try {
                runHere(test, debug);
                done.complete(null);
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            });
    try {
      done.get(5, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      throw IoRig.<RuntimeException>rethrow(e.getCause());
    } finally {
      loop.interrupt();
    }
  }

  private CoroutineBackend backend() {
    return switch (this) {
      case CONTINUATION, CONTINUATION_ON_NIO -> CoroutineBackends.continuation();
      case BOUND -> CoroutineBackends.bound();
      case HANDOFF, HANDOFF_ON_VIRTUAL_THREAD -> CoroutineBackends.handoff();
    };
  }

  /// Makes a scheduler for the calling thread. The caller closes it.
  public Scheduler newScheduler(List<Throwable> failures) {
    return builder(failures).build();
  }

  private SchedulerBuilder builder(List<Throwable> failures) {
    return Scheduler.builder().backend(backend()).failureHandler((where, e) -> failures.add(e));
  }

  private void runHere(Test test, boolean debug) throws Exception {
    var failures = new ArrayList<Throwable>();
    var failed = new AtomicReference<Throwable>();
    SchedulerBuilder builder = builder(failures);
    try (Scheduler scheduler = debug ? builder.debug().build() : builder.build()) {
      var timer = new ManualTimer();
      LoopControl.of(scheduler.host()).timerService(timer);
      if (this == CONTINUATION_ON_NIO) {
        var _ = new WaitForIO(scheduler, Selector.open(), Selector::open);
      }
      WaitForIO io = WaitForIO.on(scheduler);
      var world = new World(scheduler, io, timer, failures);
      scheduler.spawn(
          "main",
          () -> {
            try {
              test.run(world);
            } catch (Throwable e) {
              failed.set(e);
              scheduler.stop();
            }
          });
      scheduler.start();
      if (failed.get() == null) {
        assertEquals(List.of(), failures, "unobserved failures");
        assertEquals(0, io.reactor().waitCount(), "waits");
        assertEquals(0, io.reactor().registeredCount(), "open channels");
        assertEquals(List.of(), listed(scheduler), "listed channels");
        assertEquals(0, timer.armed(), "timers");
      }
    } catch (Throwable e) {
      if (failed.get() == null) {
        throw e;
      }
      failed.get().addSuppressed(e);
    }
    if (failed.get() != null) {
      failures.forEach(failed.get()::addSuppressed);
      throw IoRig.<RuntimeException>rethrow(failed.get());
    }
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> RuntimeException rethrow(Throwable failure) throws X {
    throw (X) failure;
  }
}
