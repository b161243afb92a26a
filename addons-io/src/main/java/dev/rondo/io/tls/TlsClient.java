package dev.rondo.io.tls;

import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.io.internal.Arguments;
import dev.rondo.io.internal.OptionalLibrary;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.ByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// Connects by TLS. The client sends the host's name (SNI); the server's certificate must be for
/// that name, and the context must trust it. The context also has the client's own certificate, if
/// any.
///
/// Immutable. Its sockets are confined to the scheduler's thread.
public final class TlsClient {

  private final Scheduler scheduler;
  private final SSLContext context;
  private final List<String> protocols;

  private TlsClient(Scheduler scheduler, SSLContext context, List<String> protocols) {
    this.scheduler = scheduler;
    this.context = context;
    this.protocols = protocols;
  }

  /// Makes a client that requests no application protocol. Never a suspension point.
  ///
  /// @param scheduler whose tasks connect
  /// @param context the certificates to trust, and the client's own
  /// @throws IllegalStateException if tls-channel is missing; the message says what to add
  public TlsClient(Scheduler scheduler, SSLContext context) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    Objects.requireNonNull(context, "context is null");
    OptionalLibrary.TLS_CHANNEL.require();
    this(scheduler, context, List.of());
  }

  /// {@return the same client, requesting one of these protocols by ALPN (RFC 7301)}
  ///
  /// @param names the preferred first: `h2`, `http/1.1`
  public TlsClient applicationProtocols(String... names) {
    Objects.requireNonNull(names, "names is null");
    Arguments.requireElements(Arrays.asList(names), "name is null");
    return new TlsClient(scheduler, context, List.of(names));
  }

  /// Connects to a host and negotiates. A *possible* suspension point.
  ///
  /// @param host a name or a numeric address; the server's certificate must be for it
  /// @param port from 1 to 65535
  /// @return the connected socket, which the caller closes
  /// @throws javax.net.ssl.SSLHandshakeException if the server is not trusted, or the two sides do
  ///   not agree; nothing stays open
  /// @throws IOException as [WaitForIO#connect(String, int)] does; nothing stays open
  public TlsSocket connect(String host, int port) throws IOException {
    Objects.requireNonNull(host, "host is null");
    TcpSocket socket = WaitForIO.on(scheduler).connect(host, port);
    try {
      TlsSocket secured = over(socket, host);
      secured.handshake();
      return secured;
    } catch (Throwable e) {
      try {
        socket.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /// {@return a TLS connection over a channel} The first operation negotiates. Never a suspension
  /// point.
  ///
  /// The certificate and the SNI have a name without the dot at its end. A host that is not a DNS
  /// name, for instance because it has an underscore, is not sent as SNI, and the handshake fails.
  ///
  /// @param channel connected, whose reads and writes suspend; closed with the TLS socket
  /// @param host a name or a numeric address; the server's certificate must be for it
  public TlsSocket over(ByteChannel channel, String host) {
    Objects.requireNonNull(channel, "channel is null");
    Objects.requireNonNull(host, "host is null");
    String name = withoutDot(host);
    SSLEngine engine = context.createSSLEngine(name, -1);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // RFC 2818: the name must match
    parameters.setServerNames(serverNames(name));
    parameters.setApplicationProtocols(protocols.toArray(String[]::new));
    engine.setSSLParameters(parameters);
    var memory = new MemoryChannel();
    String peer = channel + " to host '" + host + "'";
    return new TlsSocket(scheduler, channel, peer, memory, TlsChannels.ofClient(memory, engine));
  }

  private static String withoutDot(String host) {
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static List<SNIServerName> serverNames(String host) {
    if (isNumeric(host)) {
      return List.of();
    }
    try {
      return List.of(new SNIHostName(host));
    } catch (IllegalArgumentException noName) {
      return List.of();
    }
  }

  /// Server names are never numeric: RFC 6066, section 3.
  private static boolean isNumeric(String host) {
    try {
      InetAddress.ofLiteral(host);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
