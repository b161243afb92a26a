package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.Http2Rig;
import dev.rondo.netty.NettyChannel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// Bodies of requests that their clients have compressed.
final class HttpDecompressionTest extends Http2Rig {

  private static final String TEXT = "a text that repeats itself; ".repeat(100);

  private static byte[] compressed(String coding, String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        coding.equals("gzip") ? new GZIPOutputStream(bytes) : new DeflaterOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private HttpServer echo(int mostBytes) throws IOException {
    return serve(routes ->
        routes
            .limits(HttpLimits.USUAL.withBodyBytes(mostBytes))
            .post("/", exchange -> exchange.respondText(exchange.bodyText())));
  }

  private static String head(String coding) {
    return """
    POST / HTTP/1.1\r
    Host: a\r
    Connection: close\r
    Content-Encoding: %s\r
    """
        .formatted(coding);
  }

  private String post(HttpServer server, String coding, byte[] body) throws IOException {
    String text = new String(body, StandardCharsets.ISO_8859_1);
    return exchange(server, head(coding) + "Content-Length: " + body.length + "\r\n\r\n" + text);
  }

  private static byte[] both(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  @Test
  void body_compressed_isReadDecompressed() {
    run(() -> {
      try (HttpServer server = echo(10_000)) {
        byte[] gzip = compressed("gzip", TEXT);
        assertEquals(TEXT, body(post(server, "gzip", gzip)));
        assertEquals(TEXT, body(post(server, "X-GZIP", gzip)));
        assertEquals(TEXT, body(post(server, "deflate", compressed("deflate", TEXT))));
        assertEquals(
            "plain", body(post(server, "identity", "plain".getBytes(StandardCharsets.UTF_8))));
      }
    });
  }

  @Test
  void body_ofSeveralMembers_isReadHoweverItArrives() {
    run(() -> {
      byte[] first = compressed("gzip", "first ");
      byte[] second = compressed("gzip", "second");
      try (HttpServer server = echo(10_000)) {
        assertEquals("first second", body(post(server, "gzip", both(first, second))));
        try (NettyChannel client = client(server)) {
          send(client, head("gzip") + "Transfer-Encoding: chunked\r\n\r\n");
          for (byte[] each : List.of(first, second)) {
            for (byte one : each) {
              settle();
              send(client, "1\r\n" + (char) Byte.toUnsignedInt(one) + "\r\n");
            }
          }
          send(client, "0\r\n\r\n");
          assertEquals("first second", body(rest(client)));
        }
      }
    });
  }

  @Test
  void body_thatGrowsBeyondTheLimit_isRefused() {
    run(() -> {
      try (HttpServer server = echo(5_000)) {
        for (String coding : List.of("gzip", "deflate")) {
          byte[] bomb = compressed(coding, "x".repeat(3_000_000));
          assertTrue(bomb.length < 5_000);
          String response = post(server, coding, bomb);
          assertTrue(response.startsWith("HTTP/1.1 413 "), response);
          assertEquals(
              "x".repeat(5_000), body(post(server, coding, compressed(coding, "x".repeat(5_000)))));
        }
      }
    });
  }

  @Test
  void body_malformed_isRefused() {
    run(() -> {
      byte[] gzip = compressed("gzip", TEXT);
      byte[] damaged = gzip.clone();
      damaged[gzip.length - 6] ^= 1; // of the checksum
      try (HttpServer server = echo(10_000)) {
        for (byte[] each :
            List.of(
                new byte[0],
                "plain text".getBytes(StandardCharsets.UTF_8),
                damaged,
                Arrays.copyOf(gzip, gzip.length - 9),
                Arrays.copyOf(gzip, gzip.length - 1),
                Arrays.copyOf(gzip, 5))) {
          String response = post(server, "gzip", each);
          assertTrue(response.startsWith("HTTP/1.1 400 "), response);
          assertTrue(response.contains("connection: close"), response);
        }
        byte[] deflate = compressed("deflate", TEXT);
        for (byte[] each :
            List.of(gzip, Arrays.copyOf(deflate, deflate.length - 1), withDictionary())) {
          String response = post(server, "deflate", each);
          assertTrue(response.startsWith("HTTP/1.1 400 "), response);
        }
      }
    });
  }

  private static byte[] withDictionary() {
    try (var deflater = new Deflater()) {
      deflater.setDictionary(TEXT.getBytes(StandardCharsets.UTF_8));
      deflater.setInput(TEXT.getBytes(StandardCharsets.UTF_8));
      deflater.finish();
      byte[] bytes = new byte[10_000];
      return Arrays.copyOf(bytes, deflater.deflate(bytes));
    }
  }

  @Test
  void coding_unknown_isRefusedBeforeTheHandler() {
    run(() -> {
      try (HttpServer server = echo(10_000);
          var client = new Http2Client(server)) {
        for (String coding : List.of("br", "gzip, gzip", "gzip, identity", "gzip;q=1", "?")) {
          String response = post(server, coding, new byte[] {1});
          assertTrue(response.startsWith("HTTP/1.1 415 "), coding + ": " + response);
          assertTrue(response.contains("accept-encoding: gzip, deflate\r\n"), response);
        }
        try (Http2Request request = begun(client, "br")) {
          request.channel.send(new DefaultLastHttpContent(bytes("some")));
          assertTrue(request.response().startsWith("415 "));
        }
      }
    });
  }

  @Test
  void body_ofHttp2_isReadDecompressed() {
    run(() -> {
      try (HttpServer server = echo(10_000);
          var client = new Http2Client(server);
          Http2Request request = begun(client, "gzip")) {
        ByteBuf bytes = allocator.buffer().writeBytes(compressed("gzip", TEXT));
        request.channel.send(new DefaultLastHttpContent(bytes));
        assertEquals("200 " + TEXT, request.response());
      }
    });
  }

  private static Http2Request begun(Http2Client client, String coding) throws IOException {
    var head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    head.headers().set("content-encoding", coding);
    return client.begun(head);
  }

  @Test
  void client_leavesWithinTheBody_isNotAMalformedBody() {
    run(() -> {
      var failed = new Throwable[1];
      try (HttpServer server =
          serve(routes ->
              routes.post(
                  "/",
                  exchange -> {
                    try {
                      var _ = exchange.bodyBytes();
                    } catch (IOException | RuntimeException e) {
                      failed[0] = e;
                      throw e;
                    }
                  }))) {
        NettyChannel client = client(server);
        send(client, head("gzip") + "Content-Length: 100\r\n\r\n\u001f\u008b\b");
        await(() -> server.connectionCount() == 1);
        settle();
        client.close();
        await(() -> failed[0] != null);
        assertTrue(failed[0] instanceof IOException, failed[0].toString());
      }
    });
  }

  /// The decoder looks for another member behind the first one.
  @Test
  void body_cutOffBetweenTwoMembers_isIncomplete() {
    run(() -> {
      byte[] first = compressed("gzip", "first ");
      byte[] second = compressed("gzip", "second");
      try (HttpServer server = echo(10_000);
          NettyChannel client = client(server)) {
        String length = "Content-Length: " + (first.length + second.length) + "\r\n\r\n";
        send(client, head("gzip") + length + new String(first, StandardCharsets.ISO_8859_1));
        var _ = netty.await(((DuplexChannel) client.channel()).shutdownOutput());
        String response = rest(client);
        assertTrue(response.startsWith("HTTP/1.1 400 "), response);
      }
    });
  }
}
