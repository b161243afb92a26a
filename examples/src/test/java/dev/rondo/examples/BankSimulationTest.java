package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.examples.BankSimulation.Result;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// The bank against queueing theory.
@EveryBackend
final class BankSimulationTest {

  @Parameter(0)
  CoroutineBackend backend;

  private static final int CUSTOMERS = 6_000;
  private static final int BATCH = 500;

  /// Two-sided, 99 %, 11 degrees of freedom.
  private static final double STUDENT = 3.106;

  private Result open(long seed, int customers, @Nullable Duration patience) {
    var results = new ArrayList<Result>();
    var builder = Application.builder().backend(backend).clock(new VirtualClock()).bare();
    builder.run(app -> results.add(BankSimulation.open(app, seed, customers, patience)));
    return results.getFirst();
  }

  /// A. K. Erlang, 1917: the mean wait in a queue with Poisson arrivals, exponential service and c
  /// servers.
  private static double erlangC(Duration between, Duration service, int servers) {
    double serviceSeconds = service.toMillis() / 1e3;
    double load = serviceSeconds * 1e3 / between.toMillis();
    double sum = 0;
    double term = 1;
    for (int k = 0; k < servers; k++) {
      sum += term;
      term *= load / (k + 1);
    }
    double waiting = term * servers / (servers - load);
    double probability = waiting / (sum + waiting);
    return probability * serviceSeconds / (servers - load);
  }

  @Test
  void open_patientCustomers_waitAsQueueingTheorySays() {
    double theory =
        erlangC(BankSimulation.BETWEEN_CUSTOMERS, BankSimulation.SERVICE, BankSimulation.TELLERS);
    List<Duration> waits = open(1, CUSTOMERS, null).waits();
    assertEquals(CUSTOMERS, waits.size());
    var batches = new ArrayList<Double>();
    for (int from = 0; from < CUSTOMERS; from += BATCH) {
      batches.add(
          new Result(waits.subList(from, from + BATCH), 0, Duration.ZERO).meanWaitSeconds());
    }
    double mean = batches.stream().mapToDouble(each -> each).average().orElseThrow();
    double squares = batches.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum();
    double error = Math.sqrt(squares / (batches.size() - 1) / batches.size());
    assertTrue(
        Math.abs(mean - theory) < STUDENT * error,
        () -> "theory=%.1f s, mean=%.1f s, standard error=%.1f s".formatted(theory, mean, error));
    assertTrue(STUDENT * error < theory, () -> "too wide to say anything: " + error);
  }

  @Test
  void open_impatientCustomers_leaveOrWaitAtMostSoLong() {
    var patience = Duration.ofMinutes(2);
    Result result = open(1, 1_000, patience);
    assertEquals(1_000, result.waits().size() + result.reneged());
    assertTrue(result.reneged() > 0);
    assertTrue(result.waits().stream().allMatch(wait -> wait.compareTo(patience) <= 0));
  }

  @Test
  void open_sameSeed_isTheSameEachTime() {
    Result first = open(7, 1_000, Duration.ofMinutes(5));
    assertEquals(first, open(7, 1_000, Duration.ofMinutes(5)));
    assertNotEquals(first, open(8, 1_000, Duration.ofMinutes(5)));
  }

  @Test
  void plot_someWaits_isALineForEachHalfMinute() {
    List<String> lines =
        BankSimulation.plot(List.of(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(59)));
    assertEquals("   0 s..       2 " + "#".repeat(60), lines.get(0));
    assertEquals("  30 s..       1 " + "#".repeat(30), lines.get(1));
    assertEquals("  60 s..       0 ", lines.get(2));
    assertEquals(12, lines.size());
  }
}
