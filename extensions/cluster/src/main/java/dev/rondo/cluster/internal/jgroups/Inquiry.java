package dev.rondo.cluster.internal.jgroups;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/// Asks an address at which no member was found why: what listens there may refuse this node, which
/// JGroups does not tell it.
final class Inquiry {

  private static final int CONNECT_MILLIS = 500;

  /// How long what listens there has to refuse. A member of the cluster says nothing.
  private static final int ANSWER_MILLIS = 1_500;

  /// How often a connection may end without a word until that counts as a refusal: what has TLS may
  /// end any while it starts or goes away.
  private static final int ATTEMPTS = 3;

  /// Not how TLS begins, and longer than the head of its records.
  private static final byte[] PLAIN = "rondo?".getBytes(StandardCharsets.US_ASCII);

  /// The first byte of an alert of TLS.
  private static final int ALERT = 0x15;

  /// An alert about a certificate.
  private static final Pattern REFUSED = Pattern.compile("alert: .*(certificate|unknown_ca)");

  /// Said of an address whose member, or this node, may be too busy for a handshake.
  private static final String WITHOUT_A_WORD = "it ends TLS without a word";

  private Inquiry() {}

  /// {@return what the addresses say that refuse this node} One at which nothing listens, or which
  /// says nothing, is not among them. Blocks for some seconds at most.
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

  /// Whether each of the addresses may be the one of a busy member.
  static boolean mayBeBusy(Map<InetSocketAddress, String> refusals) {
    return !refusals.isEmpty() && refusals.values().stream().allMatch(WITHOUT_A_WORD::equals);
  }

  private static Optional<String> refusal(ClusterConfig config, InetSocketAddress at) {
    ClusterTls tls = config.tls();
    try {
      if (tls == null) {
        return answer(config, at) == ALERT ? Optional.of("it demands TLS") : Optional.empty();
      }
      int alerts = 0;
      for (int i = 0; i < ATTEMPTS; i++) {
        if (!isEnded(config, at, requireNonNull(tls.context()))) {
          return Optional.empty();
        }
        alerts += answer(config, at) == ALERT ? 1 : 0;
      }
      return Optional.of(alerts == 0 ? "it has no TLS" : WITHOUT_A_WORD);
    } catch (SSLException e) {
      return Optional.of(reason(e));
    } catch (IOException e) {
      return Optional.empty(); // nothing listens there, or it says nothing
    }
  }

  /// Whether it ends the connection without a word, as it may when it goes away.
  ///
  /// @throws SSLException if it says why it refuses this node, or this node refuses it
  private static boolean isEnded(ClusterConfig config, InetSocketAddress at, SSLContext tls)
      throws IOException {
    try (Socket socket = connected(config, at)) {
      String host = socket.getInetAddress().getHostAddress();
      var secure =
          (SSLSocket) tls.getSocketFactory().createSocket(socket, host, socket.getPort(), true);
      secure.setEnabledProtocols(new String[] {"TLSv1.3"});
      secure.startHandshake();
      var _ = secure.getInputStream().read(); // it may refuse the certificate of this node
      return false; // a member that is sent nothing closes the connection
    } catch (SSLException e) {
      if (e.getCause() instanceof EOFException) {
        return true;
      }
      throw e;
    } catch (SocketException e) {
      return true;
    }
  }

  private static String reason(SSLException failure) {
    String text = "" + failure.getMessage();
    if (failure.getCause() instanceof CertificateException) {
      return "its certificate is not trusted: " + text;
    }
    return (REFUSED.matcher(text).find()
            ? "it refuses the certificate of this node: "
            : "TLS with it fails: ")
        + text;
  }

  private static Socket connected(ClusterConfig config, InetSocketAddress at) throws IOException {
    var socket = new Socket();
    boolean isDone = false;
    try {
      socket.bind(new InetSocketAddress(requireNonNull(config.address()).getAddress(), 0));
      socket.connect(
          at.isUnresolved() ? new InetSocketAddress(at.getHostString(), at.getPort()) : at,
          CONNECT_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      isDone = true;
      return socket;
    } finally {
      if (!isDone) {
        socket.close();
      }
    }
  }

  /// {@return the first byte that answers bytes which are not TLS; negative if there is none} A
  /// member without TLS closes the connection.
  private static int answer(ClusterConfig config, InetSocketAddress at) throws IOException {
    try (Socket socket = connected(config, at)) {
      try {
        socket.getOutputStream().write(PLAIN);
        return socket.getInputStream().read();
      } catch (SocketException e) {
        return -1; // closed before it has read all
      }
    }
  }
}
