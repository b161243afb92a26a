package dev.rondo.simulation.threads.internal.net;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Asynchronous channels whose handlers the same threads call.
///
/// Any thread of the process: one at a time has the turn, and loses it where it waits only.
final class AsyncGroup extends AsynchronousChannelGroup {

  private final ExecutorService handlers;
  private final Set<Channel> open = new LinkedHashSet<>();
  private int pending;
  private boolean shutdown;

  AsyncGroup(AsynchronousChannelProvider provider, ExecutorService handlers) {
    super(provider);
    this.handlers = handlers;
  }

  /// Adds a channel.
  ///
  /// @throws ShutdownChannelGroupException if the group is shut down; the channel is closed then
  void opened(Channel channel) throws IOException {
    if (shutdown) {
      channel.close();
      throw new ShutdownChannelGroupException();
    }
    open.add(channel);
  }

  void closed(Channel channel) {
    open.remove(channel);
    endIfEmpty();
  }

  /// Begins an operation.
  ///
  /// @param on may be closed meanwhile
  /// @param operation waits
  static <V> CompletableFuture<V> begin(String name, Channel on, Callable<V> operation) {
    var result = new CompletableFuture<V>();
    boolean isOpen = on.isOpen();
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("asynchronous " + name)
            .start(() -> {
              try {
                result.complete(operation.call());
              } catch (Exception e) {
                boolean closed = e instanceof ClosedChannelException && isOpen && !on.isOpen();
                result.completeExceptionally(closed ? new AsynchronousCloseException() : e);
              }
            });
    return result;
  }

  /// Tells the result when it is known.
  <V, A extends @Nullable Object> void handle(
      CompletableFuture<V> result, A attachment, CompletionHandler<V, ? super A> handler) {
    pending++;
    CompletableFuture<V> _ =
        result.whenComplete((value, failure) -> {
          handlers.execute(() -> {
            if (failure == null) {
              handler.completed(value, attachment);
            } else {
              handler.failed(result.exceptionNow(), attachment); // as it was thrown
            }
          });
          pending--;
          endIfEmpty();
        });
  }

  private void endIfEmpty() {
    if (shutdown && pending == 0 && open.isEmpty()) {
      handlers.shutdown();
    }
  }

  @Override
  public boolean isShutdown() {
    return shutdown;
  }

  @Override
  public boolean isTerminated() {
    return handlers.isTerminated();
  }

  @Override
  public void shutdown() {
    shutdown = true;
    endIfEmpty();
  }

  @Override
  public void shutdownNow() throws IOException {
    shutdown = true;
    for (Channel each : List.copyOf(open)) {
      each.close();
    }
    endIfEmpty();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return handlers.awaitTermination(timeout, unit);
  }
}
