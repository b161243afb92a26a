package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.http.files.StaticFiles;
import dev.rondo.http.server.HttpCompression;
import dev.rondo.http.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Sends the files of a folder to browsers: `-Dfolder=docs -Dport=8080 -Dseconds=600`, with
/// `-Dopen=true` also its hidden files and links. Without a folder it makes one, requests its
/// files, a part of a file, and a file only if it has changed, and ends.
final class FileServer {

  private static final int LARGE_BYTES = 10_000_000;

  private final Application app;

  private FileServer(Application app) {
    this.app = app;
  }

  static void main() {
    Application.run(app -> new FileServer(app).run());
  }

  private void run() throws IOException {
    String named = System.getProperty("folder");
    if (named != null) {
      serve(Path.of(named));
      return;
    }
    Path made = Files.createTempDirectory("file-server");
    Path page = made.resolve("index.html");
    Path large = made.resolve("large.bin");
    try {
      Files.writeString(page, "<h1>A page</h1>\n");
      Files.write(large, new byte[LARGE_BYTES]);
      serve(made);
    } finally {
      Files.deleteIfExists(page);
      Files.deleteIfExists(large);
      Files.delete(made);
    }
  }

  private void serve(Path folder) throws IOException {
    var address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0));
    StaticFiles files =
        StaticFiles.of(folder)
            .withIndex("index.html")
            .withType(".log", "text/plain; charset=utf-8")
            .withCacheControl("no-cache");
    if (Boolean.getBoolean("open")) { // a folder without secrets
      files = files.withHidden().withLinksOut();
    }
    try (HttpServer server =
        HttpServer.builder(app.scheduler())
            .files("/{name...}", files)
            .compression(HttpCompression.USUAL)
            .accessLog(access ->
                IO.println(
                    "%s %s %d, %,d bytes"
                        .formatted(
                            access.method(),
                            access.target(),
                            access.status(),
                            access.responseBytes())))
            .listen(address)) {
      IO.println("files of " + folder + " at http:/" + server.localAddress());
      if (System.getProperty("folder") == null) {
        ask("http:/" + server.localAddress());
      }
      app.sleep(Duration.ofSeconds(Integer.getInteger("seconds", 0)));
      server.shutdown(Duration.ofSeconds(5));
    }
  }

  private void ask(String root) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> page = answer(client, HttpRequest.newBuilder(URI.create(root + "/")));
      String tag = page.headers().firstValue("etag").orElseThrow();
      answer(client, HttpRequest.newBuilder(URI.create(root + "/")).header("If-None-Match", tag));
      answer(client, HttpRequest.newBuilder(URI.create(root + "/large.bin")));
      answer(
          client,
          HttpRequest.newBuilder(URI.create(root + "/large.bin"))
              .header("Range", "bytes=1000-1999"));
      answer(client, HttpRequest.newBuilder(URI.create(root + "/%2e%2e/secret")));
    }
  }

  private HttpResponse<byte[]> answer(HttpClient client, HttpRequest.Builder request) {
    return app.await(
        app.scheduler().completion(client.sendAsync(request.build(), BodyHandlers.ofByteArray())));
  }
}
