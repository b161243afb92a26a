package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.rondo.http.server.HttpServer;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.WaitForTime;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
  private static final int TOGETHER = 30;

  /// It is about 2,100 before compilers remove some of it, and 1,600 later; even the latter was
  /// 2,800 before requests lost a suspension.
  private static final long MOST_BYTES = 2_400;

  private static final long MOST_BYTES_OF_HTTP2 = 7_000;

  /// It is 720 to 790, the first with compilers; a wait with a limit for each text makes it 980.
  private static final long MOST_BYTES_OF_A_TEXT = 900;

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
  void request_ofHttp11_allocatesLittle() {
    long bytes = bytesPerRequest(ManyRequests.Http1::new, 1);
    assertTrue(bytes < MOST_BYTES, () -> bytes + " bytes");
  }

  @Test
  void request_ofHttp2_allocatesLittle() {
    long bytes = bytesPerRequest(ManyRequests.Http2::new, TOGETHER);
    assertTrue(bytes < MOST_BYTES_OF_HTTP2, () -> bytes + " bytes");
  }

  @Test
  void text_ofAWebSocket_allocatesLittle() {
    long bytes = bytesPerRequest(ManyRequests.Texts::new, 1);
    assertTrue(bytes < MOST_BYTES_OF_A_TEXT, () -> bytes + " bytes");
  }

  /// Makes a client, which connects.
  private interface Connecting {
    ManyRequests to(InetSocketAddress address) throws IOException;
  }

  /// @param together how many requests are sent at once
  private long bytesPerRequest(Connecting connecting, int together) {
    try (Scheduler scheduler = builder().build()) {
      assumeTrue(
          LoopControl.of(scheduler.host()).backend().sharesThread(),
          "elsewhere a task has a thread");
      var _ = WaitForTime.on(scheduler);
      long[] bytes = new long[1];
      runOn(
          scheduler,
          () -> {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (HttpServer server =
                HttpServer.builder(scheduler).get("/", ManyRequests::answer).listen(address)) {
              for (int i = 0; i < ROUNDS; i++) {
                long before = allocated();
                ask(scheduler, connecting, (InetSocketAddress) server.localAddress(), together);
                bytes[0] = allocated() - before;
              }
            }
            return null;
          });
      return bytes[0] / REQUESTS;
    }
  }

  private static void ask(
      Scheduler scheduler, Connecting connecting, InetSocketAddress address, int together) {
    var done = new CompletableFuture<Void>();
    Thread.ofPlatform()
        .start(() -> {
          try (ManyRequests client = connecting.to(address)) {
            for (int left = REQUESTS; left > 0; left -= together) {
              client.ask(together);
            }
            done.complete(null);
          } catch (IOException | RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    var _ = scheduler.await(scheduler.completion(done));
  }
}
