package dev.rondo.benchmarks;

import static dev.rondo.benchmarks.BetweenLoops.MESSAGE;

import dev.rondo.computicle.Computicle;
import dev.rondo.computicle.Endpoint;
import dev.rondo.computicle.RemoteTask;
import dev.rondo.scheduler.TaskAction;
import io.netty.channel.EventLoop;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/// Messages from loops to loops, each on a thread of its own: the cost of one message.
///
/// Endpoints and channels hold [#CAPACITY] messages, so a sender waits. The other peers have no
/// bound: a virtual thread that puts into a `LinkedTransferQueue`, a Netty loop that passes
/// runnables on, and the event bus of Vert.x. They never wait for room, and need memory instead.
/// With two receivers, Netty and Vert.x distribute messages in turn. Receivers of the other rows
/// compete.
public class ComputicleStreamBenchmark extends NanosPerOperation {
  private static final int ELEMENTS = 100_000;
  private static final int CAPACITY = 1_024;
  private static final String ADDRESS = "stream";

  /// The number of sending loops and of receiving loops.
  @Param({"1:1", "2:1", "1:2"})
  public String shape = "1:1";

  private int senders() {
    return shape.charAt(0) - '0';
  }

  private int receivers() {
    return shape.charAt(2) - '0';
  }

  private void run(List<Computicle<Void>> loops, TaskAction<?> sending, TaskAction<?> receiving) {
    var sides = new ArrayList<RemoteTask<?>>();
    for (int i = 0; i < senders() + receivers(); i++) {
      sides.add(loops.get(i).exec(i < senders() ? sending : receiving));
    }
    sides.forEach(RemoteTask::join);
  }

  private static void send(Endpoint<Object> endpoint, int count) {
    for (int i = 0; i < count; i++) {
      endpoint.send(MESSAGE);
    }
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void rondo(BetweenLoops.Rondo state) {
    Endpoint<Object> endpoint = new Endpoint<>("stream", CAPACITY);
    run(
        state.loops,
        () -> send(endpoint, ELEMENTS / senders()),
        () -> {
          for (int i = ELEMENTS / receivers(); i > 0; i--) {
            endpoint.receive();
          }
        });
  }

  /// Receives several messages at once.
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void rondoSome(BetweenLoops.Rondo state) {
    Endpoint<Object> endpoint = new Endpoint<>("stream", CAPACITY);
    run(
        state.loops,
        () -> send(endpoint, ELEMENTS / senders()),
        () -> {
          for (int left = ELEMENTS / receivers(); left > 0; ) {
            left -= endpoint.receiveSome(Math.min(left, CAPACITY)).size();
          }
        });
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void kotlinx(BetweenLoops.Kotlinx state) {
    state.loops.stream(senders(), receivers(), CAPACITY, ELEMENTS);
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void virtualThreads() throws InterruptedException {
    TransferQueue<Object> queue = new LinkedTransferQueue<>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < senders(); i++) {
      threads.add(Blocking.start(ELEMENTS / senders(), () -> queue.put(MESSAGE)));
    }
    for (int i = 0; i < receivers(); i++) {
      threads.add(Blocking.start(ELEMENTS / receivers(), queue::take));
    }
    for (Thread each : threads) {
      each.join();
    }
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void nettyLoops(BetweenLoops.Netty state) throws InterruptedException {
    var done = new CountDownLatch(receivers());
    var receiving = new ArrayList<BetweenLoops.Receiver>();
    for (int i = 0; i < receivers(); i++) {
      receiving.add(new BetweenLoops.Receiver(ELEMENTS / receivers(), done));
    }
    for (int i = 0; i < senders(); i++) {
      state.loops.get(i).execute(() -> pass(state.loops, receiving));
    }
    done.await();
  }

  private void pass(List<EventLoop> loops, List<BetweenLoops.Receiver> receiving) {
    int each = ELEMENTS / senders() / receivers();
    for (int i = 0; i < each; i++) {
      for (int k = 0; k < receiving.size(); k++) {
        loops.get(senders() + k).execute(receiving.get(k));
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void vertxEventBus(BetweenLoops.VertxBus state) throws InterruptedException {
    EventBus bus = state.vertx.eventBus();
    var done = new CountDownLatch(receivers());
    var ready = new CountDownLatch(receivers());
    List<MessageConsumer<String>> consumers = new ArrayList<>();
    for (int i = 0; i < receivers(); i++) {
      var receiver = new BetweenLoops.Receiver(ELEMENTS / receivers(), done);
      state
          .loops
          .get(senders() + i)
          .runOnContext(nothing -> {
            MessageConsumer<String> consumer =
                bus.localConsumer(ADDRESS, message -> receiver.run());
            synchronized (consumers) {
              consumers.add(consumer);
            }
            ready.countDown();
          });
    }
    ready.await();
    for (int i = 0; i < senders(); i++) {
      state
          .loops
          .get(i)
          .runOnContext(nothing -> {
            for (int k = ELEMENTS / senders(); k > 0; k--) {
              bus.send(ADDRESS, MESSAGE);
            }
          });
    }
    done.await();
    for (MessageConsumer<String> each : consumers) {
      each.unregister().await();
    }
  }
}
