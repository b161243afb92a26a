package dev.rondo.scheduler.engine.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Resources that one thread opens, which may take seconds, and another one closes. Neither waits
/// for the other: the opening thread closes what it has opened too late.
///
/// Any thread.
final class Openings {

  private final List<EndListener> opened = new ArrayList<>();
  private boolean closed;

  synchronized boolean isClosed() {
    return closed;
  }

  /// Opens something, unless all is closed.
  ///
  /// @param way is not called if all is closed; what it throws comes out of here
  void open(Supplier<? extends EndListener> way) {
    if (isClosed()) {
      return;
    }
    EndListener made = way.get();
    if (!keep(made)) {
      made.closed();
    }
  }

  private synchronized boolean keep(EndListener made) {
    return !closed && opened.add(made);
  }

  /// Closes what is open, and what is about to be.
  void close() {
    take().forEach(EndListener::closed);
  }

  private synchronized List<EndListener> take() {
    closed = true;
    List<EndListener> all = List.copyOf(opened);
    opened.clear();
    return all;
  }
}
