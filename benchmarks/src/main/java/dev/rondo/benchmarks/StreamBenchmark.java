package dev.rondo.benchmarks;

import dev.rondo.condition.channel.Channel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/// One task sends, another receives, through a buffer of [#CAPACITY]: the cost of one element.
///
/// The tasks switch when the buffer is full or empty, and when the operation budget of a turn is
/// spent; so a 64th of two switches is part of the cost. The rest is the two calls, the ring of the
/// buffer and the check for waiters. HANDOFF would show its switch only, see [SwitchBenchmark].
public class StreamBenchmark extends NanosPerOperation {
  private static final int ELEMENTS = 100_000;
  private static final int CAPACITY = 64;
  private static final Object ELEMENT = new Object();

  private int received;

  private void stream(Scheduler scheduler) {
    Channel<Object> channel = Channel.bounded(scheduler, CAPACITY);
    scheduler.spawn(() -> {
      for (int i = 0; i < ELEMENTS; i++) {
        channel.send(ELEMENT);
      }
      channel.close();
    });
    scheduler.spawn(() -> {
      for (var _ : channel) {
        received++;
      }
    });
    scheduler.start();
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int rondo() throws InterruptedException {
    Kind.CONTINUATION.run(this::stream);
    return received;
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int rondoBound() throws InterruptedException {
    Kind.BOUND.run(this::stream);
    return received;
  }

  /// A step task that sends while the buffer has room, and then awaits room.
  private static final class Producer {
    private final Channel<Object> channel;
    private int left = ELEMENTS;

    Producer(Channel<Object> channel) {
      this.channel = channel;
    }

    StepResult step(StepTask<Void> self) {
      self.received();
      while (left-- > 0) {
        if (!channel.trySend(ELEMENT)) {
          return self.await(channel.sending(ELEMENT));
        }
      }
      channel.close();
      return StepResult.DONE;
    }
  }

  /// A step task that receives while there are elements, and then awaits the next one.
  private static final class Consumer {
    private final Channel<Object> channel;
    private int received;

    Consumer(Channel<Object> channel) {
      this.channel = channel;
    }

    StepResult step(StepTask<Void> self) {
      received += self.received() == null ? 0 : 1;
      while (received < ELEMENTS) {
        if (channel.tryReceive() == null) {
          return self.await(channel.receiving());
        }
        received++;
      }
      return StepResult.DONE;
    }
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int rondoStackless() throws InterruptedException {
    Kind.CONTINUATION.run(scheduler -> {
      Channel<Object> channel = Channel.bounded(scheduler, CAPACITY);
      var consumer = new Consumer(channel);
      scheduler.host().spawnSteps("producer", new Producer(channel)::step);
      scheduler.host().spawnSteps("consumer", consumer::step);
      scheduler.start();
      received += consumer.received;
    });
    return received;
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int kotlinx() {
    return ChannelPeers.stream(CAPACITY, ELEMENTS);
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  @Fork(
      value = 2,
      jvmArgsAppend = {ONE_CARRIER, NO_MORE_CARRIERS})
  public void virtualThreads() throws InterruptedException {
    BlockingQueue<Object> queue = new ArrayBlockingQueue<>(CAPACITY);
    Thread producer = Blocking.start(ELEMENTS, () -> queue.put(ELEMENT));
    Thread consumer = Blocking.start(ELEMENTS, queue::take);
    producer.join();
    consumer.join();
  }
}
