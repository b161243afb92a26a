package dev.rondo.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.application.Application;
import dev.rondo.application.Rondo;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.Parameter;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.opentest4j.AssertionFailedError;

/// Runs tests with the test kit, in particular tests that fail.
@EveryBackend
final class RondoTestTest {

  @Parameter(0)
  CoroutineBackend backend;

  /// Written by the methods of the inner tests.
  private static final List<String> LOG = new ArrayList<>();

  private static volatile CountDownLatch answer = new CountDownLatch(1);
  private static volatile CountDownLatch cleanedUp = new CountDownLatch(1);

  @BeforeEach
  void forget() {
    answer = new CountDownLatch(1);
    cleanedUp = new CountDownLatch(1);
    LOG.clear();
  }

  /// Ends a thread that spins: the machine may have only one core.
  @AfterEach
  void endSpinning() {
    answer.countDown();
  }

  private static void spinUntilTheEnd() {
    CountDownLatch ofThisTest = answer;
    while (ofThisTest.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  // The inner tests, run one method at a time.

  static final class Cases {

    private final List<String> own = new ArrayList<>();

    @RondoTest
    void passes(Application app, Scheduler scheduler, VirtualClock clock) {
      assertSame(scheduler, app.scheduler());
      assertSame(app, Application.current());
      assertEquals("passes", scheduler.currentTask().name());
      app.sleep(Duration.ofDays(365));
      assertEquals(Duration.ofDays(365), clock.elapsed());
    }

    @RondoTest
    void failsAnAssertion() {
      assertEquals(1, 2);
    }

    @RondoTest
    void leavesATask(Application app) {
      app.spawn("forgotten", () -> app.sleep(Duration.ofHours(1)));
    }

    @RondoTest
    void leavesAPeriodic(Application app) {
      app.periodic(Duration.ofHours(1), () -> {});
    }

    @RondoTest
    void leavesAnAlarm(Application app) {
      app.time().at(app.scheduler().host().nowNanos() + 1, () -> {});
    }

    @RondoTest
    void leavesARegistration(Application app) {
      app.onSignal("doorbell", () -> {});
    }

    @RondoTest
    void leavesATaskThatIsAboutToEnd(Application app) {
      app.spawn(() -> {
        app.yield();
        LOG.add("ended");
      });
    }

    @RondoTest
    void leavesATaskThatYieldsForEver(Application app) {
      app.spawn(
          "restless",
          () -> {
            while (true) {
              app.yield();
            }
          });
    }

    @RondoTest(limitSeconds = Long.MAX_VALUE)
    void hasNoLimit() {}

    @RondoTest
    void failsLikeATaskThatNothingObserves(Application app) {
      var failure = new IllegalStateException("of both");
      app.spawn(() -> {
        throw failure;
      });
      app.yield();
      throw failure;
    }

    @RondoTest
    void hasAnUnobservedFailure(Application app) {
      app.spawn(
          "sorry",
          () -> {
            throw new IllegalStateException("lost");
          });
    }

    @RondoTest
    void takesAnUnobservedFailure(Application app, UnobservedFailures failures) {
      app.spawn(() -> {
        throw new IllegalStateException("expected");
      });
      app.sleep(Duration.ofSeconds(2)); // a join might have followed
      assertEquals("expected", failures.take().getFirst().getMessage());
      assertEquals(List.of(), failures.take());
    }

    @RondoTest
    void failsAfterAnUnobservedFailure(Application app) {
      hasAnUnobservedFailure(app);
      app.yield();
      assertEquals(1, 2);
    }

    @RondoTest
    void waitsForOneThatFailed(Application app) {
      hasAnUnobservedFailure(app);
      app.waitForSignal("godot");
    }

    @RondoTest(limitSeconds = 1)
    void doesNotAnswerTheInterrupt(Application app) {
      app.spawn(() -> {
        try {
          app.waitForSignal("godot");
        } finally {
          cleanedUp.countDown();
        }
      });
      app.yield();
      spinUntilTheEnd();
    }

    @RondoTest
    void canNeverGoOn(Application app) {
      app.waitForSignal("godot");
    }

    @RondoTest(limitSeconds = 1)
    void spins() {
      spinUntilTheEnd();
    }

    @RondoTest(limitSeconds = 1)
    void blocks() throws InterruptedException {
      new CountDownLatch(1).await();
    }

    @RondoTest(limitSeconds = 1)
    void waitsWhileTimeGoesOn(Application app) {
      app.periodic(Duration.ofSeconds(1), () -> {});
      app.waitForSignal("godot");
    }

    @RondoTest
    void stopsTheApplication(Application app) {
      app.stop();
      app.sleep(Duration.ofHours(1));
    }

    /// Passes in the usual order, fails in half of the others.
    @RondoTest(schedules = 20)
    void dependsOnTheOrder(Application app) {
      app.spawn(() -> own.add("a"));
      var b = app.spawn(() -> own.add("b"));
      b.join();
      app.sleep(Duration.ofNanos(1));
      LOG.add(String.join("", own));
      assertEquals("ab", String.join("", own));
    }

    @RondoTest(schedules = 20)
    void countsRuns() {
      LOG.add("run");
    }

    @RondoTest(
        schedules = 3,
        seed = {7, 8})
    void isGivenSeeds(RandomGenerator random) {
      LOG.add("" + random.nextLong());
    }

    @RondoTest
    void isRandom(RandomGenerator random) {
      LOG.add("" + random.nextLong());
    }

    @RondoTest(schedules = -1)
    void hasABadNumber() {}

    @RondoTest
    void wantsSomethingElse(String other) {
      LOG.add(other);
    }
  }

  static final class AroundCases {

    @BeforeEach
    void before(Application app) {
      app.spawn("server", () -> app.onSignal("ask", () -> LOG.add("asked")));
      app.yield();
      app.delay(Duration.ofMillis(1), () -> LOG.add("delayed"));
      LOG.add("before");
    }

    @RondoTest
    void test(Application app) {
      app.signalAll("ask");
      app.sleep(Duration.ofMillis(2));
      LOG.add("test");
    }

    @AfterEach
    void after() {
      Rondo.sleep(Duration.ofMillis(1));
      LOG.add("after");
    }
  }

  static final class Aborting implements BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) {
      assumeTrue(false);
    }
  }

