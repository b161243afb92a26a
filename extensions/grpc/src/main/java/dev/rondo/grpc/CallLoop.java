package dev.rondo.grpc;

import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The loop on which the tasks of calls run. Callbacks of gRPC come to it from any thread.
final class CallLoop {

  private final Scheduler scheduler;
  private final WaitForNetty netty;
  private final EventLoop loop;

  /// For the listening sockets of this loop's servers.
  private final ServerLoop serverLoop;

  private final ClientLoop clientLoop;

  CallLoop(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.netty = WaitForNetty.on(scheduler);
    IoEventLoop first = netty.group().next();
    this.loop = first;
    this.serverLoop = new ServerLoop(first);
    this.clientLoop = new ClientLoop(first);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  WaitForNetty netty() {
    return netty;
  }

  /// Does something on the loop's thread: at once if this is it. Any thread.
  void run(Runnable action) {
    if (loop.inEventLoop()) {
      action.run();
    } else {
      boolean _ = scheduler.post(action);
    }
  }

  /// Does something on the loop's thread, soon and outside of tasks: gRPC may call back within it.
  void soon(Runnable action) {
    loop.execute(action);
  }

  /// Does something on the loop's thread, after a time.
  Future<?> after(long nanos, Runnable action) {
    return loop.schedule(action, nanos, TimeUnit.NANOSECONDS);
  }

  /// {@return whether time stands still while the loop works}
  boolean isVirtual() {
    return LoopControl.of(scheduler.host()).idleStrategy().timeStandsStill();
  }

  /// {@return the group for servers' listening sockets}
  EventLoopGroup serverGroup() {
    return isVirtual() ? serverLoop : netty.group();
  }

  /// {@return the group for clients' channels}
  EventLoopGroup clientGroup() {
    return isVirtual() ? clientLoop : netty.group();
  }

  /// Runs an action of a server soon, outside of tasks. Its waits for sockets of [#serverGroup] are
  /// over at once.
  <T> Future<T> directly(Callable<T> action) {
    return loop.submit(() -> serverLoop.directly(action));
  }

  /// {@return a promise that tasks await}
  ///
  /// @param name for people, and for recordings: it is the same in each run
  <T> Promise<T> newPromise(String name) {
    return new NamedPromise<>(loop, name);
  }

  private static final class NamedPromise<T> extends DefaultPromise<T> {

    private final String name;

    NamedPromise(EventLoop loop, String name) {
      super(loop);
      this.name = name;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /// Waits. A *possible* suspension point.
  <T> T await(Waitable<T> event) {
    return scheduler.host().awaitEvent(event);
  }

  /// Does something within a time. A *possible* suspension point.
  ///
  /// @param now the same, if it can be done at once; null if it cannot
  /// @param waiting does it
  <T> T within(Duration timeout, Supplier<? extends @Nullable T> now, Supplier<T> waiting) {
    if (Objects.requireNonNull(timeout, "timeout is null").isNegative()) {
      throw new IllegalArgumentException("timeout=%s; required >= 0".formatted(timeout));
    }
    scheduler.checkpoint();
    T done = now.get();
    return done == null ? scheduler.within(timeout, waiting::get) : done;
  }

  void checkThread() {
    scheduler.host().checkThread();
  }
}
