package dev.rondo.http.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.http.Http2Rig;
import dev.rondo.http.server.HttpServer;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files in streams of HTTP/2, which are read in parts.
final class FileStreamsTest extends Http2Rig {

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final String TEN = "0123456789";

  @TempDir Path folder;

  private Path file;
  private String content;

  @BeforeEach
  void writeFile() throws IOException {
    content = TEN.repeat(100_000);
    file = Files.writeString(folder.resolve("large.txt"), content);
    Files.writeString(folder.resolve("small.txt"), TEN);
  }

  private HttpServer serveFiles() throws IOException {
    return serve(routes -> routes.files("/{n...}", StaticFiles.of(folder)));
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

  @Test
  void get_files_areSentAsInHttp11() {
    run(() -> {
      try (HttpServer server = serveFiles();
          var client = new Http2Client(server)) {
        // One after the other: a response that is not read has the window of the connection.
        for (var each :
            Map.of("/small.txt", "200 " + TEN, "/large.txt", "200 " + content).entrySet()) {
          try (Http2Request request = client.get(each.getKey())) {
            assertEquals(each.getValue(), request.response());
          }
        }
        try (Http2Request none = client.get("/none.txt")) {
          assertTrue(none.response().startsWith("404 "));
        }
        var head = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.HEAD, "/large.txt");
        try (Http2Request request = client.begun(head)) {
          assertEquals("200 ", request.response());
        }
        var part = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/large.txt");
        part.headers().set("range", "bytes=1-200000");
        try (Http2Request request = client.begun(part)) {
          assertEquals("206 " + content.substring(1, 200_001), request.response());
        }
      }
    });
  }

  @Test
  void reset_whileAFileIsSent_leavesNoFileOpen() {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "requires Linux");
    run(() -> {
      try (HttpServer server = serveFiles();
          var client = new Http2Client(server);
          Http2Request request = client.get("/large.txt")) {
        assertInstanceOf(HttpResponse.class, request.channel.receive());
        await(() -> openFiles() == 1);
        settle();
        request.channel.send(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
        await(() -> openFiles() == 0);
        assertEquals(1, server.connectionCount());
      }
    });
  }

  @Test
  void get_fileThatBecomesShorter_resetsTheStream() {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "requires Linux");
    run(() -> {
      try (HttpServer server = serveFiles();
          var client = new Http2Client(server);
          Http2Request request = client.get("/large.txt")) {
        assertInstanceOf(HttpResponse.class, request.channel.receive());
        await(() -> openFiles() == 1);
        settle();
        try (var shortened = new RandomAccessFile(file.toFile(), "rw")) {
          shortened.setLength(10);
        }
        assertTrue(request.response().length() < content.length());
        assertEquals(Http2Error.INTERNAL_ERROR.code(), request.reset);
        await(() -> openFiles() == 0);
      }
    });
    assertEquals(1, takeFailures().size());
  }
}
