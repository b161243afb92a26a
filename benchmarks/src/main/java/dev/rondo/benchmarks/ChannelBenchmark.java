package dev.rondo.benchmarks;

import dev.rondo.condition.channel.Channel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Turn;
import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Two tasks and channels between them.
///
/// `pingPong` is one round trip through two rendezvous channels: two switches, which `bare` shows
/// without channels, and four channel operations. With the resident task one of the two is never
/// unmounted. `stream` is one element through a buffer of [#CAPACITY]: the tasks switch when it is
/// full or empty, and when a turn's budget of operations is spent. `Stackless` has step tasks.
///
/// Allocation is part of the question: run with `-prof gc`.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ChannelBenchmark {
  private static final int OPERATIONS = 100_000;
  private static final int CAPACITY = 64;
  private static final Object ELEMENT = new Object();

  private final Scheduler scheduler = Scheduler.create();
  private final Scheduler withResident = Scheduler.builder().withResidentTask().build();

  @TearDown
  public void close() {
    scheduler.close();
    withResident.close();
  }

  // Ping-pong.

  /// Two continuations that wake each other.
  private static final class Bare {
    private static final ContinuationScope SCOPE = new ContinuationScope("bare");
    private final ArrayDeque<Continuation> ready = new ArrayDeque<>();
    private final Continuation ping = new Continuation(SCOPE, () -> play(this::pong));
    private final Continuation pong = new Continuation(SCOPE, () -> play(this::ping));
    private int left = 2 * OPERATIONS;

    private Continuation ping() {
      return ping;
    }

    private Continuation pong() {
      return pong;
    }

    private void play(Supplier<Continuation> other) {
      while (left-- > 0) {
        ready.add(other.get());
        Continuation.yield(SCOPE);
      }
    }

    void run() {
      ready.add(ping);
      for (Continuation next; left > 0 && (next = ready.poll()) != null; ) {
        next.run();
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void pingPongBare() {
    new Bare().run();
  }

  private static void pingPong(Scheduler scheduler) {
    Channel<Object> there = Channel.rendezvous(scheduler);
    Channel<Object> back = Channel.rendezvous(scheduler);
    scheduler.spawn(() -> {
      for (int i = 0; i < OPERATIONS; i++) {
        back.send(there.receive());
      }
    });
    scheduler.spawn(() -> {
      for (int i = 0; i < OPERATIONS; i++) {
        there.send(ELEMENT);
        back.receive();
      }
    });
    scheduler.start();
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void pingPongRondo() {
    pingPong(scheduler);
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void pingPongRondoWithResidentTask() {
    pingPong(withResident);
  }

  /// A step task that sends what it has received.
  private static final class Player {
    private final Channel<Object> in;
    private final Channel<Object> out;
    private int receives = OPERATIONS;
    private int sends = OPERATIONS;
    private boolean receiving;

    Player(Channel<Object> in, Channel<Object> out, boolean receiving) {
      this.in = in;
      this.out = out;
      this.receiving = receiving;
    }

    Turn step(StepTask<Void> self) {
      self.received();
      receiving = !receiving;
      if (!receiving) {
        return receives-- > 0 ? self.await(in.receiving()) : Turn.DONE;
      }
      return sends-- > 0 ? self.await(out.sending(ELEMENT)) : Turn.DONE;
    }
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void pingPongRondoStackless() {
    Channel<Object> there = Channel.rendezvous(scheduler);
    Channel<Object> back = Channel.rendezvous(scheduler);
    scheduler.spawnSteps("pong", new Player(there, back, true)::step);
    scheduler.spawnSteps("ping", new Player(back, there, false)::step);
    scheduler.start();
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void pingPongKotlinx() {
    ChannelPeers.pingPong(0, OPERATIONS);
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void pingPongVirtualThreads() throws InterruptedException {
    BlockingQueue<Object> there = new SynchronousQueue<>();
    BlockingQueue<Object> back = new SynchronousQueue<>();
    Thread pong = Thread.ofVirtual().start(() -> repeat(() -> back.put(there.take())));
    Thread ping =
        Thread.ofVirtual()
            .start(() ->
                repeat(() -> {
                  there.put(ELEMENT);
                  back.take();
                }));
    ping.join();
    pong.join();
  }

  /// Something that blocks.
  @FunctionalInterface
  private interface Blocking {
    void run() throws InterruptedException;
  }

  private static void repeat(Blocking operation) {
    try {
      for (int i = 0; i < OPERATIONS; i++) {
        operation.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // Through a buffer.

  private Channel<Object> stream() {
    Channel<Object> channel = Channel.bounded(scheduler, CAPACITY);
    scheduler.spawn(() -> {
      for (int i = 0; i < OPERATIONS; i++) {
        channel.send(ELEMENT);
      }
      channel.close();
    });
    return channel;
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public int streamRondo() {
    Channel<Object> channel = stream();
    var consumer =
        scheduler.spawn(() -> {
          int received = 0;
          for (var _ : channel) {
            received++;
          }
          return received;
        });
    scheduler.start();
    return consumer.join();
  }

  /// A step task that consumes what is there, and awaits the next when there is nothing.
  private static final class Consumer {
    private final Channel<Object> channel;
    private int received;

    Consumer(Channel<Object> channel) {
      this.channel = channel;
    }

    Turn step(StepTask<Void> self) {
      received += self.received() == null ? 0 : 1;
      while (!channel.isClosedForReceive()) {
        if (channel.tryReceive() == null) {
          return self.await(channel.receiving());
        }
        received++;
      }
      return Turn.DONE;
    }
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public int streamRondoStacklessConsumer() {
    var consumer = new Consumer(stream());
    scheduler.spawnSteps("consumer", consumer::step);
    scheduler.start();
    return consumer.received;
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public int streamKotlinx() {
    return ChannelPeers.stream(CAPACITY, OPERATIONS);
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void streamVirtualThreads() throws InterruptedException {
    BlockingQueue<Object> queue = new ArrayBlockingQueue<>(CAPACITY);
    Thread producer = Thread.ofVirtual().start(() -> repeat(() -> queue.put(ELEMENT)));
    Thread consumer = Thread.ofVirtual().start(() -> repeat(queue::take));
    producer.join();
    consumer.join();
  }
}
