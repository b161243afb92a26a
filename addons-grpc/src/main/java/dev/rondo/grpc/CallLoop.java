package dev.rondo.grpc;

import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import io.netty.channel.EventLoop;

/// The loop on which the tasks of calls run. Callbacks of gRPC come to it from any thread.
final class CallLoop {

  private final Scheduler scheduler;
  private final WaitForNetty netty;
  private final EventLoop loop;

  CallLoop(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.netty = WaitForNetty.on(scheduler);
    this.loop = netty.group().next();
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

  /// Waits. A *possible* suspension point.
  <T> T await(Waitable<T> event) {
    return scheduler.host().awaitEvent(event);
  }
}
