package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A variable that predicates can watch: one that reads a cell is looked at again when the cell has
/// changed, and not before. See [WaitForCondition].
///
/// Confined to the scheduler's thread. No method is a suspension point.
///
/// @param <T> what it holds
public final class Cell<T extends @Nullable Object> {

  private final WaitForCondition conditions;
  private final String name;
  private T value;

  /// The waits whose predicates read this when they were last looked at.
  private final Set<ConditionWait<?>> readers = new LinkedHashSet<>();

  /// {@return a variable that predicates can watch} Never a suspension point.
  ///
  /// @param <T> what it holds
  /// @param scheduler whose tasks wait for predicates of it
  /// @param name shown in reports
  /// @param value what it holds at first
  public static <T extends @Nullable Object> Cell<T> create(
      Scheduler scheduler, String name, T value) {
    return new Cell<>(WaitForCondition.on(scheduler), name, value);
  }

  private Cell(WaitForCondition conditions, String name, T value) {
    this.conditions = conditions;
    this.name = requireNonNull(name, "name is null");
    this.value = value;
  }

  /// {@return what it holds} In a predicate this makes the predicate watch the cell.
  public T get() {
    conditions.noteRead(this);
    return value;
  }

  /// Changes what it holds, and has the predicates that read it looked at in the next round. A
  /// value equal to the present one changes nothing.
  ///
  /// @param value what it holds from now on
  /// @throws IllegalStateException in a predicate: those look, they do not change anything
  public void set(T value) {
    conditions.requireOutsideOfPredicates(this);
    if (!Objects.equals(this.value, value)) {
      this.value = value;
      changed();
    }
  }

  /// [#set] to what a function makes of what it holds now.
  ///
  /// @param function must not suspend
  /// @throws IllegalStateException in a predicate
  public void update(UnaryOperator<T> function) {
    set(function.apply(value));
  }

  /// Says that what it holds has changed within: for a list, a counter, anything that is changed in
  /// place.
  ///
  /// @throws IllegalStateException in a predicate
  public void changed() {
    conditions.requireOutsideOfPredicates(this);
    for (ConditionWait<?> each : readers) {
      conditions.changed(each);
    }
  }

  void addReader(ConditionWait<?> watch) {
    readers.add(watch);
  }

  void removeReader(ConditionWait<?> watch) {
    readers.remove(watch);
  }

  /// How many waits watch it.
  int readers() {
    return readers.size();
  }

  /// {@return its name}
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return "cell '" + name + "'";
  }
}
