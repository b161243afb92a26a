package dev.rondo.benchmarks.calls;

import dev.rondo.http.server.HttpServer;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A server of HTTP/1.1, and a client with one connection on a thread of its own. The client is of
/// the JDK only, so its calls do not count.
final class HttpGets {

  private static final byte[] REQUEST =
      "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final String BODY = "Hello, world";

  private HttpGets() {}

  /// Serves requests until the recorder has enough.
  static void serve(Scheduler scheduler, Recorder recorder) throws Exception {
    var _ = WaitForTime.on(scheduler); // for the limits of the server
    var clients = new ArrayList<Thread>();
    Task<Void> serves = scheduler.spawn("serves", () -> serve(scheduler, recorder, clients));
    scheduler.start();
    serves.join();
    for (Thread client : clients) {
      client.join();
    }
  }

  private static void serve(Scheduler scheduler, Recorder recorder, List<Thread> clients)
      throws IOException {
    Task<?> self = Objects.requireNonNull(scheduler.currentTask());
    try (HttpServer server =
        HttpServer.builder(scheduler)
            .get(
                "/hello",
                exchange -> {
                  if (recorder.passOn()) {
                    scheduler.scheduleTask(self);
                  }
                  exchange.respondText(BODY);
                })
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      int port = ((InetSocketAddress) server.localAddress()).getPort();
      clients.add(Thread.ofPlatform().start(() -> ask(port)));
      scheduler.suspend();
    }
  }

  /// Sends one request after the other until the server closes.
  private static void ask(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      byte[] response = new byte[1024];
      do {
        socket.getOutputStream().write(REQUEST);
      } while (endsWithBody(socket, response));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean endsWithBody(Socket socket, byte[] response) throws IOException {
    int size = 0;
    String text;
    do {
      int read = socket.getInputStream().read(response, size, response.length - size);
      if (read < 0) {
        return false;
      }
      size += read;
      text = new String(response, 0, size, StandardCharsets.US_ASCII);
    } while (!text.endsWith(BODY));
    return true;
  }
}
