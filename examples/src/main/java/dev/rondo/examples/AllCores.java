package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.application.LoopGroup;
import dev.rondo.application.LoopListener;
import dev.rondo.io.TcpSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The server of [EchoServer] on all cores. Each core has a loop, and all loops listen on one port.
/// A hundred clients each run on the least busy loop. No loop touches the data of another loop.
final class AllCores {

  private static final int CLIENTS = 100;
  private static final int LINES = 100;
  private static final int LONGEST_LINE_BYTES = 80;
  private static final Duration GRACE = Duration.ofSeconds(10);

  private AllCores() {}

  static void main() {
    int cores = Runtime.getRuntime().availableProcessors();
    var port = new CompletableFuture<Integer>();
    try (LoopGroup group = Application.builder().loops("server", cores)) {
      var end = group.start(loop -> serve(loop, port));
      int known = port.join();
      List<CompletableFuture<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String name = "client " + i;
        clients.add(group.spawnOnLeastBusy(name, loop -> converse(loop.app(), name, known)));
      }
      int lines = clients.stream().mapToInt(CompletableFuture::join).sum();
      IO.println("%d clients, %d lines came back".formatted(CLIENTS, lines));
      group.shutdown(GRACE, GRACE).join();
      end.join(); // a failure of a loop is thrown here
    }
  }

  /// Runs on each loop.
  private static void serve(LoopGroup.Member loop, CompletableFuture<Integer> port)
      throws IOException {
    Application app = loop.app();
    var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (LoopListener listener = loop.listen(any)) {
      port.complete(listener.port());
      while (app.<@Nullable Object>select(listener.accepting(), app.shutdownRequested()).value()
          instanceof TcpSocket socket) {
        app.spawn("echo " + socket.remoteAddress(), () -> echo(socket));
      }
    }
  }

  private static void echo(TcpSocket socket) throws IOException {
    try (socket) {
      socket.input().transferTo(socket.output()); // until the client's end of stream
    }
  }

  private static int converse(Application app, String name, int port) throws IOException {
    int lines = 0;
    try (TcpSocket socket = app.connect("127.0.0.1", port)) {
      for (int i = 0; i < LINES; i++) {
        String line = name + " line " + i;
        socket.write(line + "\n");
        if (!line.equals(socket.readLine(LONGEST_LINE_BYTES, StandardCharsets.UTF_8))) {
          throw new IOException("a different line came back than " + line);
        }
        lines++;
      }
    }
    return lines;
  }
}
