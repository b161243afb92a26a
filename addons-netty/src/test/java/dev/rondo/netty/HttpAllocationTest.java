package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.rondo.netty.http.HttpServer;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.WaitForTime;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a request allocates on the scheduler's thread, as the JVM counts it for the thread: a
/// figure that depends on the load of the machine only through its compilers. The client has a
/// thread of its own.
final class HttpAllocationTest extends BackendTest {

  private static final int REQUESTS = 300; // before compilers remove some of it
  private static final int ROUNDS = 3;
  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /// It is about 2,100 before compilers remove some of it, and 1,600 later; even the latter was
  /// 2,800 before requests lost a suspension.
  private static final long MOST_BYTES = 2_400;

  private ResourceLeakDetector.Level level;

  @BeforeEach
  void detectNoLeaks() {
    level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED); // each buffer costs it some
  }

  @AfterEach
  void detectLeaksAgain() {
    ResourceLeakDetector.setLevel(level);
    assertEquals(List.of(), takeReported());
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  @Test
  void request_ofHttp11_allocatesLittle() throws Exception {
    try (Scheduler scheduler = builder().build()) {
      assumeTrue(scheduler.host().backend().sharesThread(), "elsewhere a task has a thread");
      var _ = WaitForTime.on(scheduler);
      long[] bytes = new long[1];
      var _ =
          scheduler.spawn(
              "test",
              () -> {
                var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
                try (HttpServer server =
                    HttpServer.builder(scheduler)
                        .get("/", exchange -> exchange.respondText("hello"))
                        .listen(address)) {
                  bytes[0] = bytesPerRequest(scheduler, (InetSocketAddress) server.localAddress());
                }
              });
      scheduler.start();
      assertTrue(bytes[0] > 0 && bytes[0] < MOST_BYTES, () -> bytes[0] + " bytes");
    }
  }

  private static long bytesPerRequest(Scheduler scheduler, InetSocketAddress address) {
    long bytes = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long before = allocated();
      var done = new CompletableFuture<Void>();
      Thread.ofPlatform().start(() -> ask(address, done));
      var _ = scheduler.await(scheduler.completion(done));
      bytes = allocated() - before;
    }
    return bytes / REQUESTS;
  }

  private static void ask(InetSocketAddress address, CompletableFuture<Void> done) {
    try (var socket = new Socket(address.getAddress(), address.getPort())) {
      for (int i = 0; i < REQUESTS; i++) {
        socket.getOutputStream().write(REQUEST);
        receive(socket.getInputStream());
      }
      done.complete(null);
    } catch (IOException | RuntimeException e) {
      done.completeExceptionally(e);
    }
  }

  /// Receives until the body.
  private static void receive(InputStream in) throws IOException {
    byte[] part = new byte[1_024];
    int n;
    do {
      n = in.read(part);
      if (n < 0) {
        throw new IOException("the server has closed the connection");
      }
    } while (!new String(part, 0, n, StandardCharsets.US_ASCII).endsWith("hello"));
  }
}
