package dev.rondo.grpc;

import io.netty.channel.IoEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// The loop of a client's channel under virtual time. After a failed attempt to connect gRPC draws
/// the time until the next one, and subtracts what the attempt has taken by the system's clock:
/// nothing of that is the same in each run, and on a slow machine the next attempt comes at once.
/// Here it comes after a second.
///
/// Confined to the scheduler's thread, except where Netty allows any.
final class ClientLoop extends ForwardingLoop {

  /// In the text of gRPC's task that ends the wait.
  private static final String BACKOFF = "EndOfCurrentBackoff";

  ClientLoop(IoEventLoop loop) {
    super(loop);
  }

  /// Connections are on the loop itself.
  @Override
  public IoEventLoop next() {
    return loop;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return command.toString().contains(BACKOFF)
        ? super.schedule(command, 1, TimeUnit.SECONDS)
        : super.schedule(command, delay, unit);
  }
}
