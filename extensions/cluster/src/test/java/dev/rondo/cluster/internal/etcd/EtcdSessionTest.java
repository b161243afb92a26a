package dev.rondo.cluster.internal.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A session that ends while it connects.
final class EtcdSessionTest {

  private static final InetSocketAddress SERVER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private final ConcurrentLinkedQueue<ClusterException> failures = new ConcurrentLinkedQueue<>();

  private EtcdSession session(InetSocketAddress server, OwnThread seat) {
    ClusterConfig config = ClusterConfig.of("a");
    return new EtcdSession(
        config, EtcdServers.local(server), new Failures(), new NoMachine(), seat);
  }

  private void requireEnded(EtcdSession session) {
    session.end();
    assertEquals(List.of(), List.copyOf(failures));
    var failure = assertThrows(ClusterException.class, () -> session.awaitJoined(0));
    assertEquals("node 'a' no longer joins", failure.getMessage());
  }

  @Test
  void end_whileANameIsLookedUp_doesNotWaitForIt() throws Exception {
    var asked = new CountDownLatch(1);
    var answer = new CountDownLatch(1);
    try {
      EtcdSession session =
          session(
              SERVER,
              new OwnThread(server -> {
                asked.countDown();
                try {
                  answer.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                return server;
              }));
      session.start();
      asked.await();
      requireEnded(session);
    } finally {
      answer.countDown();
    }
  }

  /// It accepts the connection, and says nothing.
  @Test
  void end_whileAServerDoesNotAnswer_doesNotWaitForIt() throws Exception {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var asked = new CountDownLatch(1);
      EtcdSession session =
          session(
              (InetSocketAddress) silent.getLocalSocketAddress(),
              new OwnThread(server -> {
                asked.countDown();
                return server;
              }));
      session.start();
      asked.await();
      silent.accept().close();
      requireEnded(session);
    }
  }

  /// The limit of joining, which is that of ending, too.
  @Test
  void end_ofASeatThatDoesNotEnd_isReported() {
    var session =
        new EtcdSession(
            ClusterConfig.of("a"),
            EtcdServers.local(SERVER),
            new Failures(),
            new NoMachine(),
            new StuckSeat());
    session.start();
    session.end();
    assertEquals(
        "the session of node 'a' with etcd at [%s] does not end".formatted(SERVER),
        failures.remove().getMessage());
  }

  private static final class StuckSeat implements EtcdSeat {
    @Override
    public boolean blocks() {
      return true;
    }

    @Override
    public String newId() {
      return "id";
    }

    @Override
    public long nowNanos() {
      return 0;
    }

    @Override
    public InetSocketAddress resolve(dev.rondo.scheduler.Scheduler own, InetSocketAddress server) {
      return server;
    }

    @Override
    public void start(
        String name,
        java.util.function.Consumer<dev.rondo.scheduler.Scheduler> code,
        java.util.function.Consumer<Throwable> failed) {}

    @Override
    public void await(java.util.concurrent.CompletableFuture<?> done, long nanos) {}

    @Override
    public boolean awaitEnd(Duration limit) {
      return false;
    }
  }

  private final class Failures implements Engine.Listener {
    @Override
    public void membersChanged() {}

    @Override
    public void received(Member from, List<Frame> frames) {}

    @Override
    public void leaderChanged(boolean leads) {}

    @Override
    public void failed(ClusterException failure) {
      failures.add(failure);
    }
  }

  private static final class NoMachine implements Engine.Machine {
    @Override
    public void apply(byte[] command) {}

    @Override
    public byte[] save() {
      return new byte[0];
    }

    @Override
    public void restore(byte[] saved) throws IOException {
      throw new IOException("nothing was saved");
    }
  }
}
