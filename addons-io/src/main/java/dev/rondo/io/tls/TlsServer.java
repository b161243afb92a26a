package dev.rondo.io.tls;

import dev.rondo.io.internal.OptionalLibrary;
import dev.rondo.scheduler.Scheduler;
import java.nio.channels.ByteChannel;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// How to serve by TLS: with which certificate for which host's name, which protocols of the
/// application, and whether clients must say who they are.
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

  /// {@return a server with one certificate that asks clients for none} Never a suspension point.
  ///
  /// @param scheduler whose tasks serve
  /// @param context who we are, and which clients to trust
  /// @throws IllegalStateException if tls-channel is not there; the message says what to add
  public static TlsServer create(Scheduler scheduler, SSLContext context) {
    Objects.requireNonNull(context, "context");
    Optional<SSLContext> only = Optional.of(context);
    return create(scheduler, name -> only);
  }

  /// {@return a server with a certificate for each name that clients ask for (SNI, RFC 6066)} Never
  /// a suspension point.
  ///
  /// @param scheduler whose tasks serve
  /// @param contexts who we are for a name, empty if the client gives none; the function returns
  ///   nothing to refuse it, and must not suspend
  /// @throws IllegalStateException if tls-channel is not there; the message says what to add
  public static TlsServer create(
      Scheduler scheduler, Function<? super Optional<String>, Optional<SSLContext>> contexts) {
    OptionalLibrary.TLS_CHANNEL.require();
    Objects.requireNonNull(contexts, "contexts");
    return new TlsServer(scheduler, contexts, List.of(), ClientCertificates.NONE);
  }

  /// {@return the same server offering these protocols by ALPN (RFC 7301)} A client that asks for
  /// others only is refused.
  ///
  /// @param names the preferred first
  public TlsServer applicationProtocols(String... names) {
    return new TlsServer(scheduler, contexts, List.of(names), clients);
  }

  /// {@return the same server asking clients who they are, or not}
  ///
  /// @param wanted whether it does
  public TlsServer clientCertificates(ClientCertificates wanted) {
    Objects.requireNonNull(wanted, "wanted");
    return new TlsServer(scheduler, contexts, protocols, wanted);
  }

  /// {@return a TLS connection over an accepted channel} The first operation negotiates, so do it
  /// in a task of the connection's own. Never a suspension point.
  ///
  /// @param channel whose reads and writes suspend; closed with the TLS socket
  public TlsSocket over(ByteChannel channel) {
    var wire = new MemoryChannel();
    var tls = TlsChannels.ofServer(wire, sni -> contexts.apply(name(sni)), this::engine);
    return new TlsSocket(scheduler, channel, "" + channel, wire, tls);
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
