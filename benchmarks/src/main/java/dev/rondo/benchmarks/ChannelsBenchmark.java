package dev.rondo.benchmarks;

import dev.rondo.condition.channel.Channel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Many tasks wait, each for the next element of its own channel, like the tasks of many
/// connections. Another task sends one element to each channel, and all tasks run: the cost of one
/// element.
///
/// With many channels each channel and each stack is a cache miss.
public class ChannelsBenchmark extends NanosPerOperation {
  private static final int ELEMENTS = 1_000_000;
  private static final Object ELEMENT = new Object();

  /// The number of channels, and of tasks that receive.
  @Param("10000")
  public int channels;

  private int rounds() {
    return ELEMENTS / channels;
  }

  /// The limit: a channel is a field.
  @State(Scope.Thread)
  public static class Bare {

    private final BareLoop loop = new BareLoop();
    private final List<Receiver> receivers = new ArrayList<>();
    private int received;

    /// A fiber, and the element that is on its way to it.
    private final class Receiver {
      private final BareLoop.Fiber fiber = new BareLoop.Fiber(this::receive);
      private @Nullable Object element;

      @SuppressWarnings("InfiniteLoopStatement")
      private void receive() {
        while (true) {
          BareLoop.pause();
          received += element == null ? 0 : 1;
          element = null;
        }
      }
    }

    @Setup
    public void fill(ChannelsBenchmark benchmark) {
      for (int i = 0; i < benchmark.channels; i++) {
        var receiver = new Receiver();
        receivers.add(receiver);
        loop.schedule(receiver.fiber);
      }
      loop.run();
      System.gc();
    }

    void send() {
      for (Receiver each : receivers) {
        each.element = ELEMENT;
        loop.schedule(each.fiber);
      }
      loop.run();
    }
  }

  /// Rondo, whose receivers have stacks.
  @State(Scope.Thread)
  public static class Rondo {

    final Scheduler scheduler = Kind.CONTINUATION.builder().build();
    final List<Channel<Object>> channels = new ArrayList<>();
    int received;

    @Setup
    public void fill(ChannelsBenchmark benchmark) {
      for (int i = 0; i < benchmark.channels; i++) {
        Channel<Object> channel = Channel.bounded(scheduler, 1);
        channels.add(channel);
        spawnReceiver(channel);
      }
      send(2);
      System.gc();
    }

    @SuppressWarnings("InfiniteLoopStatement")
    void spawnReceiver(Channel<Object> channel) {
      scheduler.spawn(() -> {
        while (true) {
          received += channel.receive() == null ? 0 : 1;
        }
      });
    }

    void send(int rounds) {
      scheduler.spawn(() -> {
        for (int i = 0; i < rounds; i++) {
          for (Channel<Object> each : channels) {
            each.send(ELEMENT);
          }
          scheduler.yield(); // behind all receivers
        }
        scheduler.stop();
      });
      scheduler.start();
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  /// Rondo, whose receivers have no stacks.
  public static class RondoSteps extends Rondo {

    @Override
    void spawnReceiver(Channel<Object> channel) {
      scheduler.host().spawnSteps("receiver", self -> step(self, channel));
    }

    private StepResult step(StepTask<Object> self, Channel<Object> channel) {
      received += self.received() == null ? 0 : 1;
      return self.await(channel.receiving());
    }
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int bare(Bare state) {
    for (int i = rounds(); i > 0; i--) {
      state.send();
    }
    return state.received;
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int rondo(Rondo state) {
    state.send(rounds());
    return state.received;
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int rondoStackless(RondoSteps state) {
    state.send(rounds());
    return state.received;
  }
}
