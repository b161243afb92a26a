package dev.rondo.examples.replicatedlog;

import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Sends requests to one replica at a time, over a connection that it keeps. Without an answer it
/// closes the connection, whatever the reason, because a late answer must not count for the next
/// request.
final class Caller implements Closeable {

  private final Scheduler scheduler;
  private @Nullable TcpSocket socket;

  Caller(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /// Sends a request, to the same replica as before or after [#close()]. {@return its answer}
  ///
  /// @throws dev.rondo.scheduler.TimedOutException if the answer takes too long
  Message call(SocketAddress address, Message request, Duration limit) throws IOException {
    boolean answered = false;
    try {
      Message answer = scheduler.within(limit, () -> Frames.call(connected(address), request));
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        close();
      }
    }
  }

  private TcpSocket connected(SocketAddress address) throws IOException {
    TcpSocket open = socket;
    if (open == null) {
      open = WaitForIO.on(scheduler).connect(address);
      socket = open;
    }
    return open;
  }

  /// Closes the connection.
  @Override
  public void close() throws IOException {
    TcpSocket open = socket;
    socket = null;
    if (open != null) {
      open.close();
    }
  }
}
