package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/// A bank as a discrete-event simulation, after the example in SimPy's documentation: customers
/// arrive at random, wait for a teller, and leave if that takes too long. A customer is a task, the
/// tellers are permits, and the clock jumps from event to event: a month of opening hours takes a
/// moment.
final class BankSimulation {

  static final Duration BETWEEN_CUSTOMERS = Duration.ofSeconds(60);
  static final Duration SERVICE = Duration.ofSeconds(150);
  static final int TELLERS = 3;

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int CUSTOMERS = 20_000;
  private static final long SEED = 42;

  private static final Duration PLOT_STEP = Duration.ofSeconds(30);
  private static final int PLOT_LINES = 12;
  private static final int PLOT_WIDTH = 60;

  private final Application app;
  private final RandomGenerator random;
  private final @Nullable Duration patience;
  private final Semaphore tellers;
  private final List<Duration> waits = new ArrayList<>();
  private int reneged;

  /// The result of a day.
  ///
  /// @param waits the waiting times of the served customers, in the order of service
  /// @param reneged the number of customers that left before
  /// @param took the virtual time
  record Result(List<Duration> waits, int reneged, Duration took) {

    /// @throws IllegalStateException if no customer was served
    double meanWaitSeconds() {
      return waits.stream()
          .mapToDouble(BankSimulation::seconds)
          .average()
          .orElseThrow(
              () -> new IllegalStateException("no customer was served: reneged=" + reneged));
    }
  }

  private BankSimulation(Application app, long seed, @Nullable Duration patience) {
    this.app = app;
    this.patience = patience;
    random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    tellers = new Semaphore(app.scheduler(), "tellers", TELLERS);
  }

  static void main() {
    var clock = new VirtualClock();
    Application.builder()
        .clock(clock)
        .run(app -> report(open(app, SEED, CUSTOMERS, PATIENCE), IO::println));
  }

  /// Runs the bank in the virtual time of an application.
  ///
  /// @param patience the longest wait of a customer; null for ever
  static Result open(Application app, long seed, int customers, @Nullable Duration patience) {
    var bank = new BankSimulation(app, seed, patience);
    Duration begin = app.runningTime();
    var group = app.<Void>newGroup("customers");
    group.run(() -> {
      for (int i = 0; i < customers; i++) {
        app.sleep(bank.exponential(BETWEEN_CUSTOMERS));
        Duration service = bank.exponential(SERVICE);
        group.spawn(() -> bank.visit(service));
      }
    });
    return new Result(bank.waits, bank.reneged, app.runningTime().minus(begin));
  }

  private void visit(Duration service) {
    Duration arrival = app.runningTime();
    try (var _ = patience == null ? tellers.acquire() : app.await(tellers, patience)) {
      waits.add(app.runningTime().minus(arrival));
      app.sleep(service);
    } catch (TimedOutException e) {
      reneged++;
    }
  }

  private Duration exponential(Duration mean) {
    return Duration.ofNanos((long) (random.nextExponential() * mean.toNanos()));
  }

  // Output.

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static void report(Result result, Consumer<String> out) {
    int served = result.waits().size();
    out.accept(
        String.format(
            Locale.ROOT,
            "%,d customers in %.1f days: one each %d s, %d tellers, %d s each",
            served + result.reneged(),
            seconds(result.took()) / Duration.ofDays(1).toSeconds(),
            BETWEEN_CUSTOMERS.toSeconds(),
            TELLERS,
            SERVICE.toSeconds()));
    out.accept(
        String.format(
            Locale.ROOT,
            "%,d were served after %.1f s on average; %,d left after %d s%n",
            served,
            result.meanWaitSeconds(),
            result.reneged(),
            PATIENCE.toSeconds()));
    out.accept("How long they waited:");
    plot(result.waits()).forEach(out);
  }

  /// A histogram.
  static List<String> plot(List<Duration> waits) {
    var counts = new int[PLOT_LINES];
    for (Duration wait : waits) {
      counts[(int) Math.min(wait.dividedBy(PLOT_STEP), PLOT_LINES - 1)]++;
    }
    int most = 1;
    for (int count : counts) {
      most = Math.max(most, count);
    }
    var lines = new ArrayList<String>();
    for (int i = 0; i < PLOT_LINES; i++) {
      String bar = "#".repeat((int) Math.ceilDiv((long) counts[i] * PLOT_WIDTH, most));
      lines.add(
          String.format(Locale.ROOT, "%4d s.. %,7d %s", i * PLOT_STEP.toSeconds(), counts[i], bar));
    }
    return lines;
  }
}
