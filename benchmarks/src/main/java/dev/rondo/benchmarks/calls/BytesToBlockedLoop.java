package dev.rondo.benchmarks.calls;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A thread that writes a byte to a connection and moves the clock whenever the loop blocks in its
/// selector.
final class BytesToBlockedLoop implements AutoCloseable {

  /// The loop counts as blocked if it is found in `select` this often in a row.
  private static final int LOOKS = 3;

  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /// A pause after which the loop no longer counts as busy.
  private static final Duration PAUSE = Duration.ofMillis(1);

  private final Thread loop;
  private final SteppedClock clock;
  private final Socket connection;
  private final Thread writer = Thread.ofPlatform().daemon().name("bytes").unstarted(this::write);

  private volatile boolean ended;

  /// @param loop the scheduler's thread
  BytesToBlockedLoop(Thread loop, SteppedClock clock, Socket connection) throws SocketException {
    this.loop = loop;
    this.clock = clock;
    this.connection = connection;
    connection.setTcpNoDelay(true);
  }

  void begin() {
    writer.start();
  }

  private void write() {
    try {
      OutputStream out = connection.getOutputStream();
      while (awaitBlocked()) {
        clock.advance(PAUSE);
        out.write(1);
      }
    } catch (IOException e) {
      if (!ended) {
        throw new AssertionError(e);
      }
    }
  }

  /// @return false if the thread must end
  private boolean awaitBlocked() {
    for (int found = 0; found < LOOKS && !ended; ) {
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
      found = isBlocked() ? found + 1 : 0;
    }
    return !ended;
  }

  private boolean isBlocked() {
    return Stream.of(loop.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("select") && isSelector(frame));
  }

  /// A `select`, not the `selectNow` that never blocks.
  private static boolean isSelector(StackTraceElement frame) {
    try {
      return Selector.class.isAssignableFrom(
          Class.forName(frame.getClassName(), false, BytesToBlockedLoop.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Override
  public void close() {
    ended = true;
  }
}
