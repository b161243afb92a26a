package dev.rondo.http.client;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Scheduler;
import java.time.Duration;

/// A client's end of a WebSocket.
///
/// Confined to the scheduler's thread.
final class ClientSocketWire extends MessageWire {

  /// @param progress the time that the server has to make room for a message
  ClientSocketWire(Scheduler scheduler, ChannelControl channel, Duration progress) {
    super(scheduler, channel, progress, false);
  }

  /// Waits for the server, because the program may end next.
  @Override
  public void close() {
    super.close();
    awaitClosed();
  }
}
