package dev.rondo.http.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.http.server.HttpCompression;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpServerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files of a folder: which are sent, which are not, and what of them.
final class StaticFilesTest extends HttpRig {

  private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05.5Z");
  private static final String LAST_MODIFIED = "Fri, 02 Jan 2026 03:04:05 GMT";
  private static final String TAG = "\"695735a5.1dcd6500-a\"";
  private static final String DIGITS = "0123456789";

  @TempDir Path temp;

  private Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    folder = Files.createDirectory(temp.resolve("www"));
    write("digits.txt", DIGITS);
    write("empty", "");
    write("index.html", "<p>home");
    write("a/index.html", "<p>a");
    write("a/b c+d.txt", "blank");
    write("bare/only.txt", "only");
    write(".hidden", "hidden");
    write(".git/config", "hidden");
    Files.writeString(temp.resolve("secret.txt"), "secret");
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return Files.setLastModifiedTime(file, FileTime.from(MODIFIED));
  }

  private HttpServer serveFiles(StaticFiles files, Consumer<HttpServerBuilder> more)
      throws IOException {
    return serve(routes -> {
      routes.clock(InstantSource.fixed(MODIFIED.plus(Duration.ofDays(1)))).files("/{n...}", files);
      more.accept(routes);
    });
  }

  private HttpServer serveFiles() throws IOException {
    return serveFiles(StaticFiles.of(folder), routes -> {});
  }

  private String ask(HttpServer server, String method, String path, String... headers)
      throws IOException {
    var request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: a\r\n");
    for (String each : headers) {
      request.append(each).append("\r\n");
    }
    return exchange(server, request + "Connection: close\r\n\r\n");
  }

  private String get(HttpServer server, String path, String... headers) throws IOException {
    return ask(server, "GET", path, headers);
  }

  private static int status(String response) {
    return Integer.parseInt(response.substring("HTTP/1.1 ".length()).substring(0, 3));
  }

  /// The value; `none` if there is no such header.
  private static String header(String response, String name) {
    return response
        .substring(0, response.indexOf("\r\n\r\n"))
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ": "))
        .map(line -> line.substring(name.length() + 2))
        .findFirst()
        .orElse("none");
  }

  @Test
  void get_file_isSentWithWhatIsKnownOfIt() {
    run(() -> {
      try (HttpServer server = serveFiles()) {
        assertEquals(
            """
            HTTP/1.1 200 OK\r
            content-type: text/plain; charset=utf-8\r
            x-content-type-options: nosniff\r
            etag: "695735a5.1dcd6500-a"\r
            last-modified: Fri, 02 Jan 2026 03:04:05 GMT\r
            accept-ranges: bytes\r
            content-length: 10\r
            date: Sat, 03 Jan 2026 03:04:05 GMT\r
            connection: close\r
            \r
            0123456789\
            """,
            get(server, "/digits.txt"));
        String head = ask(server, "HEAD", "/digits.txt");
        assertEquals("10", header(head, "content-length"));
        assertEquals(TAG, header(head, "etag"));
        assertEquals("", body(head));
        assertEquals("0", header(get(server, "/empty"), "content-length"));
        assertEquals(405, status(ask(server, "DELETE", "/digits.txt")));
      }
    });
  }

  @Test
  void get_folder_sendsItsIndexOrNothing() {
    run(() -> {
      try (HttpServer server = serveFiles()) {
        assertEquals("<p>home", body(get(server, "/")));
        assertEquals("<p>home", body(get(server, "/?q=1")));
        assertEquals("<p>a", body(get(server, "/a/")));
        String moved = get(server, "/a?q=1");
        assertEquals(301, status(moved));
        assertEquals("/a/?q=1", header(moved, "location"));
        assertEquals(404, status(get(server, "/bare/")));
        assertEquals(404, status(get(server, "/bare")));
        assertEquals(404, status(get(server, "/digits.txt/")));
        assertEquals(404, status(get(server, "/digits.txt/x")));
        assertEquals("blank", body(get(server, "/a/b%20c+d.txt")));
      }
      try (HttpServer server =
          serveFiles(StaticFiles.of(folder).withIndex("only.txt"), routes -> {})) {
        assertEquals("only", body(get(server, "/bare/")));
        assertEquals(404, status(get(server, "/a/")));
      }
      try (HttpServer server = serveFiles(StaticFiles.of(folder).withIndex(""), routes -> {})) {
        assertEquals(404, status(get(server, "/")));
        assertEquals(404, status(get(server, "/a")));
      }
    });
  }

  @Test
  void get_folderThatIsNotThere_isNotFound() {
    run(() -> {
      try (HttpServer server = serveFiles(StaticFiles.of(temp.resolve("later")), routes -> {})) {
        assertEquals(404, status(get(server, "/digits.txt")));
        Files.move(folder, temp.resolve("later"));
        assertEquals(DIGITS, body(get(server, "/digits.txt")));
      }
    });
  }

  // Names.

  @Test
  void get_namesThatLeadElsewhere_areNotFound() {
    run(() -> {
      try (HttpServer server = serveFiles()) {
        for (String path :
            List.of(
                "/../secret.txt",
                "/a/../../secret.txt",
                "/a/../digits.txt",
                "/./digits.txt",
                "/a/.",
                "/a/..",
                "/%2e%2e/secret.txt",
                "/%2e%2e%2fsecret.txt",
                "/..%2Fsecret.txt",
                "/a%2f..%2f..%2fsecret.txt",
                "/a%2findex.html",
                "/%252e%252e/secret.txt",
                "/..\\secret.txt",
                "/..%5csecret.txt",
                "/a%5c..%5c..%5csecret.txt",
                "//digits.txt",
                "/a//index.html",
                "//" + folder + "/digits.txt",
                "/" + folder + "/digits.txt",
                "/%2f" + folder + "/digits.txt",
                "/digits.txt%00",
                "/digits.txt%00.html",
                "/%0adigits.txt",
                "/%7f",
                "/.hidden",
                "/.git/config",
                "/%2egit/config",
                "/" + "x".repeat(300),
                "/%c0%ae%c0%ae/secret.txt")) {
          String response = get(server, path);
          assertEquals(404, status(response), path);
          assertFalse(response.contains("secret") || response.contains("hidden"), path);
        }
        assertEquals(400, status(get(server, "/%zz")));
      }
      try (HttpServer server = serveFiles(StaticFiles.of(folder).withHidden(), routes -> {})) {
        assertEquals("hidden", body(get(server, "/.git/config")));
        assertEquals(404, status(get(server, "/../secret.txt")));
      }
    });
  }

  @Test
  void get_symbolicLinks_areFollowedWithinTheFolder() throws Exception {
    Files.createSymbolicLink(folder.resolve("inside"), Path.of("digits.txt"));
    Files.createSymbolicLink(folder.resolve("outside"), temp.resolve("secret.txt"));
    Files.createSymbolicLink(folder.resolve("up"), Path.of(".."));
    Files.createSymbolicLink(folder.resolve("cycle"), Path.of("cycle"));
    Files.createSymbolicLink(folder.resolve("dangling"), Path.of("nothing"));
    Files.createSymbolicLink(temp.resolve("alias"), folder);
    run(() -> {
      try (HttpServer server = serveFiles()) {
        assertEquals(DIGITS, body(get(server, "/inside")));
        for (String path :
            List.of("/outside", "/up/secret.txt", "/up/www/digits.txt/", "/cycle", "/dangling")) {
          assertEquals(404, status(get(server, path)), path);
        }
      }
      try (HttpServer server =
          serveFiles(StaticFiles.of(temp.resolve("alias")).withLinksOut(), routes -> {})) {
        assertEquals("secret", body(get(server, "/outside")));
        assertEquals("secret", body(get(server, "/up/secret.txt")));
        assertEquals(404, status(get(server, "/cycle")));
      }
    });
  }

  @Test
  void get_whatIsNoRegularFile_isNotFoundAndBlocksNothing() throws Exception {
    assertEquals(
        0, new ProcessBuilder("mkfifo", folder.resolve("pipe").toString()).start().waitFor());
    Files.createSymbolicLink(folder.resolve("null"), Path.of("/dev/null"));
    Files.createSymbolicLink(folder.resolve("zero"), Path.of("/dev/zero"));
    run(() -> {
      try (HttpServer server = serveFiles(StaticFiles.of(folder).withLinksOut(), routes -> {})) {
        for (int i = 0; i < 8; i++) { // more than there are threads for files
          assertEquals(404, status(get(server, "/pipe")));
        }
        assertEquals(404, status(get(server, "/null")));
        assertEquals(404, status(get(server, "/zero")));
        assertEquals(DIGITS, body(get(server, "/digits.txt")));
      }
    });
    Files.delete(folder.resolve("null"));
    Files.delete(folder.resolve("zero"));
  }

  @Test
  void files_otherPaths_areNotEvaded() {
    run(() -> {
      try (HttpServer server =
          serveFiles(
              StaticFiles.of(folder),
              routes ->
                  routes
                      .get("/a/{x}", exchange -> exchange.respondText("guarded"))
                      .get("/digits.txt", exchange -> exchange.respondText("guarded")))) {
        // Templates have the order in which they were added: the files are first here.
        assertEquals("<p>a", body(get(server, "/a/index.html")));
        assertEquals("guarded", body(get(server, "/digits.txt")));
        assertEquals("guarded", body(get(server, "/%64igits.txt")));
      }
      try (HttpServer server =
          serve(routes ->
              routes
                  .get("/a/{x}", exchange -> exchange.respondText("guarded"))
                  .files("/{name...}", StaticFiles.of(folder)))) {
        assertEquals("guarded", body(get(server, "/a/index.html")));
        assertEquals("guarded", body(get(server, "/%61/index.html")));
        assertEquals(404, status(get(server, "/a%2Findex.html")));
      }
    });
  }

  @Test
  void files_pathWithoutARest_isRefused() {
    run(() -> {
      HttpServerBuilder builder = HttpServer.builder(scheduler);
      for (String path : List.of("", "a/{n...}", "/a", "/a/", "/{n}", "/{n...}/a")) {
        assertThrows(
            IllegalArgumentException.class,
            () -> builder.files(path, StaticFiles.of(folder)),
            path);
      }
    });
  }

  // Types.

  @Test
  void contentType_byName_isOfTheTableOrTheProgram() {
    run(() -> {
      for (String name : List.of("x.JS", "x.svg", "x.woff2", "x.tar.gz", "x", "x.unknown", "x.g")) {
        write(name, "x");
      }
      StaticFiles files =
          StaticFiles.of(folder).withType("G", "model/g").withCacheControl("max-age=60");
      try (HttpServer server =
          serveFiles(
              files,
              routes ->
                  routes.get(
                      "/own",
                      exchange -> {
                        exchange.responseHeaders().set("content-type", "own/type");
                        exchange.respondFile(folder.resolve("x.svg"));
                      }))) {
        for (var each :
            Map.of(
                    "x.JS", "text/javascript; charset=utf-8",
                    "x.svg", "image/svg+xml",
                    "x.woff2", "font/woff2",
                    "x.tar.gz", "application/gzip",
                    "x", "application/octet-stream",
                    "x.unknown", "application/octet-stream",
                    "x.g", "model/g",
                    "own", "own/type")
                .entrySet()) {
          String response = get(server, "/" + each.getKey());
          assertEquals(each.getValue(), header(response, "content-type"), each.getKey());
          assertEquals(
              each.getKey().equals("own") ? "none" : "max-age=60",
              header(response, "cache-control"));
        }
      }
    });
  }

  // Conditions.

  @Test
  void conditions_ofAGet_areAnsweredInTheirOrder() {
    run(() -> {
      try (HttpServer server = serveFiles()) {
        for (var each :
            List.of(
                List.of("304", "If-None-Match: " + TAG),
                List.of("304", "If-None-Match: W/" + TAG),
                List.of("304", "If-None-Match: \"a,b\", " + TAG),
                List.of("304", "If-None-Match: *"),
                List.of("200", "If-None-Match: \"other\""),
                List.of("200", "If-None-Match: malformed"),
                List.of("304", "If-Modified-Since: " + LAST_MODIFIED),
                List.of("304", "If-Modified-Since: Fri, 02 Jan 2026 03:04:06 GMT"),
                List.of("200", "If-Modified-Since: Fri, 02 Jan 2026 03:04:04 GMT"),
                List.of("200", "If-Modified-Since: yesterday"),
                List.of("200", "If-Modified-Since: " + "x".repeat(65)),
                List.of("200", "If-Modified-Since: " + LAST_MODIFIED + " ".repeat(65) + "x"),
                List.of("200", "If-Unmodified-Since: " + "x".repeat(65)),
                List.of("200", "Range: bytes=0-0", "If-Range: " + "x".repeat(65)),
                List.of("200", "If-None-Match: \"o\"", "If-Modified-Since: " + LAST_MODIFIED),
                List.of("200", "If-Match: " + TAG),
                List.of("200", "If-Match: *"),
                List.of("412", "If-Match: W/" + TAG),
                List.of("412", "If-Match: \"other\"", "If-None-Match: " + TAG),
                List.of("200", "If-Unmodified-Since: " + LAST_MODIFIED),
                List.of("412", "If-Unmodified-Since: Fri, 02 Jan 2026 03:04:04 GMT"))) {
          String[] headers = each.subList(1, each.size()).toArray(String[]::new);
          String response = get(server, "/digits.txt", headers);
          assertEquals(Integer.parseInt(each.getFirst()), status(response), each::toString);
          assertEquals(status(response) == 200 ? DIGITS : "", body(response));
          assertEquals(status(response) == 412 ? "none" : TAG, header(response, "etag"));
        }
      }
    });
  }

  @Test
  void tag_ofAFileThatMayBeBeingWritten_isWeak() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .clock(InstantSource.fixed(MODIFIED))
                  .files("/{n...}", StaticFiles.of(folder)))) {
        assertEquals("W/" + TAG, header(get(server, "/digits.txt"), "etag"));
        assertEquals(304, status(get(server, "/digits.txt", "If-None-Match: " + TAG)));
        for (String validator : List.of("W/" + TAG, TAG, LAST_MODIFIED)) {
          assertEquals(
              200,
              status(get(server, "/digits.txt", "Range: bytes=1-2", "If-Range: " + validator)));
        }
      }
    });
  }

  @Test
  void ranges_areSentOrRefused() {
    run(() -> {
      try (HttpServer server = serveFiles()) {
        for (var each :
            Map.ofEntries(
                    Map.entry("bytes=0-0", "0"),
                    Map.entry("bytes=2-4", "234"),
                    Map.entry("BYTES=7-", "789"),
                    Map.entry("bytes=-2", "89"),
                    Map.entry("bytes=-20", DIGITS),
                    Map.entry("bytes=8-99999999999999999999", "89"),
                    Map.entry("bytes=0-", DIGITS))
                .entrySet()) {
          String response = get(server, "/digits.txt", "Range: " + each.getKey());
          assertEquals(206, status(response), each.getKey());
          assertEquals(each.getValue(), body(response), each.getKey());
          int from = DIGITS.indexOf(each.getValue());
          assertEquals(
              "bytes %d-%d/10".formatted(from, from + each.getValue().length() - 1),
              header(response, "content-range"));
        }
        for (String range :
            List.of(
                "bytes=0-1,3-4",
                "bytes=4-2",
                "bytes=-",
                "bytes=",
                "bytes=a-b",
                "bytes=0x1-2",
                "lines=1-2",
                "bytes=0-1\r\nRange: bytes=2-3")) {
          String response = get(server, "/digits.txt", "Range: " + range);
          assertEquals(200, status(response), range);
          assertEquals(DIGITS, body(response), range);
        }
        for (String range : List.of("bytes=10-", "bytes=10-11", "bytes=-0", "bytes=99-100")) {
          String response = get(server, "/digits.txt", "Range: " + range);
          assertEquals(416, status(response), range);
          assertEquals("bytes */10", header(response, "content-range"));
          assertEquals("none", header(response, "etag"));
        }
        assertEquals(416, status(get(server, "/empty", "Range: bytes=0-")));
        assertEquals(200, status(get(server, "/empty", "Range: bytes=-1")));
        assertEquals(
            "10", header(ask(server, "HEAD", "/digits.txt", "Range: bytes=0-0"), "content-length"));
      }
    });
  }

  @Test
  void range_inALocaleWithOtherDigits_isSaidInAscii() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      run(() -> {
        try (HttpServer server = serveFiles()) {
          String response = get(server, "/digits.txt", "Range: bytes=2-4");
          assertEquals("bytes 2-4/10", header(response, "content-range"));
        }
      });
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void ranges_ofAnotherVersion_areNotSent() {
    run(() -> {
      try (HttpServer server = serveFiles()) {
        for (var each :
            Map.of(
                    TAG,
                    206,
                    "W/" + TAG,
                    200,
                    "\"other\"",
                    200,
                    LAST_MODIFIED,
                    206,
                    "Fri, 02 Jan 2026 03:04:06 GMT",
                    200,
                    "malformed",
                    200)
                .entrySet()) {
          String response =
              get(server, "/digits.txt", "Range: bytes=1-2", "If-Range: " + each.getKey());
          assertEquals(each.getValue(), status(response), each.getKey());
        }
      }
    });
  }

  @Test
  void compression_ofFiles_isThatOfOtherBodies() {
    String text = "0123456789".repeat(20_000);
    run(() -> {
      write("long.txt", text);
      write("short.txt", text.substring(0, 5_000));
      try (HttpServer server =
          serveFiles(StaticFiles.of(folder), routes -> routes.compression(HttpCompression.USUAL))) {
        for (String name : List.of("/long.txt", "/short.txt")) {
          String response = get(server, name, "Accept-Encoding: gzip");
          assertEquals("gzip", header(response, "content-encoding"));
          assertTrue(response.length() < 3_000, () -> name + ": " + response.length());
          String tag = header(response, "etag");
          assertTrue(tag.startsWith("W/"), tag);
          String known = get(server, name, "Accept-Encoding: gzip", "If-None-Match: " + tag);
          assertEquals(304, status(known));
          assertEquals(tag, header(known, "etag"));
          String head = ask(server, "HEAD", name, "Accept-Encoding: gzip");
          assertEquals("gzip", header(head, "content-encoding"));
          String part = get(server, name, "Accept-Encoding: gzip", "Range: bytes=1000-3999");
          assertEquals(206, status(part));
          assertEquals("none", header(part, "content-encoding"));
          assertEquals(text.substring(1_000, 4_000), body(part));
          assertEquals("accept-encoding", header(get(server, name), "vary"));
        }
      }
    });
  }

  // Of the program.

  @Test
  void respondFile_namedByTheProgram_followsLinks() throws Exception {
    Files.createSymbolicLink(folder.resolve("outside.txt"), temp.resolve("secret.txt"));
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .get("/file", exchange -> exchange.respondFile(folder.resolve("outside.txt")))
                  .get("/none", exchange -> exchange.respondFile(folder.resolve("none")))
                  .get("/folder", exchange -> exchange.respondFile(folder))
                  .post("/file", exchange -> exchange.respondFile(folder.resolve("digits.txt")))
                  .get(
                      "/twice",
                      exchange -> {
                        exchange.respondText("first");
                        assertThrows(
                            IllegalStateException.class,
                            () -> exchange.respondFile(folder.resolve("digits.txt")));
                      }))) {
        String response = get(server, "/file");
        assertEquals("secret", body(response));
        assertEquals("text/plain; charset=utf-8", header(response, "content-type"));
        assertEquals(404, status(get(server, "/none")));
        assertEquals(404, status(get(server, "/folder")));
        assertEquals("first", body(get(server, "/twice")));
        String posted = ask(server, "POST", "/file", "If-None-Match: " + TAG, "Range: bytes=0-1");
        assertEquals(200, status(posted));
        assertEquals(DIGITS, body(posted));
      }
    });
  }
}
