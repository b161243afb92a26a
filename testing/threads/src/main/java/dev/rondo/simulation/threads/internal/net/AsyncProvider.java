package dev.rondo.simulation.threads.internal.net;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// Opens the asynchronous channels of a process. Each operation is made by a thread of its own that
/// waits, as programs do with other channels.
public final class AsyncProvider extends AsynchronousChannelProvider {

  private final SelectorProvider channels;
  private final ExecutorService handlers =
      Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory());
  private final AsyncGroup own = new AsyncGroup(this, handlers);

  /// Opens channels of a host.
  ///
  /// @param channels opens those that do the work
  public AsyncProvider(SelectorProvider channels) {
    this.channels = channels;
  }

  /// {@return what calls handlers where a program has no group}
  public ExecutorService handlers() {
    return handlers;
  }

  @Override
  public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory factory) {
    return new AsyncGroup(this, Executors.newFixedThreadPool(threads, factory));
  }

  @Override
  public AsynchronousChannelGroup openAsynchronousChannelGroup(
      ExecutorService executor, int initial) {
    return new AsyncGroup(this, executor);
  }

  @Override
  public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(
      @Nullable AsynchronousChannelGroup group) throws IOException {
    return new AsyncListener(groupOf(group), channels.openServerSocketChannel());
  }

  @Override
  public AsynchronousSocketChannel openAsynchronousSocketChannel(
      @Nullable AsynchronousChannelGroup group) throws IOException {
    return new AsyncSocket(groupOf(group), channels.openSocketChannel());
  }

  private AsyncGroup groupOf(@Nullable AsynchronousChannelGroup group) {
    if (group == null) {
      return own;
    }
    if (group instanceof AsyncGroup made) {
      return made;
    }
    throw new IllegalChannelGroupException();
  }
}
