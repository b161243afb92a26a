package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.testing.Certificates;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Clients of HTTP that reach servers through a proxy.
final class HttpClientProxyTest extends HttpClientRig {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

  /// A name that nothing but the proxy knows.
  private static final URI BEHIND = URI.create("http://behind.invalid/a%20b?c=d");

  private static HttpProxy through(RawServer proxy) {
    return HttpProxy.of("127.0.0.1", proxy.uri("/").getPort());
  }

  private HttpClient clientOf(HttpProxy proxy) {
    return newClient(builder -> builder.proxy(proxy));
  }

  private HttpServer secure() throws Exception {
    KeyStore keys = Certificates.keys("localhost");
    return serve(routes -> {
      try {
        routes
            .tls(keys, PASSWORD)
            .get(
                "/",
                exchange ->
                    exchange.respondText(
                        exchange.protocol()
                            + " "
                            + exchange.headers().contains("proxy-authorization")))
            .post("/", exchange -> exchange.respondText("" + exchange.bodyBytes().length));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
  }

  private static void trust(HttpClientBuilder builder) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("localhost", Certificates.certificate("localhost"));
      builder.trust(store);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// A proxy that opens tunnels to one server, whatever it is asked for.
  private RawServer tunnels(HttpServer server, List<String> heads) throws IOException {
    return new RawServer(client -> {
      heads.add(head(client));
      try (NettyChannel to = netty.connect(server.localAddress(), handlers(channel -> {}))) {
        send(client, "HTTP/1.1 200 Connection established\r\n\r\n");
        Task<?> back = scheduler.spawn("back", () -> pass(to, client));
        pass(client, to);
        back.join();
      }
    });
  }

  /// A proxy that answers every request itself.
  private RawServer answeringEach(List<String> heads) throws IOException {
    return new RawServer(client -> {
      while (true) {
        heads.add(head(client));
        send(client, OK);
      }
    });
  }

  private static void pass(NettyChannel from, NettyChannel to) {
    try {
      for (ByteBuf part; (part = from.receive(ByteBuf.class)) != null; ) {
        to.send(part);
      }
    } catch (IOException e) {
      // the other direction has ended the connection
    } finally {
      to.close();
    }
  }

  @Test
  void http_proxyReceivesTheWholeUri_andLooksUpTheName() {
    run(() -> {
      var heads = new ArrayList<String>();
      try (RawServer proxy = answeringEach(heads);
          HttpClient client = clientOf(through(proxy))) {
        assertEquals("hi", client.get(BEHIND).bodyText());
        assertEquals("hi", client.get(BEHIND).bodyText());
        assertTrue(
            heads.getFirst().startsWith("GET http://behind.invalid/a%20b?c=d HTTP/1.1\r\n"),
            heads::toString);
        assertTrue(heads.getFirst().contains("host: behind.invalid\r\n"), heads::toString);
        assertFalse(heads.getFirst().contains("proxy-authorization"), heads::toString);
        assertEquals(1, proxy.connections.size());
      }
    });
  }

  @Test
  void http_credentials_areSentWithEachRequest() {
    run(() -> {
      var heads = new ArrayList<String>();
      try (RawServer proxy = answeringEach(heads);
          HttpClient client = clientOf(through(proxy).withCredentials("me", "säcret"))) {
        assertEquals("hi", client.get(BEHIND).bodyText());
        assertEquals("hi", client.get(BEHIND).bodyText());
        for (String each : heads) {
          assertTrue(each.contains("proxy-authorization: Basic bWU6c8OkY3JldA==\r\n"), each);
        }
        assertEquals(2, heads.size());
      }
    });
  }

  @Test
  void https_tunnel_hasTheProtocolThatServerAndClientChoose() {
    run(() -> {
      for (boolean both : List.of(true, false)) {
        var heads = new ArrayList<String>();
        try (HttpServer server = secure();
            RawServer proxy = tunnels(server, heads);
            HttpClient client =
                newClient(builder -> {
                  trust(builder);
                  builder.proxy(through(proxy).withCredentials("me", "secret"));
                  if (!both) {
                    builder.http1Only();
                  }
                })) {
          URI uri = URI.create("https://localhost:4711/");
          String protocol = both ? "HTTP/2" : "HTTP/1.1";
          assertEquals(protocol + " false", client.get(uri).bodyText());
          byte[] large = new byte[1 << 20];
          assertEquals(
              "" + large.length,
              client
                  .request(io.netty.handler.codec.http.HttpMethod.POST, uri)
                  .body("application/octet-stream", large)
                  .send()
                  .bodyText());
          assertEquals(1, heads.size());
          String head = heads.getFirst();
          assertTrue(head.startsWith("CONNECT localhost:4711 HTTP/1.1\r\n"), head);
          assertTrue(head.contains("proxy-authorization: Basic bWU6c2VjcmV0\r\n"), head);
        }
      }
    });
  }

  @Test
  void http2PriorKnowledge_goesThroughATunnel() {
    run(() -> {
      var heads = new ArrayList<String>();
      try (HttpServer server =
              serve(routes ->
                  routes.get("/", exchange -> exchange.respondText(exchange.protocol())));
          RawServer proxy = tunnels(server, heads);
          HttpClient client =
              newClient(builder -> builder.http2PriorKnowledge().proxy(through(proxy)))) {
        assertEquals("HTTP/2", client.get(URI.create("http://behind.invalid/")).bodyText());
        assertTrue(heads.getFirst().startsWith("CONNECT behind.invalid:80 "), heads::toString);
      }
    });
  }

  @Test
  void https_proxyRefuses_isAFailureThatSaysWhy() {
    run(() -> {
      String refusal = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
      try (RawServer proxy = answering(refusal);
          HttpClient client = clientOf(through(proxy))) {
        var failure =
            assertThrows(
                ConnectException.class, () -> client.get(URI.create("https://behind.invalid/")));
        assertTrue(failure.getMessage().contains("407 Proxy Authentication"), failure::getMessage);
        assertTrue(failure.getMessage().contains("" + through(proxy)), failure::getMessage);
        assertTrue(failure.getMessage().contains("https://behind.invalid"), failure::getMessage);
        assertEquals(0, client.connectionCount());
        await(() -> !proxy.connections.getFirst().channel().isOpen());
      }
    });
  }

  @Test
  void https_proxyIsNone_isAFailure() {
    run(() -> {
      for (String answer : List.of("", "SSH-2.0-none\r\n\r\n", "HTTP/1.1 200")) {
        try (RawServer proxy =
                new RawServer(client -> {
                  head(client);
                  send(client, answer);
                });
            HttpClient client = clientOf(through(proxy))) {
          var failure =
              assertThrows(
                  IOException.class, () -> client.get(URI.create("https://behind.invalid/")));
          assertTrue(
              failure instanceof ConnectException || failure instanceof ConnectionResetException,
              failure::toString);
          assertEquals(0, client.connectionCount());
        }
      }
    });
  }

  @Test
  void proxy_notThere_isAFailureThatNamesIt() {
    run(() -> {
      int port;
      try (NettyListener gone = listen()) {
        port = ((InetSocketAddress) gone.localAddress()).getPort();
      }
      for (String uri : List.of("http://behind.invalid/", "https://behind.invalid/")) {
        try (HttpClient client = clientOf(HttpProxy.of("127.0.0.1", port))) {
          var failure = assertThrows(ConnectException.class, () -> client.get(URI.create(uri)));
          assertTrue(
              failure.getMessage().startsWith("proxy 127.0.0.1:" + port), failure::getMessage);
        }
        try (HttpClient client = clientOf(HttpProxy.of("proxy.invalid", port))) {
          var failure = assertThrows(UnknownHostException.class, () -> client.get(URI.create(uri)));
          assertTrue(failure.getMessage().startsWith("proxy proxy.invalid"), failure::getMessage);
        }
      }
    });
  }

  @Test
  void https_proxyIsSilent_timesOut_andACancelledTaskLeavesNothing() {
    run(() -> {
      HttpClientLimits usual = HttpClientLimits.USUAL;
      HttpClientLimits soon =
          usual.withTimes(Duration.ofMillis(50), usual.response(), usual.progress(), usual.idle());
      URI uri = URI.create("https://behind.invalid/");
      try (RawServer proxy = answering("");
          HttpClient hasty = newClient(builder -> builder.limits(soon).proxy(through(proxy)));
          HttpClient patient = clientOf(through(proxy))) {
        var failure = assertThrows(SocketTimeoutException.class, () -> hasty.get(uri));
        assertTrue(failure.getMessage().contains("through proxy 127.0.0.1:"), failure::getMessage);
        assertEquals(0, hasty.connectionCount());
        Task<?> waiting = scheduler.spawn("waiting", () -> patient.get(uri));
        while (proxy.connections.size() < 2) {
          scheduler.yield();
        }
        waiting.cancel("enough");
        assertInstanceOf(
            TaskCancelled.class, assertThrows(Exception.class, waiting::join).getCause());
        assertEquals(0, patient.connectionCount());
        await(() -> !proxy.connections.getLast().channel().isOpen());
      }
    });
  }

  @Test
  void except_hostsThatAreAskedDirectly() {
    run(() -> {
      try (HttpServer server =
              serve(routes -> routes.get("/", exchange -> exchange.respondText("direct")));
          RawServer proxy = answering(OK);
          HttpClient client = clientOf(through(proxy).except(host -> host.startsWith("127.")))) {
        assertEquals("direct", client.get(uri(server, "/")).bodyText());
        assertEquals("hi", client.get(BEHIND).bodyText());
      }
    });
  }

  @Test
  void arguments_thatAreWrong_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> HttpProxy.of("", 1));
    assertThrows(IllegalArgumentException.class, () -> HttpProxy.of("localhost", 0));
    assertThrows(IllegalArgumentException.class, () -> HttpProxy.of("localhost", 65_536));
    HttpProxy proxy = HttpProxy.of("::1", 3128);
    assertThrows(IllegalArgumentException.class, () -> proxy.withCredentials("a:b", "c"));
    assertEquals("proxy [::1]:3128", proxy.withCredentials("me", "secret").toString());
  }
}
