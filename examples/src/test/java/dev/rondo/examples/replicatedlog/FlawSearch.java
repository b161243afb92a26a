package dev.rondo.examples.replicatedlog;

import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Looks for a world that fails because of a mistake, from seed 1, and makes it as simple as it
/// can. Its text is a row of a table.
final class FlawSearch {

  private static final int SEEDS = 1_000;
  private static final Pattern EVENTS = Pattern.compile("events: (\\d+) =");

  private final Flaw flaw;
  private @Nullable Exploration result;
  private int eventsBefore;
  private int events;
  private double secondsOfSearch;
  private double seconds;

  FlawSearch(Flaw flaw) {
    this.flaw = flaw;
  }

  /// @param mostRuns of making it simpler
  void run(int mostRuns) {
    double begin = cpuSeconds();
    Exploration made =
        new Explorer(Strategy.uniform(1))
            .runs(SEEDS)
            .shrinking(Duration.ofDays(1), mostRuns)
            .explore(ReplicatedLogWorld.class, choices -> run(choices, begin));
    seconds = cpuSeconds() - begin - secondsOfSearch;
    result = made;
    if (made.failure().isEmpty() || made.divergence().isPresent()) {
      throw new AssertionError(flaw + ": " + made, made.divergence().orElse(null));
    }
    events = eventsOf(made.failure().get());
  }

  private void run(Choices choices, double begin) {
    try {
      ReplicatedLogWorld.run(choices, flaw);
    } catch (AssertionError e) {
      if (eventsBefore == 0) {
        eventsBefore = eventsOf(e);
        secondsOfSearch = cpuSeconds() - begin;
      }
      throw e;
    }
  }

  private static int eventsOf(Throwable failure) {
    Matcher found = EVENTS.matcher(String.valueOf(failure.getMessage()));
    return found.find() ? Integer.parseInt(found.group(1)) : 0;
  }

  /// Of this thread: what else the machine does counts little.
  private static double cpuSeconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }

  /// {@return what of the simplest run a reader has to follow}
  int events() {
    return events;
  }

  /// {@return whether a third of what is not usual is gone, and no event more is there}
  boolean isFarSimpler() {
    Exploration made = result;
    return made != null
        && events <= eventsBefore
        && 3 * made.shrunk().orElseThrow().deviations()
            <= 2 * made.found().orElseThrow().deviations();
  }

  @Override
  public String toString() {
    Exploration made = result;
    if (made == null) {
      return flaw.toString();
    }
    ChoiceSequence found = made.found().orElseGet(ChoiceSequence::empty);
    ChoiceSequence shrunk = made.shrunk().orElseGet(ChoiceSequence::empty);
    return String.format(
        Locale.ROOT,
        "| %s | %d | %d | %d | %,d | %,d | %,d | %.0f |",
        flaw,
        made.runs(),
        eventsBefore,
        events,
        found.deviations(),
        shrunk.deviations(),
        made.shrinkRuns(),
        seconds);
  }
}
