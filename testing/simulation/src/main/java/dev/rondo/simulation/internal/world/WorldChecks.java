package dev.rondo.simulation.internal.world;

import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.simulation.internal.net.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The conditions of a world, checked after each turn and whenever time has passed.
///
/// Confined to the world's thread.
public final class WorldChecks {

  /// @param name in messages
  /// @param holds must hold always
  private record Invariant(String name, BooleanSupplier holds) {}

  /// Something that must hold once, in time.
  private static final class Expectation {

    private final String name;
    private final BooleanSupplier holds;
    private final Duration within;
    private boolean late;

    Expectation(String name, BooleanSupplier holds, Duration within) {
      this.name = name;
      this.holds = holds;
      this.within = within;
    }
  }

  private final List<Invariant> invariants = new ArrayList<>();
  private final List<Expectation> expectations = new ArrayList<>();

  public void always(String name, BooleanSupplier holds) {
    invariants.add(new Invariant(name, holds));
  }

  /// Requires that a condition holds at least once within a time.
  ///
  /// @param plans say when it is late
  public void eventually(String name, BooleanSupplier holds, Duration within, Timeline plans) {
    var added = new Expectation(name, holds, within);
    expectations.add(added);
    var _ = plans.after(within.toNanos(), () -> added.late = true);
  }

  /// Looks at all.
  ///
  /// @param settled whether no more happens at this instant
  /// @return what does not hold; null if all is well
  @Nullable
  public String look(boolean settled) {
    for (Invariant each : invariants) {
      if (!each.holds.getAsBoolean()) {
        return "'%s' does not hold".formatted(each.name);
      }
    }
    for (Iterator<Expectation> all = expectations.iterator(); all.hasNext(); ) {
      Expectation each = all.next();
      if (each.holds.getAsBoolean()) {
        all.remove();
      } else if (each.late && settled) {
        all.remove();
        return "'%s' has not held within %s".formatted(each.name, ReportText.duration(each.within));
      }
    }
    return null;
  }
}
