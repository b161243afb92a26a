package dev.rondo.simulation.internal.world;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What is to happen to a host amid its work: each thing after so many of its steps, which are its
/// turns and the changes of its disk.
///
/// Confined to the world's thread.
public final class StepPlan {

  private static final class Entry {

    private int stepsLeft;
    private final Supplier<? extends @Nullable Runnable> action;

    Entry(int steps, Supplier<? extends @Nullable Runnable> action) {
      this.stepsLeft = steps;
      this.action = action;
    }
  }

  private final List<Entry> entries = new ArrayList<>();

  /// Plans an action.
  ///
  /// @param steps how many from now on, at least 1
  /// @param action returns what kills the host, null if it lives on
  public void add(int steps, Supplier<? extends @Nullable Runnable> action) {
    entries.add(new Entry(steps, action));
  }

  public void clear() {
    entries.clear();
  }

  /// Counts a step of the host. {@return the actions that were planned for it, in the order of the
  /// plan}
  public List<? extends Supplier<? extends @Nullable Runnable>> step() {
    if (entries.isEmpty()) {
      return List.of();
    }
    entries.forEach(each -> each.stepsLeft--);
    List<Entry> due = entries.stream().filter(each -> each.stepsLeft == 0).toList();
    entries.removeAll(due);
    return due.stream().map(each -> each.action).toList();
  }
}
