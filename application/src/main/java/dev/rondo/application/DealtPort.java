package dev.rondo.application;

import dev.rondo.condition.sync.Semaphore;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.internal.ReportText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A port on which an acceptor listens for all loops of a group.
///
/// Confined to the acceptor's thread, except where a method says otherwise.
final class DealtPort {

  /// The time after a failure before the acceptor tries again.
  private static final Duration RETRY = Duration.ofMillis(100);

  private final AcceptorLoop acceptor;
  private final Application app;
  private final ServerSocketChannel server;
  private final int backlog;
  private final InetSocketAddress address;
  private final Dealing<SocketChannel> dealing;

  /// How many more connections may be given to loops before they have accepted the earlier ones.
  /// Null before accepting begins, as the task is.
  private @Nullable Semaphore room;

  private @Nullable Task<Void> accepting;

  /// Any thread.
  ///
  /// @param app the acceptor's application
  /// @param server bound
  DealtPort(AcceptorLoop acceptor, Application app, ServerSocketChannel server, int backlog)
      throws IOException {
    this.acceptor = acceptor;
    this.app = app;
    this.server = server;
    this.backlog = backlog;
    this.address = (InetSocketAddress) server.getLocalAddress();
    this.dealing = new Dealing<>(DealtPort::drop, () -> post(this::settled));
    if (!app.post(this::begin)) {
      server.close();
    }
  }

  /// {@return the address on which it listens} Any thread.
  InetSocketAddress address() {
    return address;
  }

  /// {@return the distribution of its connections} Any thread.
  Dealing<SocketChannel> dealing() {
    return dealing;
  }

  /// Called when a loop has stopped listening. Any thread.
  void left() {
    post(() -> acceptor.closeIfUnused(this));
  }

  /// Posts an action to the acceptor. An acceptor that is ending need not run it.
  private void post(Runnable action) {
    boolean _ =
        app.post(() -> {
          if (!acceptor.isEnding()) {
            action.run();
          }
        });
  }

  private void begin() {
    if (acceptor.isEnding()) {
      abandonServer();
      return;
    }
    Semaphore made = new Semaphore(app.scheduler(), "room of " + address, backlog);
    room = made;
    accepting = app.spawn("accept on " + address, () -> acceptUntilClosed(made));
  }

  private void settled() {
    Objects.requireNonNull(room).release(1);
  }

  private void acceptUntilClosed(Semaphore free) throws IOException {
    try {
      acceptAll(free);
    } catch (TaskCancelled | ClosedChannelException e) {
      throw e;
    } catch (Throwable e) {
      acceptor.failed("accept on " + address, e);
    }
  }

  private void acceptAll(Semaphore free) throws IOException {
    while (true) {
      var _ = free.acquire(); // released when the connection is accepted or dropped
      dealing.deal(next());
    }
  }

  private SocketChannel next() throws IOException {
    boolean reported = false;
    while (true) {
      app.await(app.io().acceptable(server));
      try {
        SocketChannel connection = server.accept();
        if (connection != null) {
          return connection;
        }
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException | OutOfMemoryError e) {
        if (!reported) {
          reported = true;
          acceptor.report(
              "accept on %s, retried every %s".formatted(address, ReportText.duration(RETRY)), e);
        }
        app.sleep(RETRY);
      }
    }
  }

  private static void drop(SocketChannel connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // the connection is dropped: no loop listens
    }
  }

  /// Stops listening.
  void close() {
    boolean _ = Objects.requireNonNull(accepting).cancel("no loop listens on " + address);
    closeServer();
  }

  /// Stops listening before a task has waited for the server: an application that is ending has no
  /// IO any more.
  private void abandonServer() {
    try {
      server.close();
    } catch (IOException e) {
      acceptor.report("close the listener on " + address, e);
    }
  }

  private void closeServer() {
    try {
      app.io().close(server);
    } catch (IOException e) {
      acceptor.report("close the listener on " + address, e);
    }
  }
}
