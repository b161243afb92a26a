package dev.rondo.junit;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Strategy;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;

/// The configuration of a test, or of one of its runs.
///
/// @param name the name of the run; the same each time, so that reports can be compared
/// @param schedules how many orders the test runs in; zero for the usual order
/// @param runs how many runs to search at most; zero for a single run, which JUnit makes
/// @param strategy of the search
/// @param uniform whether each run of the search has a seed of its own, counted from the first
/// @param byPolicy whether tasks have another order than the usual one
/// @param seed the seed of the order and of random numbers
/// @param limit the limit of each method, in real time
/// @param shrinkLimit the limit of shrinking, in real time
/// @param backend the name of the backend; empty for the default
/// @param freshClasses whether each run loads the classes of the test again
record Plan(
    String name,
    int schedules,
    int runs,
    Strategy strategy,
    boolean uniform,
    boolean byPolicy,
    long seed,
    Duration limit,
    Duration shrinkLimit,
    Optional<String> backend,
    boolean freshClasses) {

  /// Without a limit: a debugger may stop a test for any length of time.
  private static final Duration WITH_DEBUGGER = Duration.ofDays(1);

  /// How many times as long as the longest run so far an attempt may take. The machine may have
  /// other work by then.
  private static final int LONGER = 4;

  boolean isSearch() {
    return runs > 0;
  }

  /// {@return this single run, as a search whose only run loads its classes again}
  Plan withFreshClasses() {
    return new Plan(
        name, schedules, 1, strategy, uniform, byPolicy, seed, limit, shrinkLimit, backend, true);
  }

  /// {@return the choices of a single run}
  Choices choices() {
    return Choices.random(seed);
  }

  /// {@return a builder for the application of a run}
  ApplicationBuilder application(Choices choices) {
    ApplicationBuilder builder = Application.builder().bare();
    backend.map(CoroutineBackends::named).ifPresent(builder::backend);
    if (byPolicy) {
      builder.scheduler(it -> it.policy(choices::policy));
    }
    return builder;
  }

  /// {@return the limit of an attempt at a simpler run, which a debugger extends: one that takes
  /// longer is the last}
  ///
  /// @param longest what the longest run so far has taken, in real time
  Duration limitOfAttempt(Duration longest) {
    Duration usual = longest.multipliedBy(LONGER);
    Duration least = usual.compareTo(shrinkLimit) > 0 ? usual : shrinkLimit;
    return limit.equals(WITH_DEBUGGER) || least.compareTo(limit) > 0 ? limit : least;
  }

  /// {@return the limit of a method, which a debugger extends}
  static Duration withDebugger(Duration limit) {
    boolean debugged =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .anyMatch(each -> each.startsWith("-agentlib:jdwp") || each.startsWith("-Xrunjdwp"));
    return debugged ? WITH_DEBUGGER : limit;
  }

  /// {@return how to repeat a run}
  ///
  /// @param ofRun the seed of that run
  String describe(long ofRun) {
    String order = schedules > 0 ? "in the random order of " : "in the usual order, with ";
    return "%sseed %d; to repeat this run: @RondoTest(%sseed = %dL), or -D%s=%d"
        .formatted(
            order,
            ofRun,
            schedules > 0 ? "schedules = " + schedules + ", " : "",
            ofRun,
            Plans.SEED,
            ofRun);
  }
}