  @ExtendWith(Aborting.class)
  static final class AbortedCases {

    @RondoTest
    void isAborted() {
      LOG.add("run");
    }
  }

  // Running the inner tests.

  private EngineExecutionResults run(Class<?> cases, String method, String... parameters) {
    return InnerTests.run(backend, cases, method, parameters);
  }

  private void assertPasses(String method) {
    EngineExecutionResults results = run(Cases.class, method);
    results.testEvents().failed().stream()
        .findFirst()
        .flatMap(InnerTests::thrown)
        .ifPresent(thrown -> {
          throw new AssertionError(method, thrown);
        });
    results.testEvents().assertStatistics(it -> it.started(1).succeeded(1));
  }

  private Throwable failureOf(String method) {
    return InnerTests.failure(run(Cases.class, method));
  }

  private static void assertSays(Throwable failure, String... words) {
    for (String word : words) {
      assertTrue(failure.getMessage().contains(word), word + " is not in: " + failure.getMessage());
    }
  }

  // Results and checks.

  @Test
  void aTest_thatPasses_ranAsATaskUnderVirtualTime() {
    assertPasses("passes");
  }

  @Test
  void aTest_thatFails_failsWithJustThatAndTheSeed() {
    Throwable failure = failureOf("failsAnAssertion");
    assertInstanceOf(AssertionFailedError.class, failure);
    SeedNote note = InnerTests.noteOf(failure);
    assertSays(note, "seed = " + note.seed() + "L", "-Drondo.test.seed=" + note.seed());
  }

  @Test
  void aTest_thatAnotherExtensionAborts_isAborted() {
    run(AbortedCases.class, "isAborted")
        .testEvents()
        .assertStatistics(it -> it.started(1).aborted(1).failed(0));
    assertEquals(List.of(), LOG);
  }

  @Test
  void aTest_thatLeavesATask_failsAndNamesIt() {
    assertSays(failureOf("leavesATask"), "'forgotten'", "left this behind");
  }

  @Test
  void aTest_thatLeavesATimer_fails() {
    assertSays(failureOf("leavesAPeriodic"), "1 timer armed");
    assertSays(failureOf("leavesAnAlarm"), "1 timer armed");
  }

  @Test
  void aTest_thatLeavesARegistration_failsAndNamesIt() {
    assertSays(failureOf("leavesARegistration"), "doorbell");
  }

  @Test
  void aTest_withATaskThatNeedsNoTimeToEnd_passes() {
    assertPasses("leavesATaskThatIsAboutToEnd");
    assertEquals(List.of("ended"), LOG);
  }

  @Test
  void aTest_withATaskThatYieldsForEver_failsAndNamesIt() {
    assertSays(failureOf("leavesATaskThatYieldsForEver"), "'restless'");
  }

  @Test
  void aTest_withAnUnobservedFailure_failsWithIt() {
    Throwable failure = failureOf("hasAnUnobservedFailure");
    assertSays(failure, "sorry", "lost");
    assertEquals("lost", failure.getCause().getMessage());
    InnerTests.noteOf(failure);
  }

  @Test
  void aTest_thatFailsAnywayWithAnUnobservedFailure_showsThatAsWell() {
    for (String method : List.of("failsAfterAnUnobservedFailure", "waitsForOneThatFailed")) {
      Throwable failure = failureOf(method);
      assertEquals(
          List.of("lost"),
          Stream.of(failure.getSuppressed())
              .filter(IllegalStateException.class::isInstance)
              .map(Throwable::getMessage)
              .toList(),
          method);
    }
  }

  @Test
  void aTest_thatFailsWithTheUnobservedFailure_showsItOnce() {
    Throwable failure = failureOf("failsLikeATaskThatNothingObserves");
    assertEquals("of both", failure.getMessage());
    assertEquals(
        List.of(),
        Stream.of(failure.getSuppressed())
            .filter(each -> each instanceof RuntimeException)
            .toList());
  }

