package dev.rondo.observe.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Resources that one thread opens and another thread closes. Opening may take seconds. Neither
/// thread waits for the other. A resource that is opened after the close is closed by the opening
/// thread.
///
/// Any thread.
final class Openings {

  private final List<Runnable> opened = new ArrayList<>();
  private boolean closed;

  synchronized boolean isClosed() {
    return closed;
  }

  /// Opens something, unless all is closed.
  ///
  /// @param way opens the resource, and returns an action that closes it; not called after the
  ///   close. This method throws the exceptions of `way`
  void open(Supplier<? extends Runnable> way) {
    if (isClosed()) {
      return;
    }
    Runnable made = way.get();
    if (!keep(made)) {
      made.run();
    }
  }

  private synchronized boolean keep(Runnable made) {
    return !closed && opened.add(made);
  }

  /// Closes the open resources. Resources that are opened later are closed at once.
  void close() {
    take().forEach(Runnable::run);
  }

  private synchronized List<Runnable> take() {
    closed = true;
    List<Runnable> all = List.copyOf(opened);
    opened.clear();
    return all;
  }
}
