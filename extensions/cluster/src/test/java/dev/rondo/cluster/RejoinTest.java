package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A node whose engine has failed, and that joins again at once; and one whose engine loses what it
/// proposes while it closes.
final class RejoinTest extends HubRig {

  private final CountDownLatch mayLeave = new CountDownLatch(1);

  /// How many of the next proposals are lost.
  private final AtomicInteger losses = new AtomicInteger();

  private final List<Engine.Listener> listeners = new CopyOnWriteArrayList<>();

  /// What engines do, in that order.
  private final List<String> done = new ArrayList<>();

  /// An engine that takes its time to leave.
  private final class Slow extends ForwardingEngine {

    Slow(ClusterConfig config, Listener listener, Machine machine) {
      super(hub.engine(config, listener, machine));
      listeners.add(listener);
    }

    private void note(String what) {
      synchronized (done) {
        done.add(what);
      }
    }

    @Override
    public void join() throws ClusterException {
      note("join");
      engine.join();
    }

    @Override
    public void leave() {
      try {
        mayLeave.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      engine.leave();
      note("left");
    }

    @Override
    public void propose(byte[] command) {
      if (losses.getAndDecrement() <= 0) {
        engine.propose(command);
      }
    }
  }

  /// The thread is blocked then, so no timer proposes again.
  @Test
  void close_whileAProposalIsLost_givesLeasesBackAllTheSame() throws Exception {
    mayLeave.countDown();
    Node a = node(ClusterConfig.of("a").at(anyPort()), Slow::new);
    a.join();
    var _ = a.call(() -> a.cluster.lease("l").acquire(Duration.ofHours(1)));
    losses.set(1);
    a.close();
    assertEquals(List.of(), List.copyOf(failures));
  }

  /// The node would be joined for ever, and agree on nothing.
  @Test
  void join_ofAnEngineThatFailsAsItReturns_fails() throws Exception {
    var failure = new ClusterException("no etcd", null);
    Node a =
        node(
            ClusterConfig.of("a").at(anyPort()),
            (config, listener, machine) ->
                new ForwardingEngine(hub.engine(config, listener, machine)) {
                  @Override
                  public void join() throws ClusterException {
                    engine.join();
                    listener.failed(failure);
                  }
                });
    assertSame(failure, assertThrows(ClusterException.class, a::join));
    assertFalse(a.call(() -> a.cluster.isJoined()));
    assertSame(failure, failures.poll());
  }

  /// The address and the log are free when the earlier engine has left.
  @Test
  void join_whileTheEarlierEngineLeaves_waitsForIt() throws Exception {
    ClusterConfig config = ClusterConfig.of("a").at(anyPort());
    Node a = node(config, Slow::new);
    a.join();
    listeners.getFirst().failed(new ClusterException("no space", null));
    a.await(() -> a.cluster.members().get().self().id().isEmpty());
    Task<Void> again = a.call(() -> a.scheduler.spawn("again", () -> a.cluster.join()));
    a.await(() -> again.taskState() == TaskState.WAITING);
    for (int i = 0; i < 10; i++) {
      a.run(() -> a.scheduler.blocking(() -> {})); // what was begun before has begun by now
    }
    mayLeave.countDown();
    a.run(() -> {
      var _ = again.join();
    });
    synchronized (done) {
      assertEquals(List.of("join", "left", "join"), done);
    }
    assertInstanceOf(ClusterException.class, failures.poll());
  }
}
