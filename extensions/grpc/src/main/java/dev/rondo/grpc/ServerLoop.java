package dev.rondo.grpc;

import io.netty.channel.IoEventLoop;
import java.util.concurrent.Callable;

/// The loop for a server's listening sockets. gRPC blocks the calling thread until these sockets
/// are bound or closed. Within [#directly] each step happens at once, so gRPC does not block the
/// loop's own thread.
///
/// Confined to the scheduler's thread, except where Netty allows any.
final class ServerLoop extends ForwardingLoop {

  /// Whether executed code runs at once. Written and read by the loop's thread.
  private boolean direct;

  ServerLoop(IoEventLoop loop) {
    super(loop);
  }

  /// Runs an action of gRPC that waits for sockets of this loop, on the loop's thread.
  <T> T directly(Callable<T> action) throws Exception {
    direct = true;
    try {
      return action.call();
    } finally {
      direct = false;
    }
  }

  @Override
  public void execute(Runnable task) {
    if (inEventLoop() && direct) {
      task.run();
    } else {
      loop.execute(task);
    }
  }
}
