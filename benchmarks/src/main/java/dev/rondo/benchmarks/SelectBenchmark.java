package dev.rondo.benchmarks;

import dev.rondo.condition.channel.Channel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/// One task selects over the receiving ends of some rendezvous channels, while another sends into
/// one after another: the cost of one element.
///
/// The cost is two switches, as in `bare`, one send, and for each branch a poll, an arm and a
/// disarm with its waiter. `rondo` builds the select each time, as kotlinx does; `rondoPrepared`
/// has built it once and reuses its waiters. HANDOFF would show its switches only, see
/// [PingPongBenchmark].
public class SelectBenchmark extends NanosPerOperation {
  private static final int ELEMENTS = 100_000;
  private static final Object ELEMENT = new Object();

  /// The number of channels.
  @Param({"2", "8"})
  public int branches;

  private int received;

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void bare() {
    PingPongBenchmark.bare(ELEMENTS);
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void bareBound() {
    PingPongBenchmark.bareBound(ELEMENTS);
  }

  /// The channels, and the task that sends into them.
  private List<Channel<Object>> channels(Scheduler scheduler) {
    List<Channel<Object>> channels = new ArrayList<>();
    for (int i = 0; i < branches; i++) {
      channels.add(Channel.rendezvous(scheduler));
    }
    return channels;
  }

  private void spawnProducer(Scheduler scheduler, List<Channel<Object>> channels) {
    scheduler.spawn(() -> {
      for (int i = 0; i < ELEMENTS; i++) {
        channels.get(i % branches).send(ELEMENT);
      }
    });
  }

  private void select(Scheduler scheduler) {
    List<Channel<Object>> channels = channels(scheduler);
    spawnProducer(scheduler, channels);
    scheduler.spawn(() -> {
      for (int i = 0; i < ELEMENTS; i++) {
        @SuppressWarnings({"unchecked", "rawtypes"})
        Waitable<Object>[] ends = new Waitable[branches];
        for (int k = 0; k < branches; k++) {
          ends[k] = channels.get(k).receiving();
        }
        received += scheduler.select(ends).index();
      }
    });
    scheduler.start();
  }

  private void selectPrepared(Scheduler scheduler) {
    List<Channel<Object>> channels = channels(scheduler);
    spawnProducer(scheduler, channels);
    var select = Select.biased();
    for (Channel<Object> channel : channels) {
      select.on(channel.receiving(), _ -> received++);
    }
    scheduler.spawn(() -> {
      for (int i = 0; i < ELEMENTS; i++) {
        select.run();
      }
    });
    scheduler.start();
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int rondo() throws InterruptedException {
    Kind.CONTINUATION.run(this::select);
    return received;
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int rondoBound() throws InterruptedException {
    Kind.BOUND.run(this::select);
    return received;
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int rondoPrepared() throws InterruptedException {
    Kind.CONTINUATION.run(this::selectPrepared);
    return received;
  }

  /// A step task that sends into one channel after another.
  private final class Producer {
    private final List<Channel<Object>> channels;
    private int sent;

    Producer(List<Channel<Object>> channels) {
      this.channels = channels;
    }

    StepResult step(StepTask<Void> self) {
      self.received();
      return sent++ < ELEMENTS
          ? self.await(channels.get(sent % branches).sending(ELEMENT))
          : StepResult.DONE;
    }
  }

  /// A step task that receives from the first channel that has an element.
  private final class Consumer {
    private final Waitable<Object> any;
    private int left = ELEMENTS;

    Consumer(List<Channel<Object>> channels) {
      List<Waitable<Object>> ends = new ArrayList<>();
      for (Channel<Object> channel : channels) {
        ends.add(channel.receiving());
      }
      any = Waitable.anyOf(ends);
    }

    StepResult step(StepTask<Void> self) {
      received += self.received() == null ? 0 : 1;
      return left-- > 0 ? self.await(any) : StepResult.DONE;
    }
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int rondoStackless() throws InterruptedException {
    Kind.CONTINUATION.run(scheduler -> {
      List<Channel<Object>> channels = channels(scheduler);
      scheduler.host().spawnSteps("consumer", new Consumer(channels)::step);
      scheduler.host().spawnSteps("producer", new Producer(channels)::step);
      scheduler.start();
    });
    return received;
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int kotlinx() {
    return ChannelPeers.select(branches, ELEMENTS);
  }
}
