package dev.rondo.junit;

import dev.rondo.exploration.ChoiceKind;
import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Strategy;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Reads the configuration of a test: its annotation, and the parameters from outside.
final class Plans {

  static final String SEED = "rondo.test.seed";
  static final String REPLAY = "rondo.test.replay";
  static final String NAME_OF_REPLAY = "replay";
  private static final String SCHEDULES = "rondo.test.schedules";
  private static final int DEFAULT_DEPTH = 3;

  private final RondoTest test;
  private final ExtensionContext context;
  private final int schedules;
  private final Duration limit;
  private final Duration shrinkLimit;
  private final Optional<String> backend;

  /// Empty if there is nothing to replay.
  private final String replay;

  Plans(RondoTest test, ExtensionContext context) {
    this.test = test;
    this.context = context;
    requireAtLeast(0, test.schedules(), "schedules");
    schedules =
        test.schedules() == 0
            ? 0
            : context
                .getConfigurationParameter(SCHEDULES, Integer::valueOf)
                .orElse(test.schedules());
    requireAtLeast(1, test.limitSeconds(), "limitSeconds");
    limit = Plan.withDebugger(Duration.ofSeconds(test.limitSeconds()));
    requireAtLeast(0, test.shrinkSeconds(), "shrinkSeconds");
    shrinkLimit = Duration.ofSeconds(test.shrinkSeconds());
    backend = context.getConfigurationParameter(CoroutineBackends.PROPERTY);
    replay = context.getConfigurationParameter(REPLAY).orElse(test.replay());
    requireFitting();
  }

  private static void requireAtLeast(long least, long value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(
          "@RondoTest(" + name + "=" + value + "), must be at least " + least);
    }
  }

  private void requireFitting() {
    SearchStrategy strategy = test.strategy();
    if (strategy != SearchStrategy.UNIFORM && test.schedules() == 0) {
      throw new IllegalArgumentException(
          "@RondoTest(strategy=%s) needs schedules, the most runs to make".formatted(strategy));
    }
    if (strategy != SearchStrategy.PCT && test.depth() != RondoTest.UNSET) {
      throw new IllegalArgumentException(
          "@RondoTest(depth=%d) is for strategy=PCT, not for %s".formatted(test.depth(), strategy));
    }
    if (strategy != SearchStrategy.EXHAUSTIVE && test.deviations() != RondoTest.UNSET) {
      throw new IllegalArgumentException(
          "@RondoTest(deviations=%d) is for strategy=EXHAUSTIVE, not for %s"
              .formatted(test.deviations(), strategy));
    }
  }

  /// {@return what JUnit runs, one node of its report each}
  ///
  /// @param separate whether each schedule is a node of its own
  Stream<Plan> all(boolean separate) {
    if (test.freshClasses() && separate) {
      throw new IllegalArgumentException(
          "@RondoTest(freshClasses=true) cannot be beside other extensions or a TempDir in "
              + context.getRequiredTestClass().getName());
    }
    if (!replay.isEmpty()) {
      return Stream.of(replay(test, schedules, ChoiceSequence.parse(replay), limit, backend));
    }
    long[] seeds =
        context
            .getConfigurationParameter(SEED, Long::valueOf)
            .map(seed -> new long[] {seed})
            .orElseGet(test::seed);
    if (schedules == 0 || separate) {
      Stream<Plan> runs =
          seeds.length > 0
              ? Arrays.stream(seeds).mapToObj(seed -> single("seed " + seed, seed))
              : singles();
      return test.freshClasses() ? runs.map(Plan::withFreshClasses) : runs;
    }
    if (seeds.length > 0) {
      int runs = test.strategy() == SearchStrategy.UNIFORM ? 1 : schedules;
      return Arrays.stream(seeds)
          .mapToObj(seed -> search("seed " + seed, runs, strategy(seed), true, seed));
    }
    long seed = freshSeed(new SplittableRandom());
    String prefix = test.strategy() == SearchStrategy.UNIFORM ? "" : test.strategy() + ", ";
    return Stream.of(
        search(prefix + schedules + " schedules", schedules, strategy(seed), true, seed));
  }

  /// {@return the one run of a replay}
  ///
  /// @param schedules of the test
  static Plan replay(
      RondoTest test,
      int schedules,
      ChoiceSequence recorded,
      Duration limit,
      Optional<String> backend) {
    return new Plan(
        NAME_OF_REPLAY,
        schedules,
        1,
        Strategy.replay(recorded),
        test.strategy() == SearchStrategy.UNIFORM,
        schedules > 0 || hasOrder(recorded),
        0,
        limit,
        Duration.ZERO,
        backend,
        test.freshClasses());
  }

  private static boolean hasOrder(ChoiceSequence recorded) {
    for (int i = 0; i < recorded.size(); i++) {
      if (recorded.kind(i) == ChoiceKind.TASK) {
        return true;
      }
    }
    return false;
  }

  private Strategy strategy(long seed) {
    boolean unset = test.depth() == RondoTest.UNSET;
    return switch (test.strategy()) {
      case UNIFORM -> Strategy.uniform(seed);
      case WEIGHTED -> Strategy.weighted(seed);
      case PCT -> Strategy.pct(seed, unset ? DEFAULT_DEPTH : test.depth());
      case EXHAUSTIVE ->
          Strategy.exhaustive(
              seed, test.deviations() == RondoTest.UNSET ? Integer.MAX_VALUE : test.deviations());
    };
  }

  private Stream<Plan> singles() {
    var fresh = new SplittableRandom();
    int runs = Math.max(1, schedules);
    return LongStream.rangeClosed(1, runs)
        .mapToObj(run ->
            single(
                schedules == 0 ? "usual order" : "schedule " + run + " of " + runs,
                freshSeed(fresh)));
  }

  /// Short enough to type.
  private static long freshSeed(SplittableRandom fresh) {
    return fresh.nextInt(Integer.MAX_VALUE);
  }

  private Plan single(String name, long seed) {
    return new Plan(
        name,
        schedules,
        0,
        Strategy.uniform(seed),
        true,
        schedules > 0,
        seed,
        limit,
        shrinkLimit,
        backend,
        false);
  }

  private Plan search(String name, int runs, Strategy strategy, boolean byPolicy, long seed) {
    boolean uniform = test.strategy() == SearchStrategy.UNIFORM;
    return new Plan(
        name,
        schedules,
        runs,
        strategy,
        uniform,
        byPolicy,
        seed,
        limit,
        shrinkLimit,
        backend,
        test.freshClasses());
  }
}
