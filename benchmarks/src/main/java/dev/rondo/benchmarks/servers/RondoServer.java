package dev.rondo.benchmarks.servers;

import dev.rondo.application.AcceptSharing;
import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.application.LoopGroup;
import dev.rondo.application.LoopListener;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.Transport;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/// A Rondo server: one task accepts, and each connection has a task.
public final class RondoServer {

  private RondoServer() {}

  /// The code of a connection's task.
  @FunctionalInterface
  interface Protocol {
    void serve(TcpSocket socket) throws Exception;
  }

  /// Serves until the process ends.
  static void serve(Transport transport, ApplicationBuilder application, Protocol protocol) {
    serve(transport, application, _ -> {}, protocol);
  }

  /// The same, with other work on the loop.
  @SuppressWarnings("InfiniteLoopStatement")
  static void serve(
      Transport transport,
      ApplicationBuilder application,
      Consumer<Application> work,
      Protocol protocol) {
    System.setProperty(Transport.PROPERTY, transport.name());
    application.run(app -> {
      work.accept(app);
      TcpListener listener = app.io().listen(BareServer.loopback());
      ServerProcess.tell(listener.port());
      while (true) {
        serve(app, listener.accept(), protocol);
      }
    });
  }

  /// Serves on several loops until the process ends.
  ///
  /// @param accepted counts the connections of each loop
  static void serveOnLoops(AcceptSharing sharing, AtomicIntegerArray accepted, Protocol protocol) {
    System.setProperty(Transport.PROPERTY, Transport.EPOLL.name());
    Application.builder()
        .loops("loop", accepted.length())
        .accept(sharing)
        .run(loop -> serveOn(loop, accepted, protocol));
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private static void serveOn(LoopGroup.Member loop, AtomicIntegerArray accepted, Protocol protocol)
      throws IOException {
    LoopListener listener = loop.listen(BareServer.loopback());
    if (loop.index() == 0) {
      ServerProcess.tell(listener.port());
    }
    while (true) {
      TcpSocket socket = listener.accept();
      accepted.incrementAndGet(loop.index());
      serve(loop.app(), socket, protocol);
    }
  }

  private static void serve(Application app, TcpSocket socket, Protocol protocol) {
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
}
