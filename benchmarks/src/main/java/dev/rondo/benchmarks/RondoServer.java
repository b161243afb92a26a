package dev.rondo.benchmarks;

import dev.rondo.application.ApplicationBuilder;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import java.io.IOException;

/// A Rondo server: a task that accepts, and one for each connection.
final class RondoServer {

  private RondoServer() {}

  /// What the task of a connection does.
  @FunctionalInterface
  interface Protocol {
    void serve(TcpSocket socket) throws Exception;
  }

  /// Serves until the process ends.
  @SuppressWarnings("InfiniteLoopStatement")
  static void serve(ApplicationBuilder application, Protocol protocol) {
    application.run(app -> {
      TcpListener listener = app.io().listen(BareServer.loopback());
      ServerProcess.tell(listener.port());
      while (true) {
        TcpSocket socket = listener.accept();
        app.spawn(
            "connection",
            () -> {
              try (socket) {
                protocol.serve(socket);
              } catch (IOException e) {
                // The client has gone.
              }
            });
      }
    });
  }
}
