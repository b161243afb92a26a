package dev.rondo.time.internal;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.TimerService;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The armed timers of a scheduler, as a tool sees them.
///
/// Confined to the scheduler's thread; no method is a suspension point.
public interface ArmedTimers {

  /// Timers that are due next, found some at a time, so that the loop can have turns in between.
  ///
  /// The timers of a loop are in groups by their deadlines, unsorted within a group. A search looks
  /// at one group after the other until it has found enough. Usually it looks at a few hundred
  /// timers, but at all of them if a million are due at about the same time. The loop continues
  /// meanwhile. A timer that moves to another group is found there. A timer that fires or is
  /// disarmed may hide another timer of its group.
  interface Search {

    /// Looks at 1,024 more timers at most.
    ///
    /// @return whether there are more to look at
    boolean look();

    /// {@return the timers that were found and are still armed, the earliest first} After the last
    /// [#look()], these are the timers that are due next.
    List<ArmedTimer> found();

    /// {@return the place where the next page begins; null if no timer comes after the found
    /// timers} The place may belong to a timer that is no longer armed, and that [#found()] leaves
    /// out.
    ArmedTimer.@Nullable Place next();
  }

  /// {@return the timers of a scheduler; null if it has no add-on for time}
  ///
  /// @param scheduler any
  static @Nullable ArmedTimers of(Scheduler scheduler) {
    TimerService service = scheduler.host().addOn(TimerService.class);
    Function<TimerService, @Nullable ArmedTimers> access = Access.ofService;
    return service == null || access == null ? null : access.apply(service);
  }

  /// {@return the number of armed timers}
  int count();

  /// {@return the time until the next deadline, zero if that has passed; null if there is none} A
  /// timer for ever has no deadline.
  @Nullable Duration untilNext();

  /// Begins a search for the armed timers that are due next, except timers that are due now and
  /// timers that are armed for ever. The search has not looked at any timer yet.
  ///
  /// @param after [Search#next()] of the page before; null for the first page
  /// @param most the most timers to find, at least zero
  /// @return the search
  /// @throws IllegalArgumentException if `most` is negative
  Search search(ArmedTimer.@Nullable Place after, int most);

  /// Lets the add-on for time give access to its timers without a public method.
  final class Access {

    private static volatile @Nullable Function<TimerService, @Nullable ArmedTimers> ofService;

    private Access() {}

    /// Called once, by the class of the add-on.
    ///
    /// @param access finds the timers of a service; null for a service of another kind
    public static void is(Function<TimerService, @Nullable ArmedTimers> access) {
      ofService = access;
    }
  }
}
