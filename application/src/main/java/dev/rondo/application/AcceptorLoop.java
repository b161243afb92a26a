package dev.rondo.application;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// An additional loop of a group, which accepts connections and distributes them to the other
/// loops. It begins when it is first needed, and ends after them.
///
/// Any thread, except where a method says otherwise.
final class AcceptorLoop {

  private final Supplier<Application> maker;
  private final Thread thread;
  private final BiConsumer<String, Throwable> reporter;
  private final BiConsumer<String, Throwable> failed;
  private final CompletableFuture<Application> opened = new CompletableFuture<>();

  /// The ports on which loops listen, and those about to be closed. Guarded by this.
  private final Map<InetSocketAddress, DealtPort> ports = new HashMap<>();

  /// Guarded by this.
  private boolean started;

  /// Written before the application is stopped.
  private volatile boolean ending;

  /// @param name of its thread
  /// @param threads makes its thread
  /// @param maker makes its application, on that thread
  /// @param reporter receives failures that no task observes; any thread
  /// @param failed receives the failure that ends accepting, on one port or on all; on the
  ///   acceptor's thread
  AcceptorLoop(
      String name,
      LoopThreads threads,
      Supplier<Application> maker,
      BiConsumer<String, Throwable> reporter,
      BiConsumer<String, Throwable> failed) {
    this.maker = maker;
    this.thread = threads.unstarted(name, this::run);
    this.reporter = reporter;
    this.failed = failed;
  }

  private void run() {
    try (Application app = maker.get()) {
      app.start(own -> {
        var _ = own.scheduler().keepAlive(); // until it is stopped: loops call in
        opened.complete(own);
        own.await(own.shutdownRequested());
      });
    } catch (Throwable e) {
      if (!opened.completeExceptionally(e)) {
        failed("accept", e);
      }
    }
  }

  void report(String where, Throwable failure) {
    reporter.accept(where, failure);
  }

  /// Ends the group, whose loops would wait for connections for ever. On the acceptor's thread.
  void failed(String where, Throwable failure) {
    failed.accept(where, failure);
  }

  /// Ends the loop, and waits until it has ended.
  void end() throws InterruptedException {
    ending = true;
    synchronized (this) {
      if (!started) {
        started = true;
        return;
      }
    }
    opened.thenAccept(Application::stop);
    thread.join();
  }

  /// {@return whether the application is closed, or about to be}
  boolean isEnding() {
    return ending;
  }

  /// Listens on a port, unless the acceptor does already, and makes a loop share it. On the loop's
  /// thread; blocks for a moment if the acceptor has to begin.
  ///
  /// @param <L> the listener of the loop
  /// @param loop the loop that shares the port
  /// @param address resolved; with port 0 any free one
  /// @param listening makes the listener of the loop
  /// @throws IOException if the port cannot be bound, or the acceptor cannot begin
  <L> L share(
      Application loop, InetSocketAddress address, int backlog, Function<DealtPort, L> listening)
      throws IOException {
    Application app = begun();
    synchronized (this) {
      DealtPort port = ports.get(address);
      if (port == null) {
        port = new DealtPort(this, app, bind(loop, address, backlog), backlog);
        ports.put(port.address(), port);
      }
      return listening.apply(port);
    }
  }

  /// @throws IOException if it cannot begin
  private Application begun() throws IOException {
    synchronized (this) {
      if (!started) {
        started = true;
        start();
      }
    }
    try {
      return opened.join();
    } catch (CompletionException e) {
      throw new IOException("the loop that accepts connections cannot begin", e.getCause());
    }
  }

  private void start() {
    try {
      thread.start();
    } catch (Throwable e) {
      opened.completeExceptionally(e);
    }
  }

  private static ServerSocketChannel bind(Application loop, InetSocketAddress address, int backlog)
      throws IOException {
    ServerSocketChannel server = loop.io().provider().openServerSocketChannel();
    try {
      server.configureBlocking(false);
      return server.bind(address, backlog);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /// Stops listening on a port if no loop shares it any more. On the acceptor's thread.
  void closeIfUnused(DealtPort port) {
    synchronized (this) {
      if (!port.dealing().isShared() && ports.remove(port.address(), port)) {
        port.close(); // before a loop may bind its address again
      }
    }
  }
}
