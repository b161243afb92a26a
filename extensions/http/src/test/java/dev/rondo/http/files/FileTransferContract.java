package dev.rondo.http.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpServerBuilder;
import dev.rondo.netty.NettyChannel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOption;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Large files, which the system sends: while the client reads, stops reading, or goes, and while
/// the file changes.
abstract class FileTransferContract extends HttpRig {

  /// More than the buffers of both sides.
  private static final int SIZE = 6_000_000;

  private static final int SOCKET_BYTES = 64 << 10;

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  @TempDir Path folder;

  private Path file;
  private byte[] content;

  @BeforeEach
  void writeFile() throws IOException {
    content = new byte[SIZE];
    new Random(20).nextBytes(content);
    file = Files.write(folder.resolve("large.bin"), content);
  }

  private HttpServer serveFiles(Consumer<HttpServerBuilder> more) throws IOException {
    return serve(routes -> {
      routes
          .options(bootstrap ->
              bootstrap
                  .childOption(ChannelOption.ALLOCATOR, allocator)
                  .childOption(ChannelOption.SO_SNDBUF, SOCKET_BYTES))
          .files("/{n...}", StaticFiles.of(folder));
      more.accept(routes);
    });
  }

  private HttpServer serveFiles() throws IOException {
    return serveFiles(routes -> {});
  }

  private NettyChannel asked(HttpServer server, String... headers) throws IOException {
    NettyChannel client =
        scheduler
            .host()
            .awaitEvent(
                netty.connecting(
                    client()
                        .option(ChannelOption.SO_RCVBUF, SOCKET_BYTES)
                        .handler(handlers(each -> {})),
                    server.localAddress()));
    String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    send(client, "GET /large.bin HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n");
    return client;
  }

  private static byte[] receive(NettyChannel client, int most) throws IOException {
    var received = new ByteArrayOutputStream();
    while (received.size() < most) {
      ByteBuf part = client.receive(ByteBuf.class);
      if (part == null) {
        break;
      }
      part.readBytes(received, part.readableBytes());
      part.release();
    }
    return received.toByteArray();
  }

  /// How much comes before the connection ends, in whichever way; 0 if it is reset.
  private static int countUntilTheEnd(NettyChannel client) {
    try {
      return receive(client, Integer.MAX_VALUE).length;
    } catch (IOException e) {
      return 0;
    }
  }

