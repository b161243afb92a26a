package dev.rondo.benchmarks;

import static dev.rondo.benchmarks.BetweenLoops.MESSAGE;

import dev.rondo.computicle.Endpoint;
import dev.rondo.computicle.RemoteTask;
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

/// Two loops, each on a thread of its own, pass a message there and back: the cost of one round
/// trip. Each loop has nothing else to do, so most of it is two wake-ups of a thread.
public class ComputiclePingPongBenchmark extends NanosPerOperation {
  private static final int ROUNDS = 10_000;
  private static final String THERE = "there";
  private static final String BACK = "back";

  private static void play(BetweenLoops.Rondo state, int capacity) {
    Endpoint<Object> there = new Endpoint<>(THERE, capacity);
    Endpoint<Object> back = new Endpoint<>(BACK, capacity);
    RemoteTask<?> pong =
        state
            .loops
            .get(0)
            .exec(() -> {
              for (int i = 0; i < ROUNDS; i++) {
                back.send(there.receive());
              }
            });
    RemoteTask<?> ping =
        state
            .loops
            .get(1)
            .exec(() -> {
              for (int i = 0; i < ROUNDS; i++) {
                there.send(MESSAGE);
                back.receive();
              }
            });
    ping.join();
    pong.join();
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void rondo(BetweenLoops.Rondo state) {
    play(state, 0);
  }

  /// With room for the message.
  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void rondoBuffered(BetweenLoops.Rondo state) {
    play(state, 1);
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void kotlinx(BetweenLoops.Kotlinx state) {
    state.loops.pingPong(ROUNDS);
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void virtualThreads() throws InterruptedException {
    TransferQueue<Object> there = new LinkedTransferQueue<>();
    TransferQueue<Object> back = new LinkedTransferQueue<>();
    Thread pong = Blocking.start(ROUNDS, () -> back.put(there.take()));
    Thread ping =
        Blocking.start(
            ROUNDS,
            () -> {
              there.put(MESSAGE);
              back.take();
            });
    ping.join();
    pong.join();
  }

  /// Runs on one of two loops after the other.
  private static final class Ball implements Runnable {
    private final EventLoop[] loops;
    private final CountDownLatch done;
    private int hits = 2 * ROUNDS;

    Ball(List<EventLoop> loops, CountDownLatch done) {
      this.loops = new EventLoop[] {loops.get(0), loops.get(1)};
      this.done = done;
    }

    @Override
    public void run() {
      if (--hits == 0) {
        done.countDown();
      } else {
        loops[hits & 1].execute(this);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void nettyLoops(BetweenLoops.Netty state) throws InterruptedException {
    var done = new CountDownLatch(1);
    state.loops.getFirst().execute(new Ball(state.loops, done));
    done.await();
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void vertxEventBus(BetweenLoops.VertxBus state) throws InterruptedException {
    EventBus bus = state.vertx.eventBus();
    var done = new CountDownLatch(1);
    var ready = new CountDownLatch(2);
    var rounds = new BetweenLoops.Receiver(ROUNDS, done);
    List<MessageConsumer<String>> consumers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      boolean pong = i == 0;
      state
          .loops
          .get(i)
          .runOnContext(nothing -> {
            MessageConsumer<String> consumer =
                bus.localConsumer(
                    pong ? THERE : BACK,
                    message -> {
                      if (!pong) {
                        rounds.run();
                      }
                      if (pong || done.getCount() > 0) {
                        bus.send(pong ? BACK : THERE, MESSAGE);
                      }
                    });
            synchronized (consumers) {
              consumers.add(consumer);
            }
            ready.countDown();
          });
    }
    ready.await();
    state.loops.get(1).runOnContext(nothing -> bus.send(THERE, MESSAGE));
    done.await();
    for (MessageConsumer<String> each : consumers) {
      each.unregister().await();
    }
  }
}
