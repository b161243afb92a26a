package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientLimits;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.SimulatedNetwork;
import dev.rondo.simulation.World;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WaitForTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Netty over simulated sockets and under virtual time.
final class SimulatedNettyTest extends BackendTest {

  private static final InetSocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 80);

  private VirtualClock clock;
  private SimulatedNetwork network;
  private SimulatedHost host;
  private Scheduler scheduler;
  private WaitForNetty netty;

  @BeforeEach
  void open() {
    clock = new VirtualClock();
    network = SimulatedNetwork.on(clock);
    host = network.host("host", "10.0.0.1");
    scheduler = clock.scheduler(builder());
    var _ = host.install(scheduler);
    netty = WaitForNetty.on(scheduler);
  }

  @AfterEach
  void nothingIsLeft() {
    int open = netty.openCount();
    scheduler.close();
    assertEquals(0, open);
    assertEquals(List.of(), takeReported());
  }

  private void run(TaskAction<?> main) {
    runOn(
        scheduler,
        () -> {
          main.run();
          return null;
        });
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
  }

  private static String text(NettyChannel channel) throws Exception {
    ByteBuf received = channel.receive(ByteBuf.class);
    assertNotNull(received);
    try {
      return received.toString(StandardCharsets.UTF_8);
    } finally {
      received.release();
    }
  }

  /// A recording has it, and is the same in each run of a seed.
  @Test
  void waitable_ofAFuture_isDescribedWithoutItsIdentity() {
    run(() -> {
      Promise<String> promise = netty.group().next().newPromise();
      assertEquals("completion of DefaultPromise(incomplete)", netty.waitable(promise).toString());
    });
  }

  @Test
  void echo_overASlowLink_takesVirtualTime() {
    network.links().latency(Duration.ofMillis(10));
    run(() -> {
      try (var listener = netty.listen(ADDRESS, NettyRig.handlers(channel -> {}));
          var client = netty.connect(ADDRESS, NettyRig.handlers(channel -> {}));
          var server = listener.accept()) {
        for (int i = 0; i < 100; i++) {
          client.send(bytes("ping " + i));
          assertEquals("ping " + i, text(server));
          server.send(bytes("pong " + i));
          assertEquals("pong " + i, text(client));
        }
      }
    });
  }

  @Test
  void receive_nothingComes_timesOutAfterAVirtualHour() {
    run(() -> {
      try (var listener = netty.listen(ADDRESS, NettyRig.handlers(channel -> {}));
          var client = netty.connect(ADDRESS, NettyRig.handlers(channel -> {}));
          var server = listener.accept()) {
        Duration before = clock.elapsed();
        assertThrows(
            TimedOutException.class, () -> ChannelControl.of(server).receive(Duration.ofHours(1)));
        assertEquals(Duration.ofHours(1), clock.elapsed().minus(before));
        client.send(bytes("late"));
        assertEquals("late", text(server));
      }
    });
  }

  @Test
  void httpClient_inTheWorld_waitsInVirtualTime() {
    network.links().latency(Duration.ofMillis(10));
    run(() -> {
      var settings =
          HttpClientLimits.USUAL.withTimes(
              Duration.ofMinutes(1),
              Duration.ofHours(1),
              Duration.ofMinutes(1),
              Duration.ofMinutes(5));
      try (HttpServer server =
              HttpServer.builder(scheduler)
                  .limits(
                      HttpLimits.USUAL.withTimes(
                          Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1)))
                  .get("/", exchange -> exchange.respondText("hello"))
                  .get(
                      "/late",
                      exchange -> {
                        WaitForTime.on(scheduler).sleep(Duration.ofHours(2));
                        exchange.respondText("late");
                      })
                  .listen(ADDRESS);
          HttpClient client = HttpClient.builder(scheduler).limits(settings).build()) {
        URI root = URI.create("http://10.0.0.1/");
        assertEquals("hello", client.get(root).bodyText());
        Duration before = clock.elapsed();
        assertThrows(SocketTimeoutException.class, () -> client.get(root.resolve("/late")));
        assertEquals(Duration.ofHours(1).toMinutes(), clock.elapsed().minus(before).toMinutes());
        assertEquals("hello", client.get(root).bodyText());
        assertEquals(1, client.connectionCount());
        WaitForTime.on(scheduler).sleep(Duration.ofMinutes(4));
        assertEquals(1, client.connectionCount());
        WaitForTime.on(scheduler).sleep(Duration.ofMinutes(2));
        assertEquals(0, client.connectionCount());
        var _ = network.host("far", "10.0.0.2");
        network.links().cut();
        before = clock.elapsed();
        assertThrows(
            SocketTimeoutException.class, () -> client.get(URI.create("http://10.0.0.2/")));
        assertEquals(1, clock.elapsed().minus(before).toMinutes());
        assertEquals(0, client.connectionCount());
        assertEquals(3, server.requestCount()); // the late one was cancelled
      }
    });
  }

  @Test
  void httpServer_inTheWorld_hasTheDateOfTheVirtualClock() {
    run(() -> {
      clock.startAt(Instant.parse("2026-03-29T00:00:00Z"));
      WaitForTime.on(scheduler).sleep(Duration.ofHours(1));
      try (HttpServer server =
              HttpServer.builder(scheduler)
                  .get("/", exchange -> exchange.respondText("hello"))
                  .listen(ADDRESS);
          HttpClient client = HttpClient.builder(scheduler).build()) {
        var response = client.get(URI.create("http://10.0.0.1/"));
        assertEquals("Sun, 29 Mar 2026 01:00:00 GMT", response.headers().get("date"));
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void schedule_inAWorldWithoutAChannel_runsInTime() {
    var ran = new ArrayList<Duration>();
    try (World world = World.withSeed(1)) {
      world.host(
          "host",
          it -> {
            var own = WaitForNetty.on(it.application().scheduler());
            var _ = own.group().schedule(() -> ran.add(world.elapsed()), 3, TimeUnit.HOURS);
            it.application().sleep(Duration.ofHours(5));
          });
      world.runFor(Duration.ofHours(4));
    }
    assertEquals(List.of(Duration.ofHours(3)), ran);
  }

  @Test
  void schedule_nettysTimers_areOnVirtualTime() {
    run(() -> {
      Duration before = clock.elapsed();
      netty.await(netty.group().schedule(() -> {}, 3, TimeUnit.HOURS));
      assertEquals(Duration.ofHours(3), clock.elapsed().minus(before));
    });
  }

  @Test
  void connect_cut_failsAfterNettysLimit() {
    run(() -> {
      var far = new InetSocketAddress(network.host("far", "10.0.0.2").addresses().getFirst(), 80);
      network.links().cut();
      var bootstrap =
          netty
              .bootstrap()
              .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 5_000)
              .handler(NettyRig.handlers(channel -> {}));
      Duration before = clock.elapsed();
      assertThrows(
          ConnectTimeoutException.class,
          () -> scheduler.host().awaitEvent(netty.connecting(bootstrap, far)));
      assertEquals(5, clock.elapsed().minus(before).toSeconds());
    });
  }

  @Test
  void connect_halfOpenWhenItsTimeIsOver_isClosed() {
    run(() -> {
      var far = new InetSocketAddress(network.host("far", "10.0.0.2").addresses().getFirst(), 80);
      network.links().cut();
      Duration before = clock.elapsed();
      assertThrows(
          TimedOutException.class,
          () ->
              scheduler.within(
                  Duration.ofSeconds(2),
                  () -> netty.connect(far, NettyRig.handlers(channel -> {}))));
      assertEquals(2, clock.elapsed().minus(before).toSeconds());
      scheduler.yield();
      WaitForTime.on(scheduler).sleep(Duration.ofNanos(1));
      assertEquals(0, netty.openCount());
    });
  }

  @Test
  void socketOfTheIoAddOn_toAChannel_isServed() {
    run(() -> {
      try (var listener = netty.listen(ADDRESS, NettyRig.handlers(channel -> {}))) {
        Task<Void> echo =
            scheduler.spawn(
                "echo",
                () -> {
                  try (var channel = listener.accept()) {
                    for (Object each; (each = channel.receive()) != null; ) {
                      channel.send(each);
                    }
                  }
                });
        try (TcpSocket socket = WaitForIO.on(scheduler).connect(ADDRESS)) {
          for (int i = 0; i < 20; i++) {
            WaitForTime.on(scheduler).sleep(Duration.ofMinutes(1));
            socket.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)));
            var answer = ByteBuffer.allocate(5);
            socket.readFully(answer);
            assertEquals("hello", new String(answer.array(), StandardCharsets.UTF_8));
          }
        }
        echo.join();
      }
    });
  }

  @Test
  void receive_peerCrashes_ends() {
    run(() -> {
      SimulatedHost far = network.host("far", "10.0.0.2");
      try (var listener = netty.listen(ADDRESS, NettyRig.handlers(channel -> {}))) {
        var outside = far.provider().openSocketChannel();
        outside.configureBlocking(false);
        boolean _ = outside.connect(ADDRESS);
        try (var server = listener.accept()) {
          outside.close();
          assertNull(server.receive());
        }
      }
    });
  }
}
