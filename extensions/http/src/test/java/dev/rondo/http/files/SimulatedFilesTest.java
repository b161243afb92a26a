package dev.rondo.http.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.SimulatedRig;
import dev.rondo.simulation.SimulatedDisk;
import dev.rondo.time.WaitForTime;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Files of a simulated disk, which has no descriptors to send from, under virtual time.
final class SimulatedFilesTest extends SimulatedRig {

  private static final Duration LATENCY = Duration.ofMillis(10);
  private static final String TEN = "0123456789";

  private Path folder;
  private String content;

  @BeforeEach
  void open() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(new Random(1)).latency(LATENCY, LATENCY);
    folder = Files.createDirectory(disk.path("/www"));
    content = TEN.repeat(100_000);
    Files.writeString(folder.resolve("large.txt"), content);
    Files.writeString(folder.resolve("index.html"), TEN);
  }

  private HttpServer serve() throws IOException {
    return HttpServer.builder(scheduler)
        .limits(
            HttpLimits.USUAL.withTimes(
                Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(5)))
        .files("/{n...}", StaticFiles.of(folder))
        .listen(ADDRESS);
  }

  private NettyChannel asked(String path) throws IOException {
    NettyChannel client = netty.connect(ADDRESS, NettyRig.handlers(channel -> {}));
    client.send(
        Unpooled.copiedBuffer(
            "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            StandardCharsets.ISO_8859_1));
    return client;
  }

  @Test
  void get_files_areReadFromTheDisk() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel small = asked("/");
          NettyChannel none = asked("/none")) {
        Duration before = clock.elapsed();
        assertEquals(TEN, HttpRig.body(HttpRig.rest(small)));
        assertEquals(LATENCY, clock.elapsed().minus(before)); // one operation
        assertTrue(HttpRig.rest(none).startsWith("HTTP/1.1 404 "));
        try (NettyChannel large = asked("/large.txt")) {
          assertEquals(content, HttpRig.body(HttpRig.rest(large)));
        }
        assertEquals(3, server.requestCount());
      }
    });
  }

  @Test
  void get_clientThatStopsReading_isDisconnected() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = asked("/large.txt")) {
        Duration before = clock.elapsed();
        while (server.requestCount() == 0) {
          WaitForTime.on(scheduler).sleep(Duration.ofMillis(100));
        }
        assertEquals(5, clock.elapsed().minus(before).toSeconds());
        WaitForTime.on(scheduler).sleep(Duration.ofMillis(1));
        assertEquals(0, server.connectionCount());
        assertTrue(client.channel().isOpen());
      }
    });
  }
}
