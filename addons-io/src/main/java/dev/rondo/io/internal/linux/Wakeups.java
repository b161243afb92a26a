package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Ends the current select of an [EpollSelector], or its next one, on behalf of any thread.
final class Wakeups {

  private static final MemorySegment ONE = Arena.global().allocateFrom(ValueLayout.JAVA_LONG, 1);

  private final Libc calls = new Libc();
  private final MemorySegment count = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
  final int counter = calls.eventCounter();

  /// Whether the counter is not zero.
  private boolean told;

  /// After that the descriptor may be another file's.
  private boolean closed;

  Wakeups() throws IOException {}

  synchronized void tell() {
    if (told || closed) {
      return;
    }
    try {
      calls.write(counter, ONE);
      told = true;
    } catch (IOException e) {
      throw new AssertionError("a counter takes one more unless it is full", e);
    }
  }

  synchronized void forget() throws IOException {
    calls.read(counter, count);
    told = false;
  }

  synchronized void close() throws IOException {
    closed = true;
    calls.close(counter);
  }
}