  @Test
  void aTest_withTheLongestLimit_passes() {
    run(Cases.class, "hasNoLimit").testEvents().assertStatistics(it -> it.succeeded(1));
  }

  @Test
  void aTest_thatCannotBeBuilt_failsWithJustThat() {
    EngineExecutionResults results =
        run(Cases.class, "passes", CoroutineBackends.PROPERTY, "nonsense");
    Throwable failure =
        InnerTests.thrown(results.testEvents().failed().stream().findFirst().orElseThrow())
            .orElseThrow();
    assertSays(failure, "nonsense", "continuation");
    assertEquals(0, failure.getSuppressed().length, () -> "" + failure.getSuppressed()[0]);
  }

  @Test
  void aTest_thatHangs_isClosedWhenItGoesOnAfterAll() throws InterruptedException {
    assertSays(failureOf("doesNotAnswerTheInterrupt"), "1 s");
    answer.countDown();
    cleanedUp.await();
  }

  @Test
  void aTest_thatTakesItsUnobservedFailure_passes() {
    assertPasses("takesAnUnobservedFailure");
  }

  @Test
  void aTest_thatNothingCanWake_failsWithWhatItWaitsFor() {
    assertSays(failureOf("canNeverGoOn"), "'canNeverGoOn' hangs", "godot");
  }

  @Test
  void aTest_thatSpins_failsWithADumpOfIt() {
    Throwable failure = failureOf("spins");
    assertSays(failure, "1 s", "'spins'");
  }

  @Test
  void aTest_thatBlocksItsThread_failsWithADumpOfIt() {
    // On BOUND a blocking call suspends its task, and the loop knows of nothing that could wake it.
    assertSays(failureOf("blocks"), "'blocks'", "hangs");
  }

  @Test
  void aTest_thatWaitsWhileTimeGoesOn_failsWithADumpOfIt() {
    assertSays(failureOf("waitsWhileTimeGoesOn"), "1 s", "godot");
  }

  @Test
  void aTest_thatStopsItsApplication_failsAndSaysHowToTestThat() {
    assertSays(failureOf("stopsTheApplication"), "was stopped", "VirtualClock");
  }

  @Test
  void methodsAroundATest_areTasksOfTheSameApplication() {
    EngineExecutionResults results = run(AroundCases.class, "test");
    assertSays(
        InnerTests.thrown(results.testEvents().failed().stream().findFirst().orElseThrow())
            .orElseThrow(),
        "ask"); // the registration is left
    assertEquals(List.of("before", "asked", "delayed", "test", "after"), LOG);
  }

  // Schedules and seeds.

  @Test
  void schedules_anOrderIsWrong_failsWithTheSeedThatFindsItAgain() {
    EngineExecutionResults results = run(Cases.class, "dependsOnTheOrder");
    Throwable failure = InnerTests.failure(results);
    SeedNote note = InnerTests.noteOf(failure);
    assertSays(note, "schedules = 20, seed = " + note.seed() + "L");
    for (int again = 0; again < 3; again++) {
      LOG.clear();
      EngineExecutionResults repeated =
          run(Cases.class, "dependsOnTheOrder", "rondo.test.seed", "" + note.seed());
      assertEquals(failure.getMessage(), InnerTests.failure(repeated).getMessage());
      assertEquals("ba", LOG.getFirst());
    }
  }

  @Test
  void schedules_fromOutside_areThatMany() {
    EngineExecutionResults results = run(Cases.class, "countsRuns", "rondo.test.schedules", "5");
    results.testEvents().assertStatistics(it -> it.started(1).succeeded(1));
    assertEquals(5, LOG.size());
  }

  @Test
  void seeds_thatAreGiven_areRunOnceEach() {
    EngineExecutionResults results = run(Cases.class, "isGivenSeeds");
    results.testEvents().assertStatistics(it -> it.started(2).succeeded(2));
    List<String> first = List.copyOf(LOG);
    assertEquals(2, Set.copyOf(first).size());
    LOG.clear();
    run(Cases.class, "isGivenSeeds");
    assertEquals(first, LOG);
  }

  @Test
  void random_withoutASeed_isAnotherEachTime() {
    assertPasses("isRandom");
    assertPasses("isRandom");
    assertNotEquals(LOG.getFirst(), LOG.getLast());
  }

  @Test
  void schedules_negative_isRefused() {
    EngineExecutionResults results = run(Cases.class, "hasABadNumber");
    assertEquals(0, results.testEvents().started().count());
    Throwable thrown =
        results.containerEvents().failed().stream()
            .findFirst()
            .flatMap(InnerTests::thrown)
            .orElseThrow();
    assertSays(thrown, "schedules=-1", "at least 0");
  }

  @Test
  void aParameter_ofAnUnknownType_isJUnitsToRefuse() {
    Throwable failure = failureOf("wantsSomethingElse");
    assertNotNull(failure.getMessage());
    assertFalse(failure instanceof AssertionError);
    assertEquals(List.of(), LOG);
  }
}
