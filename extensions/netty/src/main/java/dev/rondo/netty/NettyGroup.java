package dev.rondo.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutorGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// The group of one event loop. It registers channels, and knows which channels are open.
final class NettyGroup extends AbstractEventExecutorGroup implements IoEventLoopGroup {

  /// Learns which channels open.
  interface Observer {

    /// A channel is being registered. Any thread.
    void opening(Channel channel);
  }

  private final NettyLoop loop;
  private final Observer observer;

  /// @param loop made for this group
  NettyGroup(Function<NettyGroup, NettyLoop> loop, Observer observer) {
    this.observer = observer;
    this.loop = loop.apply(this);
  }

  NettyLoop loop() {
    return loop;
  }

  @Override
  public IoEventLoop next() {
    return loop;
  }

  @Override
  public Iterator<EventExecutor> iterator() {
    return List.<EventExecutor>of(loop).iterator();
  }

  @Override
  @SuppressWarnings("deprecation") // there is no other method to register a channel
  public ChannelFuture register(Channel channel) {
    return register(new DefaultChannelPromise(channel, loop));
  }

  @Override
  @SuppressWarnings("deprecation") // as above
  public ChannelFuture register(ChannelPromise promise) {
    observer.opening(promise.channel());
    return loop.register(promise);
  }

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel, ChannelPromise promise) {
    observer.opening(channel);
    return loop.register(channel, promise);
  }

  // The loop ends with its scheduler, not earlier.

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    throw refused();
  }

  @Override
  @Deprecated
  public void shutdown() {
    throw refused();
  }

  private static UnsupportedOperationException refused() {
    return new UnsupportedOperationException(
        "the event loop is the scheduler's and ends when that is closed");
  }

  @Override
  public boolean isShuttingDown() {
    return loop.isShuttingDown();
  }

  @Override
  public Future<?> terminationFuture() {
    return loop.terminationFuture();
  }

  @Override
  public boolean isShutdown() {
    return loop.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return loop.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return loop.awaitTermination(timeout, unit);
  }
}
