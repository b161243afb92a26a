package dev.rondo.exploration;

import dev.rondo.exploration.internal.Candidates;
import dev.rondo.exploration.internal.SwitchingPolicy;
import dev.rondo.scheduler.Task;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Chooses among the tasks that are ready. Candidate 0 is the task that round robin takes. Tasks
/// that were put to the front run first, which is no choice.
final class ChoicePolicy implements SwitchingPolicy {

  /// The ids of tasks are less than this; those of other schedulers begin there.
  private static final int ID_BITS = 40;

  private final Choices choices;
  private final ReadyTasks first = new ReadyTasks();
  private final ReadyTasks others = new ReadyTasks();
  private final Ready ready;

  /// Has the turn, or has had the last one.
  private @Nullable Task<?> last;

  /// Has the next turn, if it is ready then; null if that is not chosen yet.
  private @Nullable Task<?> other;

  /// Whether it is chosen after the end of the turn if the task that had it goes on.
  private boolean asks;

  /// Where [#last] is among the others, which is no place of its own in a choice; their number if
  /// it is not there.
  private int placeOfLast;

  /// What a task accesses when it goes on, by its id, where threads race.
  private final Map<Long, Access> accesses = new HashMap<>();

  /// What the task that had the turn has accessed in it; null if that is not known.
  private @Nullable Access made;

  private record Access(
      @Nullable Object of, int index, String field, String place, boolean writes) {
    boolean conflicts(Access other) {
      return of == other.of
          && index == other.index
          && field.equals(other.field)
          && (writes || other.writes);
    }
  }

  private boolean conflicts(Task<?> task) {
    Access known = made;
    Access own = accesses.get(task.id());
    return known != null && own != null && own.conflicts(known);
  }

  private String place(Task<?> task) {
    Access own = accesses.get(task.id());
    return own == null ? "" : own.place;
  }

  /// The task that has the turn, and then the others.
  private final Candidates switched =
      new Candidates() {
        @Override
        public long applyAsLong(int index) {
          return ready.offset + candidate(index).id();
        }

        @Override
        public String name(int index) {
          return candidate(index).name();
        }

        @Override
        public boolean conflicts(int index) {
          return ChoicePolicy.this.conflicts(candidate(index));
        }

        @Override
        public String place(int index) {
          return ChoicePolicy.this.place(candidate(index));
        }

        @Override
        public String previous() {
          return ready.previous();
        }
      };

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
    public boolean conflicts(int index) {
      return ChoicePolicy.this.conflicts(others.get(index));
    }

    @Override
    public String place(int index) {
      return ChoicePolicy.this.place(others.get(index));
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
    if (other == null && !asks) { // the turn is over, not interrupted at an access
      made = last == null ? null : accesses.remove(last.id());
    }
    Task<?> next = first.size() > 0 ? first.takeOut(0) : chosen();
    last = next;
    return next;
  }

  // In the middle of a turn.

  @Override
  public boolean hasOther() {
    return others.size() > 0;
  }

  @Override
  public void reaches(@Nullable Object of, int index, String field, String place, boolean writes) {
    Task<?> task = last;
    if (task != null) {
      choices.reached(ready.offset + task.id(), place);
      made = accesses.put(task.id(), new Access(of, index, field, place, writes));
    }
  }

  @Override
  public boolean choosesOther() {
    if (last == null || first.size() > 0 || others.size() == 0) {
      return false;
    }
    placeOfLast = others.size();
    int chosen = choices.choose(ChoiceKind.SWITCH, others.size() + 1, switched);
    if (chosen == 0) {
      return false;
    }
    other = others.get(chosen - 1);
    return true;
  }

  @Override
  public void asksAfterTurn() {
    asks = true;
  }

  @Override
  public void goesOn() {
    other = null;
    asks = false;
  }

  /// @param index 0 for the task that has, or had, the turn
  private Task<?> candidate(int index) {
    if (index == 0 && last != null) {
      return last;
    }
    return others.get(index <= placeOfLast ? index - 1 : index);
  }

  private Task<?> chosen() {
    int count = others.size();
    Task<?> known = other;
    boolean asked = asks;
    goesOn();
    if (known != null && others.indexOf(known) >= 0) {
      return others.takeOut(others.indexOf(known));
    }
    if (asked && last != null && count > 1 && others.indexOf(last) >= 0) {
      placeOfLast = others.indexOf(last);
      int chosen = choices.choose(ChoiceKind.SWITCH, count, switched);
      return others.takeOut(others.indexOf(candidate(chosen)));
    }
    return others.takeOut(count == 1 ? 0 : choices.choose(ChoiceKind.TASK, count, ready));
  }

  @Override
  public String toString() {
    return choices.toString();
  }
}
