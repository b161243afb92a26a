package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyTransport;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How many turns and suspensions of tasks a request costs.
final class HttpTurnsTest extends BackendTest {

  private static final int REQUESTS = 50;
  private static final String NAME = "GET /";

  /// Of the tasks that answer requests.
  private int turns;

  private int suspensions;

  /// Of all other tasks but the add-on's, which has one in each pass of the loop.
  private int otherTurns;

  /// Of connections.
  private final List<Task<?>> connectionTasks = new ArrayList<>();

  private int connectionTurns;

  /// Of those, until the first request is answered.
  private int turnsToBegin;

  private final class Counter implements TaskListener {

    @Override
    public void created(Task<?> task) {
      if (isOfConnection(task)) {
        connectionTasks.add(task);
      }
    }

    private boolean isOfConnection(Task<?> task) {
      return task.name().startsWith("connection of ");
    }

    @Override
    public void afterTurn(Task<?> task) {
      if (task.name().equals(NAME)) {
        turns++;
      } else if (!task.name().equals("WaitForNetty")) {
        otherTurns++;
      }
      if (isOfConnection(task)) {
        connectionTurns++;
      }
    }

    @Override
    public void suspended(Task<?> task) {
      if (task.name().equals(NAME)) {
        suspensions++;
      }
    }
  }

  @AfterEach
  void nothingIsReported() {
    assertEquals(List.of(), takeReported());
  }

  /// Makes a client, which connects.
  private interface Connecting {
    ManyRequests to(InetSocketAddress address) throws IOException;
  }

  /// Asks twice, the second time counted.
  private void count(NettyTransport transport, Connecting connecting) {
    assumeTrue(transport.whyNot() == null, transport::toString);
    try (Scheduler scheduler = builder().listener(new Counter()).build()) {
      assumeTrue(
          LoopControl.of(scheduler.host()).backend().sharesThread(),
          "elsewhere a task has a thread");
      var _ = WaitForTime.on(scheduler);
      var _ = WaitForNetty.on(scheduler, transport);
      runOn(
          scheduler,
          () -> {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (HttpServer server =
                HttpServer.builder(scheduler).get("/", ManyRequests::answer).listen(address)) {
              count(scheduler, connecting, (InetSocketAddress) server.localAddress());
            }
            return null;
          });
    }
  }

  private void count(Scheduler scheduler, Connecting connecting, InetSocketAddress address) {
    var first = new CompletableFuture<Void>();
    var second = new CompletableFuture<Void>();
    var goOn = new CompletableFuture<Void>();
    Thread.ofPlatform()
        .start(() -> {
          try (ManyRequests client = connecting.to(address)) {
            client.ask(1);
            first.complete(null);
            goOn.join();
            client.ask(REQUESTS);
            second.complete(null);
          } catch (IOException | RuntimeException e) {
            first.completeExceptionally(e);
            second.completeExceptionally(e);
          }
        });
    var _ = scheduler.await(scheduler.completion(first));
    turnsToBegin = connectionTurns;
    turns = 0;
    suspensions = 0;
    otherTurns = 0;
    goOn.complete(null);
    var _ = scheduler.await(scheduler.completion(second));
  }

  @Test
  void requests_ofHttp2_costOneTurnEachAndNoSuspension() {
    count(NettyTransport.NIO, ManyRequests.Http2::new);
    assertEquals(REQUESTS, turns);
    assertEquals(0, suspensions);
    assertTrue(otherTurns < REQUESTS / 2, () -> otherTurns + " turns"); // to flush, of the test
  }

  @Test
  void requests_ofHttp1_costOneTurnEachAndNoSuspension() {
    count(NettyTransport.NIO, ManyRequests.Http1::new);
    assertEquals(REQUESTS, turns);
    assertEquals(0, suspensions);
  }

  @Test
  void requests_onIoUring_costOneTurnEachAndNoSuspension() {
    count(NettyTransport.IO_URING, ManyRequests.Http1::new);
    assertEquals(REQUESTS, turns);
    assertEquals(0, suspensions);
  }

  /// The connection's task has none for them.
  @Test
  void requests_ofHttp1InTurn_costOneTurnEach() {
    count(NettyTransport.NIO, ManyRequests.Http1InTurn::new);
    assertEquals(REQUESTS, turns);
    assertEquals(0, suspensions);
    assertTrue(otherTurns < REQUESTS / 2, () -> otherTurns + " turns"); // of the test
  }

  /// It waits for the first request, and has it answered.
  @Test
  void connection_ofHttp1_isATaskWithoutAStackAndTwoTurns() {
    count(NettyTransport.NIO, ManyRequests.Http1::new);
    assertIsOneTaskWithoutAStack();
    assertEquals(2, turnsToBegin);
  }

  @Test
  void connection_ofHttp2_isATaskWithoutAStack() {
    count(NettyTransport.NIO, ManyRequests.Http2::new);
    assertIsOneTaskWithoutAStack();
  }

  private void assertIsOneTaskWithoutAStack() {
    assertEquals(1, connectionTasks.size(), connectionTasks::toString);
    assertInstanceOf(StepTask.class, connectionTasks.getFirst());
  }

  @Test
  void texts_ofAWebSocket_costOneTurnEach() {
    countTexts(NettyTransport.NIO);
  }

  /// A write is never done at once there.
  @Test
  void texts_onIoUring_costOneTurnEach() {
    countTexts(NettyTransport.IO_URING);
  }

  private void countTexts(NettyTransport transport) {
    count(transport, ManyRequests.Texts::new);
    assertTrue(turns <= REQUESTS + 2, () -> turns + " turns"); // two may be for the text before
    assertTrue(otherTurns < REQUESTS / 2, () -> otherTurns + " turns");
    assertTrue(suspensions <= REQUESTS + 1, () -> suspensions + " suspensions");
  }
}
