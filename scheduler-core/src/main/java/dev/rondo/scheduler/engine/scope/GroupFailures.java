package dev.rondo.scheduler.engine.scope;

import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.engine.Throwables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The failures of a [TaskGroup], in the order in which they happened. The first is thrown, with
/// the others suppressed in it.
final class GroupFailures {

  /// The failure of a child, or of the block if the child is null.
  private record Failed(@Nullable String child, Throwable cause) {

    /// Makes the exception at the time of the throw, so that the stack trace shows the owner and
    /// not the child.
    Throwable shown() {
      return child == null ? cause : new TaskFailedException(child, cause);
    }
  }

  private final List<Failed> failures = new ArrayList<>();

  /// Adds the failure of a child.
  ///
  /// @param child its name
  void addChilds(String child, Throwable cause) {
    failures.add(new Failed(child, cause));
  }

  /// Adds the failure of the block. If the block has failed because it joined a failed child, this
  /// failure replaces the failure of the child, because it has the trace of the join.
  void addBlocks(Throwable thrown) {
    for (int i = 0; i < failures.size(); i++) {
      if (isJoinOf(failures.get(i), thrown)) {
        failures.set(i, new Failed(null, thrown));
        return;
      }
    }
    failures.add(new Failed(null, thrown));
  }

  @SuppressWarnings("ReferenceEquality") // the same failure
  private static boolean isJoinOf(Failed known, Throwable thrown) {
    return known.child != null
        && thrown instanceof TaskFailedException
        && known.cause == thrown.getCause();
  }

  /// Throws the failures, if there are any.
  ///
  /// @param first an exception that is thrown in any case; null if there is none
  @SuppressWarnings("ReferenceEquality") // a throwable cannot suppress itself
  void throwAll(@Nullable Throwable first) throws Exception {
    Throwable primary = first;
    for (Failed failed : failures) {
      Throwable failure = failed.shown();
      if (primary == null) {
        primary = failure;
      } else if (primary != failure) {
        primary.addSuppressed(failure);
      }
    }
    if (primary != null) {
      throw Throwables.<Exception>rethrow(primary);
    }
  }
}
