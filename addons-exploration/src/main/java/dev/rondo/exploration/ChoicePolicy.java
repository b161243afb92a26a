package dev.rondo.exploration;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.util.function.IntToLongFunction;

/// Chooses among the tasks that are ready. Candidate 0 is the task that round robin takes. Tasks
/// that were put to the front run first, which is no choice.
final class ChoicePolicy implements SchedulingPolicy {

  /// The ids of tasks are less than this; those of other schedulers begin there.
  private static final int ID_BITS = 40;

  private final Choices choices;
  private final ReadyTasks first = new ReadyTasks();
  private final ReadyTasks others = new ReadyTasks();
  private final IntToLongFunction ids;

  /// @param number of the scheduler among those of the run, from 0
  ChoicePolicy(Choices choices, int number) {
    this.choices = choices;
    long offset = (long) number << ID_BITS;
    this.ids = index -> offset + others.get(index).id();
  }

  @Override
  public void add(Task<?> task) {
    others.insert(others.size(), task);
  }

  @Override
  public void addFirst(Task<?> task) {
    first.insert(0, task);
  }

  @Override
  public void addAfter(Task<?> anchor, Task<?> task) {
    int index = first.indexOf(anchor);
    if (index >= 0) {
      first.insert(index + 1, task);
    } else {
      others.insert(others.indexOf(anchor) + 1, task);
    }
  }

  @Override
  public void remove(Task<?> task) {
    int index = first.indexOf(task);
    if (index >= 0) {
      Task<?> _ = first.takeOut(index);
    } else {
      Task<?> _ = others.takeOut(others.indexOf(task));
    }
  }

  @Override
  public Task<?> next() {
    if (first.size() > 0) {
      return first.takeOut(0);
    }
    int count = others.size();
    return others.takeOut(count == 1 ? 0 : choices.choose(ChoiceKind.TASK, count, ids));
  }

  @Override
  public String toString() {
    return choices.toString();
  }
}
