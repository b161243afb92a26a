package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.http.client.HttpBodyWriter;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientBuilder;
import dev.rondo.http.client.HttpClientLimits;
import dev.rondo.http.client.HttpClientRequest;
import dev.rondo.http.client.HttpRedirects;
import dev.rondo.http.files.StaticFiles;
import dev.rondo.http.server.HttpAccess;
import dev.rondo.http.server.HttpCompression;
import dev.rondo.http.server.HttpHandler;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpServerBuilder;
import dev.rondo.http.server.HttpStatusException;
import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.NullArguments;
import dev.rondo.time.WaitForTime;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class HttpNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(() -> Scheduler.builder().build())
          .sample(WaitForNetty.class, WaitForNetty::on)
          .sample(SocketAddress.class, scheduler -> NettyRig.anyPort())
          .sample(HttpMethod.class, scheduler -> HttpMethod.GET)
          .sample(HttpResponseStatus.class, scheduler -> HttpResponseStatus.OK)
          .sample(HttpHandler.class, scheduler -> exchange -> {})
          .sample(HttpCompression.class, scheduler -> HttpCompression.USUAL)
          .sample(HttpLimits.class, scheduler -> HttpLimits.USUAL)
          .sample(SslContext.class, scheduler -> context())
          .sample(StaticFiles.class, scheduler -> StaticFiles.of(Path.of("none")))
          .sample(Path.class, scheduler -> Path.of("none"))
          .sample(KeyStore.class, scheduler -> KeyStore.getInstance("PKCS12"))
          .sample(InstantSource.class, scheduler -> InstantSource.system())
          .sample(HttpServerBuilder.class, HttpServer::builder)
          .sample(HttpClientLimits.class, scheduler -> HttpClientLimits.USUAL)
          .sample(HttpRedirects.class, scheduler -> HttpRedirects.NORMAL)
          .sample(URI.class, scheduler -> URI.create("http://127.0.0.1/"))
          .sample(HttpBodyWriter.class, scheduler -> out -> {})
          .sample(HttpClientBuilder.class, HttpClient::builder)
          .sample(
              HttpClientRequest.class,
              scheduler -> client(scheduler).request(HttpMethod.GET, URI.create("http://a/")))
          .opened(HttpClient.class, HttpNullArgumentTest::client)
          .opened(
              HttpServer.class,
              scheduler -> {
                var _ = WaitForTime.on(scheduler);
                return HttpServer.builder(scheduler).listen(NettyRig.anyPort());
              });

  private static HttpClient client(Scheduler scheduler) {
    var _ = WaitForTime.on(scheduler);
    return HttpClient.builder(scheduler).build();
  }

  private static SslContext context() throws NoSuchAlgorithmException {
    return new JdkSslContext(
        SSLContext.getDefault(),
        false,
        null,
        IdentityCipherSuiteFilter.INSTANCE,
        null,
        ClientAuth.NONE,
        null,
        false);
  }

  @Test
  void null_anywhere_isRefusedByName() throws Exception {
    assertEquals(
        List.of(),
        arguments.notRefusedBy(
            HttpServer.class,
            HttpServerBuilder.class,
            HttpCompression.class,
            HttpLimits.class,
            HttpClient.class,
            HttpClientBuilder.class,
            HttpClientLimits.class,
            HttpClientRequest.class,
            HttpAccess.class,
            HttpStatusException.class,
            StaticFiles.class,
            WebSocketSettings.class));
  }
}
