package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.netty.http.HttpAccess;
import dev.rondo.netty.http.HttpBodyWriter;
import dev.rondo.netty.http.HttpClient;
import dev.rondo.netty.http.HttpClientBuilder;
import dev.rondo.netty.http.HttpClientLimits;
import dev.rondo.netty.http.HttpClientRequest;
import dev.rondo.netty.http.HttpCompression;
import dev.rondo.netty.http.HttpHandler;
import dev.rondo.netty.http.HttpLimits;
import dev.rondo.netty.http.HttpRedirects;
import dev.rondo.netty.http.HttpServer;
import dev.rondo.netty.http.HttpServerBuilder;
import dev.rondo.netty.http.HttpStatusException;
import dev.rondo.netty.http.StaticFiles;
import dev.rondo.netty.http.WebSocketSettings;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.NullArguments;
import dev.rondo.time.WaitForTime;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
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
final class NettyNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(() -> Scheduler.builder().build())
          .sample(WaitForNetty.class, WaitForNetty::on)
          .sample(SocketAddress.class, scheduler -> NettyRig.anyPort())
          .sample(Bootstrap.class, scheduler -> WaitForNetty.on(scheduler).bootstrap())
          .sample(ServerBootstrap.class, scheduler -> WaitForNetty.on(scheduler).serverBootstrap())
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
          .opened(HttpClient.class, NettyNullArgumentTest::client)
          .opened(
              HttpServer.class,
              scheduler -> {
                var _ = WaitForTime.on(scheduler);
                return HttpServer.builder(scheduler).listen(NettyRig.anyPort());
              })
          .opened(
              NettyListener.class,
              scheduler ->
                  WaitForNetty.on(scheduler)
                      .listen(NettyRig.anyPort(), NettyRig.handlers(channel -> {})))
          .opened(
              NettyChannel.class,
              scheduler -> {
                WaitForNetty netty = WaitForNetty.on(scheduler);
                var listener = netty.listen(NettyRig.anyPort(), NettyRig.handlers(channel -> {}));
                return netty.connect(listener.localAddress(), NettyRig.handlers(channel -> {}));
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
    assertEquals(List.of(), arguments.notRefused(WaitForNetty.class));
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
