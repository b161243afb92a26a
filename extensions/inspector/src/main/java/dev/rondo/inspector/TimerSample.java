package dev.rondo.inspector;

import dev.rondo.observe.internal.LoopMonitor;
import dev.rondo.time.internal.ArmedTimer;
import dev.rondo.time.internal.ArmedTimers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A page of a loop's timers. The loop has turns during the search for them.
///
/// @param armed the number of armed timers
/// @param page some of them, the earliest first
/// @param after where the next page begins; null after the last page
record TimerSample(int armed, List<ArmedTimer> page, ArmedTimer.@Nullable Place after) {

  /// @param search null if the loop has no timers
  private record Begun(int armed, ArmedTimers.@Nullable Search search) {}

  /// Any thread except loop threads.
  ///
  /// @param after the [#after()] of the page before; null for the first page
  /// @param most the most timers on the page
  /// @param patience how long the loop may take for each answer
  /// @return empty if there was no answer in time
  static Optional<TimerSample> of(
      LoopMonitor loop, ArmedTimer.@Nullable Place after, int most, Duration patience) {
    Optional<Begun> begun = loop.ask(() -> begin(loop, after, most), patience);
    if (begun.isEmpty()) {
      return Optional.empty();
    }
    int armed = begun.get().armed;
    ArmedTimers.Search search = begun.get().search;
    if (search == null) {
      return Optional.of(new TimerSample(armed, List.of(), null));
    }
    Optional<Boolean> goesOn = Optional.of(true);
    while (goesOn.orElse(false)) {
      goesOn = loop.ask(search::look, patience);
    }
    if (goesOn.isEmpty()) {
      return Optional.empty();
    }
    return loop.ask(() -> new TimerSample(armed, search.found(), search.next()), patience);
  }

  /// On the scheduler's thread.
  private static Begun begin(LoopMonitor loop, ArmedTimer.@Nullable Place after, int most) {
    ArmedTimers timers = ArmedTimers.of(loop.scheduler());
    return timers == null
        ? new Begun(0, null)
        : new Begun(timers.count(), timers.search(after, most));
  }

  /// {@return where the next page begins, to be read by [#place]; empty after the last page}
  String next() {
    ArmedTimer.Place last = after;
    return last == null ? "" : last.deadlineNanos() + ":" + last.number();
  }

  /// Reads a place that [#next] has written.
  ///
  /// @return null if the text is empty
  static ArmedTimer.@Nullable Place place(String written) throws Refusal {
    if (written.isEmpty()) {
      return null;
    }
    int colon = written.indexOf(':');
    try {
      return new ArmedTimer.Place(
          Long.parseLong(written.substring(0, Math.max(0, colon))),
          Long.parseLong(written.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new Refusal(400, "after must be what a page has as its next");
    }
  }
}