  private static int headLength(byte[] response) {
    return new String(response, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n") + 4;
  }

  /// Receives a response of known length.
  private static byte[] body(NettyChannel client, int length) throws IOException {
    return body(client, receive(client, 1), length);
  }

  /// @param first what was received of the response
  private static byte[] body(NettyChannel client, byte[] first, int length) throws IOException {
    int head = headLength(first);
    byte[] rest = receive(client, length - (first.length - head));
    var all = new ByteArrayOutputStream();
    all.write(first, head, first.length - head);
    all.write(rest, 0, rest.length);
    return all.toByteArray();
  }

  private long openFiles() {
    try (Stream<Path> all = Files.list(DESCRIPTORS)) {
      return all.filter(this::isInFolder).count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private boolean isInFolder(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(folder);
    } catch (IOException e) {
      return false; // it was the one for the list
    }
  }

  /// Until the server has begun, and can send no more because the client does not read.
  ///
  /// @return what was received of the response
  private byte[] awaitFull(NettyChannel client) throws IOException {
    byte[] first = receive(client, 1);
    await(() -> openFiles() == 1);
    settle();
    return first;
  }

  @Test
  void get_largeFile_isSentAndTheConnectionGoesOn() {
    run(() -> {
      try (HttpServer server = serveFiles();
          NettyChannel client = asked(server)) {
        assertArrayEquals(content, body(client, SIZE));
        send(client, "GET /large.bin HTTP/1.1\r\nHost: a\r\nRange: bytes=1000000-3999999\r\n\r\n");
        assertArrayEquals(
            Arrays.copyOfRange(content, 1_000_000, 4_000_000), body(client, 3_000_000));
        send(client, "HEAD /large.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        String head = rest(client);
        assertTrue(head.contains("content-length: 6000000\r\n") && head.endsWith("\r\n\r\n"), head);
        assertEquals(0, openFiles());
      }
    });
  }

  @Test
  void get_fileThatBecomesShorter_endsTheConnection() throws Exception {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "requires Linux");
    run(() -> {
      try (HttpServer server = serveFiles();
          NettyChannel client = asked(server)) {
        byte[] first = awaitFull(client);
        assertTrue(first.length < SIZE);
        try (var shortened = new RandomAccessFile(file.toFile(), "rw")) {
          shortened.setLength(1_000);
        }
        assertTrue(countUntilTheEnd(client) < SIZE);
        await(() -> server.connectionCount() == 0);
        assertEquals(0, openFiles());
      }
    });
    assertEquals(1, takeFailures().size());
  }

  @Test
  void get_fileThatGrows_isSentAsItWas() {
    run(() -> {
      try (HttpServer server = serveFiles();
          NettyChannel client = asked(server)) {
        byte[] first = awaitFull(client);
        Files.write(file, new byte[SOCKET_BYTES], StandardOpenOption.APPEND);
        assertArrayEquals(content, body(client, first, SIZE));
        send(client, "HEAD /large.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        String head = rest(client);
        assertTrue(head.contains("content-length: " + (SIZE + SOCKET_BYTES)), head);
      }
    });
  }

  @Test
  void get_fileThatIsReplacedOrDeleted_isSentAsItWas() {
    run(() -> {
      for (boolean deleted : new boolean[] {false, true}) {
        Files.write(file, content);
        try (HttpServer server = serveFiles();
            NettyChannel client = asked(server)) {
          byte[] first = awaitFull(client);
          if (deleted) {
            Files.delete(file);
          } else {
            Path other = Files.writeString(folder.resolve("other"), "other");
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
          }
          assertArrayEquals(content, body(client, first, SIZE));
          send(client, "GET /large.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
          assertTrue(rest(client).startsWith(deleted ? "HTTP/1.1 404 " : "HTTP/1.1 200 "));
        }
      }
    });
  }

  @Test
  void get_clientThatGoesInTheMiddle_leavesNoFileOpen() {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "requires Linux");
    run(() -> {
      try (HttpServer server = serveFiles()) {
        for (int i = 0; i < 5; i++) {
          try (NettyChannel client = asked(server)) {
            assertTrue(awaitFull(client).length > 0);
          }
          await(() -> server.connectionCount() == 0 && openFiles() == 0);
        }
      }
    });
  }

  @Test
  void close_whileAFileIsSent_leavesNoFileOpen() {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "requires Linux");
    run(() -> {
      HttpServer server = serveFiles();
      try (NettyChannel client = asked(server)) {
        assertTrue(awaitFull(client).length > 0);
        assertFalse(server.shutdown(Duration.ofNanos(1)));
        await(() -> openFiles() == 0);
        assertTrue(countUntilTheEnd(client) < SIZE);
      }
    });
  }

  @Test
  void get_partOfAVeryLargeFile_isFound() {
    long size = 5_000_000_000L;
    run(() -> {
      try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
        sparse.setLength(size);
        sparse.seek(size - 5);
        sparse.write("hello".getBytes(StandardCharsets.ISO_8859_1));
      }
      try (HttpServer server = serveFiles();
          NettyChannel client = asked(server, "Range: bytes=4999800000-", "Connection: close")) {
        byte[] response = receive(client, Integer.MAX_VALUE);
        byte[] body = Arrays.copyOfRange(response, headLength(response), response.length);
        assertEquals(200_000, body.length);
        assertEquals(
            ByteBuffer.wrap("hello".getBytes(StandardCharsets.ISO_8859_1)),
            ByteBuffer.wrap(body, body.length - 5, 5));
      }
    });
  }
}
