package dev.rondo.cluster.internal.jgroups;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// Asks an address at which no member was found why: what listens there may refuse this node, which
/// JGroups does not tell it.
final class Inquiry {

  private static final int CONNECT_MILLIS = 500;

  /// How long what listens there has to refuse. A member of the cluster says nothing.
  private static final int ANSWER_MILLIS = 500;

  /// Not how TLS begins, and longer than the head of its records.
  private static final byte[] PLAIN = "rondo?".getBytes(StandardCharsets.US_ASCII);

  /// The first byte of an alert of TLS.
  private static final int ALERT = 0x15;

  private Inquiry() {}

  /// {@return what the addresses say that refuse this node} One at which nothing listens, or which
  /// says nothing, is not among them. Blocks for some second at most.
  static Map<InetSocketAddress, String> refusals(
      ClusterConfig config, List<InetSocketAddress> addresses) {
    Map<InetSocketAddress, String> said = new ConcurrentSkipListMap<>(comparing(Object::toString));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (InetSocketAddress each : addresses) {
        threads.execute(() -> refusal(config, each).ifPresent(text -> said.put(each, text)));
      }
    }
    return said;
  }

  private static Optional<String> refusal(ClusterConfig config, InetSocketAddress at) {
    ClusterTls tls = config.tls();
    try (var socket = new Socket()) {
      var here = requireNonNull(config.address()).getAddress();
      socket.bind(new InetSocketAddress(here, 0));
      socket.connect(
          at.isUnresolved() ? new InetSocketAddress(at.getHostString(), at.getPort()) : at,
          CONNECT_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      return said(socket, tls == null ? null : tls.context());
    } catch (IOException e) {
      return Optional.empty(); // nothing listens there
    }
  }

  private static Optional<String> said(Socket socket, @Nullable SSLContext tls) {
    try {
      if (tls == null) {
        socket.getOutputStream().write(PLAIN);
        return socket.getInputStream().read() == ALERT
            ? Optional.of("it demands TLS")
            : Optional.empty(); // a member without TLS closes a connection that says nothing known
      }
      String host = socket.getInetAddress().getHostAddress();
      var secure =
          (SSLSocket) tls.getSocketFactory().createSocket(socket, host, socket.getPort(), true);
      secure.setEnabledProtocols(new String[] {"TLSv1.3"});
      secure.startHandshake();
      var _ = secure.getInputStream().read(); // it may refuse the certificate of this node
      return Optional.empty();
    } catch (SocketTimeoutException e) {
      return Optional.empty();
    } catch (SSLException e) {
      return Optional.of("TLS with it fails: " + e.getMessage());
    } catch (IOException e) {
      return Optional.empty(); // it went away
    }
  }
}
