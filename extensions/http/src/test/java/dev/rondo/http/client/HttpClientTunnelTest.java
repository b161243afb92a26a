package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.http.HttpClientRig;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;

/// A tunnel through a proxy that is given up before it is open. The clock stands still: what waits
/// for a limit waits until the test's own.
final class HttpClientTunnelTest extends HttpClientRig {

  private static final Ticker STANDS_STILL =
      new Ticker() {
        @Override
        public long read() {
          return 0;
        }
      };

  @Override
  protected SchedulerBuilder settings() {
    return super.settings().ticker(STANDS_STILL);
  }

  private static HttpProxy address(NettyListener proxy) {
    return HttpProxy.of("127.0.0.1", ((InetSocketAddress) proxy.localAddress()).getPort());
  }

  /// TLS would wait for its last message, which waits for the tunnel.
  @Test
  void https_taskIsCancelledWhileTheProxyIsSilent_closesAtOnce() {
    run(() -> {
      try (NettyListener proxy = listen();
          HttpClient client = newClient(builder -> builder.proxy(address(proxy)))) {
        Task<?> waiting =
            scheduler.spawn("waiting", () -> client.get(URI.create("https://behind.invalid/")));
        try (NettyChannel connection = proxy.accept()) {
          assertEquals("CONNECT behind.invalid:443", head(connection).substring(0, 26));
          waiting.cancel("enough");
          assertThrows(Exception.class, waiting::join);
          assertTrue(isGone(connection));
        }
        assertEquals(0, client.connectionCount());
      }
    });
  }
}
