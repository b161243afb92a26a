package dev.rondo.http.client;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import io.netty.bootstrap.Bootstrap;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// The settings of a client. Made by [HttpClient#builder].
///
/// Confined to the scheduler's thread.
public final class HttpClientBuilder {

  private final Scheduler scheduler;
  private HttpClientLimits limits = HttpClientLimits.USUAL;
  private HttpRedirects redirects = HttpRedirects.NORMAL;
  private Consumer<Bootstrap> options = bootstrap -> {};

  /// Null for the certificates that the JDK trusts.
  private @Nullable TrustManagerFactory trusted;

  /// Null for a context that is made here.
  private @Nullable SslContext tls;

  private boolean offersHttp2 = true;
  private boolean knowsHttp2;

  /// Null for direct connections to all servers.
  private @Nullable HttpProxy proxy;

  HttpClientBuilder(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /// Sets the limits of the client and of its servers. The default is [HttpClientLimits#USUAL].
  ///
  /// @param allowed for each origin, and for all
  /// @return this
  public HttpClientBuilder limits(HttpClientLimits allowed) {
    limits = Objects.requireNonNull(allowed, "allowed is null");
    return this;
  }

  /// Sets the redirects that the client follows. The default is [HttpRedirects#NORMAL].
  ///
  /// @param followed the redirects
  /// @return this
  public HttpClientBuilder redirects(HttpRedirects followed) {
    redirects = Objects.requireNonNull(followed, "followed is null");
    return this;
  }

  /// Sets the trusted certificates, which replace the certificates of the JDK.
  ///
  /// @param certificates of roots, or of servers
  /// @return this
  /// @throws IOException if the certificates cannot be used
  public HttpClientBuilder trust(KeyStore certificates) throws IOException {
    Objects.requireNonNull(certificates, "certificates is null");
    trusted = ClientTls.trust(certificates);
    return this;
  }

  /// Sets the trusted certificates, which replace the certificates of the JDK. Never a suspension
  /// point; reads the file.
  ///
  /// @param certificates a PEM file with certificates of roots, or of servers
  /// @return this
  /// @throws IOException if the file cannot be read, or has no certificate
  public HttpClientBuilder trust(Path certificates) throws IOException {
    Objects.requireNonNull(certificates, "certificates is null");
    trusted = ClientTls.trust(certificates);
    return this;
  }

  /// Sets a Netty context for TLS, for instance with a certificate of the client. The context
  /// decides which certificates are trusted, and what ALPN offers. The client checks in any case
  /// that the server's certificate is for the host.
  ///
  /// @param context for clients
  /// @return this
  /// @throws IllegalArgumentException if the context is for servers
  public HttpClientBuilder tls(SslContext context) {
    Objects.requireNonNull(context, "context is null");
    if (!context.isClient()) {
      throw new IllegalArgumentException("the context is for servers; required: for clients");
    }
    tls = context;
    return this;
  }

  /// Restricts requests to servers of `https` to HTTP/1.1.
  ///
  /// @return this
  public HttpClientBuilder http1Only() {
    offersHttp2 = false;
    return this;
  }

  /// Sends requests to servers of `http` in HTTP/2. A request to a server that does not know HTTP/2
  /// fails.
  ///
  /// @return this
  public HttpClientBuilder http2PriorKnowledge() {
    knowsHttp2 = true;
    return this;
  }

  /// Sends requests through a proxy. By default requests go to the servers directly; proxy settings
  /// of the system and the JVM are not read.
  ///
  /// @param through the proxy
  /// @return this
  public HttpClientBuilder proxy(HttpProxy through) {
    proxy = Objects.requireNonNull(through, "through is null");
    return this;
  }

  /// Sets Netty options of connections.
  ///
  /// @param setter called for each connection; it must not set a handler
  /// @return this
  public HttpClientBuilder options(Consumer<Bootstrap> setter) {
    options = Objects.requireNonNull(setter, "setter is null");
    return this;
  }

  /// Makes a client. Never a suspension point.
  ///
  /// @return the client, which the caller closes
  /// @throws IllegalStateException if the scheduler has no timers: install `WaitForTime`
  public HttpClient build() {
    if (!LoopControl.of(scheduler.host()).hasTimerService()) {
      throw new IllegalStateException(
          "the limits of a client require timers: call WaitForTime.on(scheduler) before");
    }
    return new HttpClient(
        scheduler,
        new ClientSetup(
            limits, redirects, context(), offersHttp2, knowsHttp2, proxy, false, options));
  }

  /// The JDK's certificates are read when the first connection needs them.
  private Supplier<SslContext> context() {
    SslContext given = tls;
    if (given != null) {
      return () -> given;
    }
    TrustManagerFactory managers = trusted;
    boolean both = offersHttp2;
    var made = new SslContext[1];
    return () -> {
      SslContext context = made[0];
      if (context == null) {
        context = ClientTls.context(managers, both);
        made[0] = context;
      }
      return context;
    };
  }
}
