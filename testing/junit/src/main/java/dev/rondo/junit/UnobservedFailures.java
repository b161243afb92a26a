package dev.rondo.junit;

import java.util.ArrayList;
import java.util.List;
import org.opentest4j.TestAbortedException;

/// The failures that no task has observed: of tasks that were not joined, of handlers, and of
/// timers. A [RondoTest] fails if there is one at its end. A test that expects failures removes
/// them with [#take()]. The failure of a task is among them a second of the application's clock
/// after the task has ended, because a join may follow; so such a test sleeps first.
///
/// Any thread, because JUnit's thread reads them when a test hangs.
public final class UnobservedFailures {

  private final List<Throwable> failures = new ArrayList<>();
  private final List<String> places = new ArrayList<>();

  UnobservedFailures() {}

  synchronized void add(String where, Throwable failure) {
    places.add(where);
    failures.add(failure);
  }

  /// Removes the failures so far, so that the test does not fail for them. Never a suspension
  /// point.
  ///
  /// @return the failures since the last call, in order
  public synchronized List<Throwable> take() {
    List<Throwable> taken = List.copyOf(failures);
    failures.clear();
    places.clear();
    return taken;
  }

  /// {@return whether there is one that is no aborted assumption}
  synchronized boolean areMoreThanAborts() {
    return failures.stream().anyMatch(each -> !(each instanceof TestAbortedException));
  }

  /// Throws an error that names all failures, if there are any.
  synchronized void requireNone() {
    if (failures.isEmpty()) {
      return;
    }
    var text = new StringBuilder("failures that no task has observed:");
    for (int i = 0; i < failures.size(); i++) {
      text.append("\n  ").append(places.get(i)).append(": ").append(failures.get(i));
    }
    var thrown = new AssertionError(text.toString(), failures.getFirst());
    failures.stream().skip(1).forEach(thrown::addSuppressed);
    throw thrown;
  }
}
