package dev.rondo.io.tls;

import dev.rondo.io.internal.Arguments;
import dev.rondo.io.internal.OptionalLibrary;
import dev.rondo.scheduler.Scheduler;
import java.nio.channels.ByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// Serves by TLS, with certificates for host names, application protocols, and requests for client
/// certificates.
///
/// Immutable. Its sockets are confined to the scheduler's thread.
public final class TlsServer {

  private final Scheduler scheduler;
  private final Function<? super Optional<String>, Optional<SSLContext>> contexts;
  private final List<String> protocols;
  private final ClientCertificates clients;

  private TlsServer(
      Scheduler scheduler,
      Function<? super Optional<String>, Optional<SSLContext>> contexts,
      List<String> protocols,
      ClientCertificates clients) {
    this.scheduler = scheduler;
    this.contexts = contexts;
    this.protocols = protocols;
    this.clients = clients;
  }

  /// Makes a server with one certificate, which requests no client certificates. Never a suspension
  /// point.
  ///
  /// @param scheduler whose tasks serve
  /// @param context the server's certificate, and the clients to trust
  /// @throws IllegalStateException if tls-channel is missing; the message says what to add
  public TlsServer(Scheduler scheduler, SSLContext context) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    Objects.requireNonNull(context, "context is null");
    Optional<SSLContext> only = Optional.of(context);
    this(scheduler, name -> only);
  }

  /// Makes a server with a certificate for each name that clients ask for (SNI, RFC 6066). Never a
  /// suspension point.
  ///
  /// The function is called in the handshake of each connection. It may begin to return another
  /// context, before a certificate expires; open connections are not affected.
  ///
  /// @param scheduler whose tasks serve
  /// @param contexts the server's identity for a name, which is empty if the client sends none; an
  ///   empty result refuses the client; must not suspend
  /// @throws IllegalStateException if tls-channel is missing; the message says what to add
  public TlsServer(
      Scheduler scheduler, Function<? super Optional<String>, Optional<SSLContext>> contexts) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    Objects.requireNonNull(contexts, "contexts is null");
    OptionalLibrary.TLS_CHANNEL.require();
    this(scheduler, contexts, List.of(), ClientCertificates.NONE);
  }

  /// {@return the same server, offering these protocols by ALPN (RFC 7301)} A client that requests
  /// only others is refused.
  ///
  /// @param names the preferred first
  public TlsServer applicationProtocols(String... names) {
    Objects.requireNonNull(names, "names is null");
    Arguments.requireElements(Arrays.asList(names), "name is null");
    return new TlsServer(scheduler, contexts, List.of(names), clients);
  }

  /// {@return the same server with another request for client certificates}
  ///
  /// @param wanted whether certificates are requested
  public TlsServer clientCertificates(ClientCertificates wanted) {
    Objects.requireNonNull(wanted, "wanted is null");
    return new TlsServer(scheduler, contexts, protocols, wanted);
  }

  /// {@return a TLS connection over an accepted channel} The first operation negotiates, so call it
  /// in a task for this connection. Never a suspension point.
  ///
  /// @param channel whose reads and writes suspend; closed with the TLS socket
  public TlsSocket over(ByteChannel channel) {
    Objects.requireNonNull(channel, "channel is null");
    var memory = new MemoryChannel();
    var tls = TlsChannels.ofServer(memory, sni -> contexts.apply(name(sni)), this::engine);
    return new TlsSocket(scheduler, channel, "" + channel, memory, tls);
  }

  private static Optional<String> name(Optional<SNIServerName> sni) {
    return sni.map(
        name -> name instanceof SNIHostName host ? host.getAsciiName() : name.toString());
  }

  private SSLEngine engine(SSLContext context) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setApplicationProtocols(protocols.toArray(String[]::new));
    switch (clients) {
      case NONE -> {}
      case WANTED -> parameters.setWantClientAuth(true);
      case REQUIRED -> parameters.setNeedClientAuth(true);
    }
    engine.setSSLParameters(parameters);
    return engine;
  }
}
