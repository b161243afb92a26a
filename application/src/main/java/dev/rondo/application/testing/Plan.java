package dev.rondo.application.testing;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The configuration of one run of a test.
///
/// @param name the name of the run; the same each time, so that reports can be compared
/// @param schedules how many random orders the test runs in; zero for the usual order
/// @param seed the seed of the order and of random numbers
/// @param limit the limit of each method, in real time
/// @param backend the name of the backend; empty for the default
record Plan(String name, int schedules, long seed, Duration limit, Optional<String> backend) {

  private static final String SEED = "rondo.test.seed";
  private static final String SCHEDULES = "rondo.test.schedules";

  static Stream<Plan> of(RondoTest test, ExtensionContext context) {
    int schedules = schedules(test, context);
    Duration limit = Duration.ofSeconds(requireAtLeast(1, test.limitSeconds(), "limitSeconds"));
    Optional<String> backend = context.getConfigurationParameter(CoroutineBackends.PROPERTY);
    long[] fixed =
        context
            .getConfigurationParameter(SEED, Long::valueOf)
            .map(seed -> new long[] {seed})
            .orElseGet(test::seed);
    if (fixed.length > 0) {
      return Arrays.stream(fixed)
          .mapToObj(seed -> new Plan("seed " + seed, schedules, seed, limit, backend));
    }
    var fresh = new SplittableRandom();
    int runs = Math.max(1, schedules);
    return LongStream.rangeClosed(1, runs)
        .mapToObj(run ->
            new Plan(
                schedules == 0 ? "usual order" : "schedule " + run + " of " + runs,
                schedules,
                fresh.nextInt(Integer.MAX_VALUE), // short enough to type
                limit,
                backend));
  }

  private static int schedules(RondoTest test, ExtensionContext context) {
    int own = (int) requireAtLeast(0, test.schedules(), "schedules");
    return own == 0
        ? 0
        : context.getConfigurationParameter(SCHEDULES, Integer::valueOf).orElse(own);
  }

  private static long requireAtLeast(long least, long value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(
          "@RondoTest(" + name + "=" + value + "), must be at least " + least);
    }
    return value;
  }

  /// {@return a builder for the application of this run}
  ApplicationBuilder application() {
    ApplicationBuilder builder = Application.builder().withoutWatchdog().withoutOutsideAccess();
    backend.map(CoroutineBackends::named).ifPresent(builder::backend);
    if (schedules > 0) {
      builder.scheduler(it -> it.policy(() -> SchedulingPolicies.random(seed)));
    }
    return builder;
  }

  String describe() {
    String order = schedules > 0 ? "in the random order of " : "in the usual order, with ";
    return "%sseed %d; to repeat this run: @RondoTest(%sseed = %dL), or -D%s=%d"
        .formatted(
            order, seed, schedules > 0 ? "schedules = " + schedules + ", " : "", seed, SEED, seed);
  }
}
