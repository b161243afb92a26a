package dev.rondo.application.testing;

import java.util.ArrayList;
import java.util.List;

/// The failures that nobody was told of: of tasks that nobody joined, of handlers, of timers. A
/// [RondoTest] fails if one is left at its end; one that expects some takes them.
///
/// Any thread, for a look at one that hangs.
public final class UnobservedFailures {

  private final List<Throwable> failures = new ArrayList<>();
  private final List<String> places = new ArrayList<>();

  UnobservedFailures() {}

  synchronized void add(String where, Throwable failure) {
    places.add(where);
    failures.add(failure);
  }

  /// Looks at them: those of until now make nobody fail any more. Never a suspension point.
  ///
  /// @return the failures since the last time, in order
  public synchronized List<Throwable> take() {
    List<Throwable> taken = List.copyOf(failures);
    failures.clear();
    places.clear();
    return taken;
  }

  /// Throws if there are any.
  synchronized void requireNone() {
    if (failures.isEmpty()) {
      return;
    }
    var text = new StringBuilder("something failed, and nobody was told:");
    for (int i = 0; i < failures.size(); i++) {
      text.append("\n  ").append(places.get(i)).append(": ").append(failures.get(i));
    }
    var thrown = new AssertionError(text.toString(), failures.getFirst());
    failures.stream().skip(1).forEach(thrown::addSuppressed);
    throw thrown;
  }
}
