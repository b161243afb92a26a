package dev.rondo.benchmarks;

import dev.rondo.application.ApplicationBuilder;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.Transport;
import java.io.IOException;

/// A Rondo server: a task that accepts, and one for each connection.
final class RondoServer {

  private RondoServer() {}

  /// The code of a connection's task.
  @FunctionalInterface
  interface Protocol {
    void serve(TcpSocket socket) throws Exception;
  }

  /// Serves until the process ends.
  @SuppressWarnings("InfiniteLoopStatement")
  static void serve(Transport transport, ApplicationBuilder application, Protocol protocol) {
    System.setProperty(Transport.PROPERTY, transport.name());
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
                // the client has left
              }
            });
      }
    });
  }
}
