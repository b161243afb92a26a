package dev.rondo.benchmarks;

import dev.rondo.condition.channel.Channel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/// Two tasks pass an element there and back through two rendezvous channels: the cost of one round
/// trip.
///
/// The cost is two switches, which `bare` shows without channels, and four channel operations, of
/// which two suspend. With the mounted task one of the two tasks is never unmounted. Without stacks
/// the cost is two turns and two waits that are armed and settled; `bareStackless` has the turns
/// alone.
public class PingPongBenchmark extends NanosPerOperation {
  private static final int ROUNDS = 100_000;
  private static final Object ELEMENT = new Object();

  private int rounds;

  /// Two bare fibers wake each other a number of times.
  static void bare(int rounds) {
    var loop = new BareLoop();
    var players = new BareLoop.Fiber[2];
    for (int i = 0; i < players.length; i++) {
      int other = 1 - i;
      players[i] =
          new BareLoop.Fiber(() -> {
            for (int k = 0; k < rounds; k++) {
              loop.schedule(players[other]);
              BareLoop.pause();
            }
          });
    }
    loop.schedule(players[0]);
    loop.run();
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void bare() {
    bare(ROUNDS);
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  @Fork(value = 2, jvmArgsAppend = BareLoop.DIRECTLY)
  public void bareDirect() {
    bare(ROUNDS);
  }

  /// Two virtual threads of one loop wake each other a number of times.
  static void bareBound(int rounds) {
    var loop = new BareBoundLoop();
    var players = new Thread[2];
    for (int i = 0; i < players.length; i++) {
      int other = 1 - i;
      players[i] =
          loop.start(() -> {
            if (other == 0) {
              LockSupport.park(); // the other one starts
            }
            for (int k = 0; k < rounds; k++) {
              LockSupport.unpark(players[other]);
              LockSupport.park();
            }
          });
    }
    loop.run();
    LockSupport.unpark(players[1]); // it waits for one more
    loop.run();
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void bareBound() {
    bareBound(ROUNDS);
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void bareResident() {
    var loop = new BareLoop();
    var pong =
        new BareLoop.Fiber(() -> {
          for (int i = 0; i < ROUNDS; i++) {
            loop.scheduleResident();
            BareLoop.pause();
          }
        });
    for (int i = 0; i < ROUNDS; i++) {
      loop.schedule(pong);
      loop.pauseResident();
    }
  }

  /// A player without a stack.
  private final class BarePlayer implements BareSteps.Step {
    private final BareSteps loop;
    private BareSteps.Step other = this;

    BarePlayer(BareSteps loop) {
      this.loop = loop;
    }

    @Override
    public void step() {
      if (++rounds <= 2 * ROUNDS) {
        loop.schedule(other);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void bareStackless() {
    rounds = 0;
    var loop = new BareSteps();
    var ping = new BarePlayer(loop);
    var pong = new BarePlayer(loop);
    ping.other = pong;
    pong.other = ping;
    loop.schedule(ping);
    loop.run();
  }

  private static void play(Scheduler scheduler) {
    Channel<Object> there = Channel.rendezvous(scheduler);
    Channel<Object> back = Channel.rendezvous(scheduler);
    scheduler.spawn(() -> {
      for (int i = 0; i < ROUNDS; i++) {
        back.send(there.receive());
      }
    });
    scheduler.spawn(() -> {
      for (int i = 0; i < ROUNDS; i++) {
        there.send(ELEMENT);
        back.receive();
      }
    });
    scheduler.start();
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void rondo() throws InterruptedException {
    Kind.CONTINUATION.run(PingPongBenchmark::play);
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void rondoBound() throws InterruptedException {
    Kind.BOUND.run(PingPongBenchmark::play);
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void rondoHandoff() throws InterruptedException {
    Kind.HANDOFF.run(PingPongBenchmark::play);
  }

  /// A step task that returns what it receives. It waits to send only if it has to, as `send` does.
  private static final class Player {
    private final Channel<Object> in;
    private final Channel<Object> out;
    private int receives = ROUNDS;
    private int sends = ROUNDS;

    /// The first element; null if the other task has it.
    private @Nullable Object serve;

    Player(Channel<Object> in, Channel<Object> out, @Nullable Object serve) {
      this.in = in;
      this.out = out;
      this.serve = serve;
    }

    StepResult step(StepTask<Void> self) {
      Object element = self.received();
      if (element != null) {
        receives--;
      } else {
        element = serve;
        serve = null;
      }
      if (element != null && sends > 0) {
        sends--;
        if (!out.trySend(element)) {
          return self.await(out.sending(element));
        }
      }
      return receives > 0 ? self.await(in.receiving()) : StepResult.DONE;
    }
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void rondoStackless() throws InterruptedException {
    Kind.CONTINUATION.run(scheduler -> {
      Channel<Object> there = Channel.rendezvous(scheduler);
      Channel<Object> back = Channel.rendezvous(scheduler);
      scheduler.host().spawnSteps("pong", new Player(there, back, null)::step);
      scheduler.host().spawnSteps("ping", new Player(back, there, ELEMENT)::step);
      scheduler.start();
    });
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void kotlinx() {
    ChannelPeers.pingPong(0, ROUNDS);
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  @Fork(
      value = 2,
      jvmArgsAppend = {ONE_CARRIER, NO_MORE_CARRIERS})
  public void virtualThreads() throws InterruptedException {
    playOnThreads();
  }

  /// On as many carriers as there are processors: the two threads spin for each other.
  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public void virtualThreadsInParallel() throws InterruptedException {
    playOnThreads();
  }

  private static void playOnThreads() throws InterruptedException {
    BlockingQueue<Object> there = new SynchronousQueue<>();
    BlockingQueue<Object> back = new SynchronousQueue<>();
    Thread pong = Blocking.start(ROUNDS, () -> back.put(there.take()));
    Thread ping =
        Blocking.start(
            ROUNDS,
            () -> {
              there.put(ELEMENT);
              back.take();
            });
    ping.join();
    pong.join();
  }
}
