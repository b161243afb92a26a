package dev.rondo.simulation.threads.internal;

import dev.rondo.exploration.internal.SwitchingPolicy;
import dev.rondo.simulation.internal.threads.HostSeat;
import org.jspecify.annotations.Nullable;

/// Takes the turn from threads of one process in the middle of it, where they race.
///
/// Confined to the world's thread and the threads that it carries.
final class RaceSearch {

  /// A thread that passes so many points in a turn waits in a loop, as others do that give way:
  /// zero, which is to go on, would be for ever.
  private static final int MOST_POINTS = 10_000;

  /// How many turns such a loop counts for.
  static final int TURNS_OF_SPIN = 100;

  private final RaceReport told;
  private final SwitchingPolicy policy;
  private final WorldMonitors monitors;
  private @Nullable HostSeat seat;

  private long turn;
  private int points;

  /// Null if it is no failure that accesses are not ordered.
  private final @Nullable DataRaces unordered;

  /// Whether a point is being looked at: code that this calls may have points.
  private boolean looks;

  /// @param unordered null if it is no failure that accesses are not ordered
  RaceSearch(
      RaceReport told,
      SwitchingPolicy policy,
      WorldMonitors monitors,
      @Nullable DataRaces unordered) {
    this.told = told;
    this.unordered = unordered;
    this.policy = policy;
    this.monitors = monitors;
  }

  /// The process begins.
  void begin(HostSeat of) {
    seat = of;
    of.explain(told);
  }

  /// A thread starts: it sees all that the one has done that starts it.
  void starts(CoroutineThread by, Thread thread) {
    if (told.tells()) {
      told.starts(thread);
    }
    if (unordered != null) {
      looks = true;
      unordered.order().starts(by.shown(), thread);
      looks = false;
    }
  }

  /// A thread acquires an object.
  void acquires(CoroutineThread thread, Object by) {
    if (unordered != null && !looks) {
      looks = true;
      unordered.order().acquires(thread.shown(), by);
      looks = false;
    }
  }

  /// A thread releases an object.
  void releases(CoroutineThread thread, Object by) {
    if (unordered != null && !looks) {
      looks = true;
      unordered.order().releases(thread.shown(), by);
      looks = false;
    }
  }

  /// A thread interrupts another one.
  void interrupts(CoroutineThread by, Thread thread) {
    if (unordered != null) {
      looks = true;
      unordered.order().interrupts(by.shown(), thread);
      looks = false;
    }
  }

  /// {@return whether the threads of a class race}
  ///
  /// @param packages a bit for each that it belongs to
  boolean concerns(int packages) {
    return !looks && told.concerns(packages);
  }

  /// A thread has reached a point, and may lose its turn.
  ///
  /// @return whether it loses it because it may wait in a loop
  boolean isSpinning(
      CoroutineThread thread, @Nullable Object of, int index, String does, String what) {
    boolean isSpinning = mayLose(thread, of, index, does, what);
    HostSeat own = seat;
    if (unordered != null && own != null) {
      looks = true;
      IllegalStateException race = unordered.accesses(told.made(thread, of, index, does, what));
      looks = false;
      if (race != null) {
        own.fail("thread '" + thread.name() + "'", race);
      }
    }
    return isSpinning;
  }

  private boolean mayLose(
      CoroutineThread thread, @Nullable Object of, int index, String does, String what) {
    if (thread.turns() != turn) {
      turn = thread.turns();
      points = 0;
    }
    RaceReport.Access access = null;
    if (told.tells()) {
      looks = true;
      access = told.reached(thread, of, index, does, what);
      looks = false;
    }
    boolean isField = RaceReport.isField(does);
    policy.reaches(of, index, isField ? what : "", what, !does.startsWith("reads"));
    if (!policy.hasOther() && !monitors.areWanted()) {
      return false;
    }
    if (++points > MOST_POINTS) {
      Thread.yield();
      return true;
    }
    if (monitors.areWanted()) {
      policy.asksAfterTurn();
      giveWay(thread, access);
    } else if (policy.choosesOther()) {
      giveWay(thread, access);
    }
    return false;
  }

  private void giveWay(CoroutineThread thread, RaceReport.@Nullable Access access) {
    long before = thread.turns();
    if (access != null) {
      told.leaves(access);
    }
    Thread.yield(); // does nothing where it cannot leave its stack
    if (thread.turns() == before) {
      policy.goesOn();
    }
    if (access != null) {
      String what = told.goesOn(access);
      HostSeat own = seat;
      if (what != null && own != null) {
        own.told(what);
      }
    }
  }
}
