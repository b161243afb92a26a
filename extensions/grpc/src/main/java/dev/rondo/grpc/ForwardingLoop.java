package dev.rondo.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/// A loop that forwards each call to another loop. A subclass changes some of the calls.
///
/// Confined to the scheduler's thread, except where Netty allows any.
abstract class ForwardingLoop extends AbstractEventExecutor implements IoEventLoop {

  final IoEventLoop loop;

  ForwardingLoop(IoEventLoop loop) {
    this.loop = loop;
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public boolean inEventLoop(Thread thread) {
    return loop.inEventLoop(thread);
  }

  @Override
  public IoEventLoop next() {
    return this;
  }

  @Override
  public IoEventLoopGroup parent() {
    return this;
  }

  // Registrations.

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel) {
    return register(channel, channel.newPromise());
  }

  @Override
  @Deprecated
  public ChannelFuture register(ChannelPromise promise) {
    promise.channel().unsafe().register(this, promise);
    return promise;
  }

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel, ChannelPromise promise) {
    channel.unsafe().register(this, promise);
    return promise;
  }

  @Override
  public Future<IoRegistration> register(IoHandle handle) {
    return loop.register(handle);
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return loop.isCompatible(handleType);
  }

  @Override
  public boolean isIoType(Class<? extends IoHandler> handlerType) {
    return loop.isIoType(handlerType);
  }

  // Timers.

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return loop.schedule(command, delay, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    return loop.schedule(callable, delay, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return loop.scheduleAtFixedRate(command, initialDelay, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return loop.scheduleWithFixedDelay(command, initialDelay, delay, unit);
  }

  // The end: the scheduler's loop ends this loop.

  @Override
  public boolean isShuttingDown() {
    return loop.isShuttingDown();
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

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    return loop.shutdownGracefully(quietPeriod, timeout, unit);
  }

  @Override
  public Future<?> terminationFuture() {
    return loop.terminationFuture();
  }

  @Override
  @Deprecated
  public void shutdown() {
    loop.shutdown();
  }
}
