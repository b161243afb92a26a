package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A variable that predicates can watch: a predicate that reads a cell is evaluated again only when
/// the cell has changed. See [WaitForCondition].
///
/// Confined to the scheduler's thread. No method is a suspension point.
///
/// @param <T> the value
public final class Cell<T extends @Nullable Object> {

  private final WaitForCondition conditions;
  private final String name;
  private T value;

  /// The waits whose predicates read this cell when they were last evaluated.
  private final Set<ConditionWait<?>> readers = new LinkedHashSet<>();

  /// Makes a cell.
  ///
  /// @param scheduler whose tasks wait for predicates that read it
  /// @param name shown in reports
  /// @param value the initial value
  public Cell(Scheduler scheduler, String name, T value) {
    this(WaitForCondition.on(scheduler), name, value);
  }

  private Cell(WaitForCondition conditions, String name, T value) {
    this.conditions = conditions;
    this.name = requireNonNull(name, "name is null");
    this.value = value;
  }

  /// {@return the value} A predicate that calls this watches the cell.
  public T get() {
    conditions.noteRead(this);
    return value;
  }

  /// Sets the value; the predicates that watch the cell are evaluated in the next round. A value
  /// equal to the present one has no effect.
  ///
  /// @param value the new value
  /// @throws IllegalStateException in a predicate, which must not change a cell
  public void set(T value) {
    conditions.requireOutsideOfPredicates(this);
    if (!Objects.equals(this.value, value)) {
      this.value = value;
      changed();
    }
  }

  /// Reports that the value has changed in place, as a list does.
  ///
  /// @throws IllegalStateException in a predicate, which must not change a cell
  public void changed() {
    conditions.requireOutsideOfPredicates(this);
    for (ConditionWait<?> each : readers) {
      conditions.changed(each);
    }
  }

  void addReader(ConditionWait<?> wait) {
    readers.add(wait);
  }

  void removeReader(ConditionWait<?> wait) {
    readers.remove(wait);
  }

  /// The number of waits that watch it.
  int readers() {
    return readers.size();
  }

  @Override
  public String toString() {
    return "cell '" + name + "'";
  }
}
