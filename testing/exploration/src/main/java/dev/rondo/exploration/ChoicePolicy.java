package dev.rondo.exploration;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import org.jspecify.annotations.Nullable;

/// Chooses among the tasks that are ready. Candidate 0 is the task that round robin takes. Tasks
/// that were put to the front run first, which is no choice.
final class ChoicePolicy implements SchedulingPolicy {

  /// The ids of tasks are less than this; those of other schedulers begin there.
  private static final int ID_BITS = 40;

  private final Choices choices;
  private final ReadyTasks first = new ReadyTasks();
  private final ReadyTasks others = new ReadyTasks();
  private final Ready ready;

  /// Has had the last turn.
  private @Nullable Task<?> last;

  /// @param number of the scheduler among those of the run, from 0
  ChoicePolicy(Choices choices, int number) {
    this.choices = choices;
    this.ready = new Ready((long) number << ID_BITS);
  }

  /// The tasks that are chosen among.
  final class Ready implements Candidates {

    private final long offset;

    private Ready(long offset) {
      this.offset = offset;
    }

    @Override
    public long applyAsLong(int index) {
      return offset + others.get(index).id();
    }

    @Override
    public String name(int index) {
      return others.get(index).name();
    }

    @Override
    public String previous() {
      return last == null ? "" : last.name();
    }

    /// {@return the task that has had the last turn; null if none had one}
    @Nullable Task<?> last() {
      return last;
    }
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
    Task<?> next = first.size() > 0 ? first.takeOut(0) : chosen();
    last = next;
    return next;
  }

  private Task<?> chosen() {
    int count = others.size();
    return others.takeOut(count == 1 ? 0 : choices.choose(ChoiceKind.TASK, count, ready));
  }

  @Override
  public String toString() {
    return choices.toString();
  }
}
