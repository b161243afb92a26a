package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// An `eventfd` that ends the current select of an [EpollSelector], or the next one. Any thread may
/// signal it.
final class EventCounter {

  private static final MemorySegment ONE = Arena.global().allocateFrom(ValueLayout.JAVA_LONG, 1);

  private final Libc calls = new Libc();
  private final MemorySegment count = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
  final int descriptor = calls.eventCounter();

  /// Whether the counter is not zero.
  private boolean signalled;

  /// Afterwards the descriptor may belong to another file.
  private boolean closed;

  EventCounter() throws IOException {}

  synchronized void signal() {
    if (signalled || closed) {
      return;
    }
    try {
      calls.write(descriptor, ONE);
      signalled = true;
    } catch (IOException e) {
      throw new AssertionError("a counter accepts a signal unless it is full", e);
    }
  }

  synchronized void reset() throws IOException {
    calls.read(descriptor, count);
    signalled = false;
  }

  synchronized void close() throws IOException {
    closed = true;
    calls.close(descriptor);
  }
}
