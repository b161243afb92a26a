package dev.rondo.cluster.internal.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.scheduler.testing.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What a node with TLS says of an address at which the handshake ends without a word.
final class InquiryTest {

  private static final int ALERT = 0x15;
  private static final int HANDSHAKE = 0x16;

  private static Map<InetSocketAddress, String> refusals(InetSocketAddress at) throws Exception {
    var tls =
        ClusterTls.of(Certificates.keys("a"), "changeit".toCharArray(), Certificates.trusting("b"));
    ClusterConfig config =
        ClusterConfig.of("a")
            .at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .secured(tls);
    return Inquiry.refusals(config, List.of(at));
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
  }

  private static InetSocketAddress at(ServerSocket socket) {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  /// Ends each handshake, and listens no more after some connections.
  ///
  /// @param alerting how many of them, the last ones, answer what is no TLS with an alert
  private static InetSocketAddress ending(int connections, int alerting) throws IOException {
    ServerSocket listening = listening();
    InetSocketAddress at = at(listening);
    var _ =
        Thread.startVirtualThread(() -> {
          try (listening) {
            for (int left = connections; left > 0; left--) {
              try (Socket each = listening.accept()) {
                if (each.getInputStream().read() != HANDSHAKE && left <= alerting) {
                  each.getOutputStream().write(ALERT);
                }
              }
            }
          } catch (IOException e) {
            // The node has closed its connection.
          }
        });
    return at;
  }

  @Test
  void aHandshakeThatEndsWithoutAWord_isToldApart() throws Exception {
    InetSocketAddress leaving = ending(2, 2);
    assertEquals(Map.of(), refusals(leaving));
    InetSocketAddress plain = ending(6, 0);
    assertEquals(Map.of(plain, "it has no TLS"), refusals(plain));
    InetSocketAddress secured = ending(6, 6);
    assertEquals(Map.of(secured, "it ends TLS without a word"), refusals(secured));
  }

  /// A member with TLS may end any connection so, as when it goes away or starts.
  @Test
  void aPlainConnectionThatEndsWithoutAWord_isNoProof() throws Exception {
    InetSocketAddress leaving = ending(2, 0);
    assertEquals(Map.of(), refusals(leaving));
    InetSocketAddress secured = ending(6, 4);
    assertEquals(Map.of(secured, "it ends TLS without a word"), refusals(secured));
  }

  @Test
  void whereNothingListens_nothingRefuses() throws Exception {
    InetSocketAddress nobody;
    try (ServerSocket listening = listening()) {
      nobody = at(listening);
    }
    assertEquals(Map.of(), refusals(nobody));
  }
}
