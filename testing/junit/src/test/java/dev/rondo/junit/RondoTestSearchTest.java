package dev.rondo.junit;

import static dev.rondo.junit.InnerTests.failure;
import static dev.rondo.junit.InnerTests.noteOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.ReplayDivergedException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.opentest4j.TestAbortedException;

/// Tests with schedules that fail: found, made simpler, and repeated.
@EveryBackend
final class RondoTestSearchTest {

  @Parameter(0)
  CoroutineBackend backend;

  /// Written by the methods of the inner tests.
  private static final List<String> LOG = new ArrayList<>();

  private static final Set<Object> INSTANCES = Collections.newSetFromMap(new IdentityHashMap<>());

  @BeforeEach
  void forget() {
    LOG.clear();
    INSTANCES.clear();
  }

  // The inner tests, run one method at a time.

  static class Cases {

    private int balance;
    private boolean prepared;

    @BeforeEach
    void prepare(Application app) {
      app.yield();
      assertFalse(prepared);
      prepared = true;
      LOG.add("before");
    }

    @AfterEach
    void after() {
      INSTANCES.add(this);
      LOG.add("after");
    }

    private void deposit(Application app) {
      int before = balance;
      app.yield();
      balance = before + 1;
    }

    /// Loses an update in each order but two.
    @RondoTest(schedules = 1_000)
    void losesAnUpdate(Application app) throws Exception {
      assertTrue(prepared);
      var group = app.<Void>newGroup("deposits");
      group.run(() -> {
        group.spawn("a", () -> deposit(app));
        group.spawn("b", () -> deposit(app));
      });
      assertEquals(2, balance);
    }

    private void takesBoth(Application app, Mutex first, Mutex second) {
      try (var _ = first.lock()) {
        try (var _ = second.lock()) {
          app.yield();
        }
      }
    }

    @RondoTest(schedules = 1_000, strategy = SearchStrategy.PCT, depth = 2, seed = 5)
    void locksInTwoOrders(Application app) throws Exception {
      var one = new Mutex(app.scheduler(), "one");
      var two = new Mutex(app.scheduler(), "two");
      var group = app.<Void>newGroup("transfers");
      group.run(() -> {
        group.spawn(
            "a",
            () -> {
              app.yield();
              takesBoth(app, one, two);
            });
        group.spawn(
            "b",
            () -> {
              app.yield();
              try (var _ = two.lock()) {
                app.yield();
                try (var _ = one.lock()) {
                  app.yield();
                }
              }
            });
      });
    }

    @RondoTest(schedules = 10_000, strategy = SearchStrategy.EXHAUSTIVE)
    void isRightInAllOrders(Application app) {
      for (int i = 0; i < 3; i++) {
        app.spawn(() -> balance++);
      }
    }

    @RondoTest(schedules = 100, shrinkSeconds = 3_600)
    void drawsTooMuch(RandomGenerator random) {
      int drawn = random.nextInt(1_000);
      LOG.add("" + drawn);
      assertTrue(drawn < 100, () -> "drawn " + drawn);
    }

    @RondoTest(schedules = 100, shrinkSeconds = 0)
    void isNotShrunk(RandomGenerator random) {
      drawsTooMuch(random);
    }

    /// Waits in a loop for ever, if the number is the simplest one.
    @RondoTest(schedules = 10, shrinkSeconds = 3_600)
    void spinsAtZero(Application app, RandomGenerator random) {
      int drawn = random.nextInt(Integer.MAX_VALUE);
      while (drawn == 0) {
        app.yield();
      }
      throw new IllegalStateException("drawn " + drawn);
    }

    /// Blocks the thread for ever, if the number is the simplest one.
    @RondoTest(schedules = 10, shrinkSeconds = 1)
    void blocksAtZero(RandomGenerator random) throws InterruptedException {
      int drawn = random.nextInt(Integer.MAX_VALUE);
      if (drawn == 0) {
        new CountDownLatch(1).await();
      }
      throw new IllegalStateException("drawn " + drawn);
    }

    @RondoTest(replay = "rondo1-nonsense")
    void hasABadReplay() {}

    @RondoTest(replay = "rondo99-AAAA")
    void hasAReplayOfAnotherVersion() {}

    @RondoTest(schedules = 10, strategy = SearchStrategy.PCT, depth = 6)
    void isTooDeep() {}

    @RondoTest(schedules = 10, depth = 2)
    void hasADepthForNothing() {}

    @RondoTest(schedules = 10, deviations = 2)
    void hasDeviationsForNothing() {}

    @RondoTest(strategy = SearchStrategy.PCT)
    void hasNoSchedules() {}

    @Nested
    class Inner {

      @BeforeEach
      void prepareInner() {
        assertTrue(prepared);
        LOG.add("before inner");
      }

      @RondoTest(schedules = 2)
      void isNested() {
        INSTANCES.add(this);
      }
    }
  }

  static final class ParameterCases {

    @RondoTest(schedules = 2)
    void inASearch(CounterParameter.Counter counter, Choices choices, Application app) {
      assertSame(choices, counter.choices());
      assertTrue(app.scheduler().inMainTask());
      CounterParameter.EVENTS.add("test");
    }

    /// Fails. The first attempt at a simpler run hangs, and is given up in the step after that.
    @RondoTest(schedules = 2, shrinkSeconds = 1)
    void hangsInAnAttempt(CounterParameter.Counter counter, Choices choices)
        throws InterruptedException {
      boolean isRepeated = choices.isReplay();
      int drawn = choices.nextInt(100);
      if (CounterParameter.EVENTS.contains("repeated") && !isRepeated) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          CounterParameter.EVENTS.add("hung");
        }
        choices.step();
        CounterParameter.EVENTS.add("goes on");
      }
      CounterParameter.EVENTS.add(isRepeated ? "repeated" : "test");
      fail("drawn " + drawn);
    }

    @RondoTest
    void alone(CounterParameter.Counter counter, Choices choices, Application app) {
      inASearch(counter, choices, app);
    }
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static final class SharedCases {

    @RondoTest(schedules = 3)
    void sharesItsInstance() {
      INSTANCES.add(this);
      LOG.add("run");
    }
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static class OuterCases {

    private boolean opened;

    @BeforeAll
    void open() {
      opened = true;
    }

    @BeforeEach
    void prepare() {
      INSTANCES.add(this);
    }

    @Nested
    class Inner {

      @RondoTest(schedules = 3)
      void hasTheOuterInstance() {
        assertTrue(opened);
        INSTANCES.add(this);
      }

      @RondoTest(schedules = 3, freshClasses = true)
      void hasFreshClasses() {}
    }
  }

  static final class AbortedCases {

    @RondoTest(schedules = 3)
    void isAborted() {
      LOG.add("run");
      assumeTrue(false);
    }

    @RondoTest(schedules = 3)
    void isAbortedOnce() {
      LOG.add("run");
      assumeTrue(LOG.size() > 1);
    }

    @RondoTest(schedules = 3)
    void isAbortedAndATaskFails(Application app) {
      abortsAfterATaskHasFailed(app);
    }

    @RondoTest
    void isAbortedInOneRunAndATaskFails(Application app) {
      abortsAfterATaskHasFailed(app);
    }

    private static void abortsAfterATaskHasFailed(Application app) {
      app.spawn(() -> fail("in a task"));
      app.yield();
      assumeTrue(false);
    }

    @RondoTest(schedules = 3)
    void isAbortedAsItsTask(Application app) {
      app.spawn(() -> assumeTrue(false));
      app.yield();
      assumeTrue(false);
    }

    /// It could not end what it has begun.
    @RondoTest(schedules = 3)
    void isAbortedAndLeavesATask(Application app) {
      app.spawn(() -> app.sleep(Duration.ofHours(1)));
      assumeTrue(false);
    }
  }

  static final class AbortedAndFailingCases {

    @AfterEach
    void fails() {
      fail("after");
    }

    @RondoTest(schedules = 3)
    void isAborted() {
      assumeTrue(false, "no need");
    }
  }

  static final class Filling implements TestInstancePostProcessor {

    @Override
    public void postProcessTestInstance(Object instance, ExtensionContext context) {
      ((ExtendedCases) instance).filled = true;
    }
  }

  @ExtendWith(Filling.class)
  static final class ExtendedCases {

    private boolean filled;

    @RondoTest(schedules = 3)
    void needsAnExtension() {
      assertTrue(filled);
      INSTANCES.add(this);
    }
  }

  /// Fills the fields and the parameters that have it.
  static final class FillingOne implements TestInstancePostProcessor, ParameterResolver {

    @Override
    public void postProcessTestInstance(Object instance, ExtensionContext context) {
      if (instance instanceof ExtendedFieldCases cases) {
        cases.filled = true;
      }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.isAnnotated(ExtendWith.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return "filled";
    }
  }

  static final class ExtendedFieldCases {

    @ExtendWith(FillingOne.class)
    private boolean filled;

    @RondoTest(schedules = 3)
    void needsAnExtension() {
      assertTrue(filled);
    }
  }

  static final class ExtendedParameterCases {

    @RondoTest(schedules = 3)
    void needsAnExtension(@ExtendWith(FillingOne.class) String text) {
      assertEquals("filled", text);
    }
  }

  static final class PreparedDirectoryCases {

    @BeforeEach
    void prepare(@TempDir Path directory) throws Exception {
      Files.createFile(directory.resolve("mine")); // fails in a directory that is used again
    }

    @RondoTest(schedules = 3)
    void needsADirectory() {}
  }

  static final class DirectoryCases {

    @RondoTest(schedules = 3)
    void needsADirectory(@TempDir Path directory) throws Exception {
      Files.createFile(directory.resolve("mine")); // fails in a directory that is used again
    }
  }

  private EngineExecutionResults run(String method, String... parameters) {
    return InnerTests.run(backend, Cases.class, method, parameters);
  }

  private static String replayOf(Throwable failure) {
    Matcher text = Pattern.compile("replay = \"([^\"]+)\"").matcher(noteOf(failure).getMessage());
    assertTrue(text.find(), () -> noteOf(failure).getMessage());
    return text.group(1);
  }

  // Finding, shrinking, repeating.

  @Test
  void search_lostUpdate_isOneFailureThatCanBeRepeated() {
    Throwable failure = failure(run("losesAnUpdate"));
    assertEquals("expected: <2> but was: <1>", failure.getMessage());
    String replay = replayOf(failure);
    for (int again = 0; again < 3; again++) {
      LOG.clear();
      Throwable repeated = failure(run("losesAnUpdate", "rondo.test.replay", replay));
      assertEquals(failure.getMessage(), repeated.getMessage());
      assertEquals(List.of("before", "after"), LOG);
    }
  }

  @Test
  void search_lockOrder_isFoundByPctAndRepeated() {
    Throwable failure = failure(run("locksInTwoOrders"));
    assertTrue(failure.getMessage().contains("hangs"), failure.getMessage());
    Throwable repeated = failure(run("locksInTwoOrders", "rondo.test.replay", replayOf(failure)));
    assertEquals(failure.getMessage(), repeated.getMessage());
  }

  @Test
  void search_randomNumber_isShrunkToTheLeastThatFails() {
    assertTrue(failure(run("drawsTooMuch")).getMessage().startsWith("drawn 100 "));
    LOG.clear();
    failure(run("isNotShrunk", "rondo.test.seed", "7"));
    assertEquals(3, LOG.stream().filter(each -> each.matches("\\d+")).count(), LOG::toString);
  }

  @Test
  void search_attemptThatSpins_isGivenUp() {
    assertEquals("drawn 1", failure(run("spinsAtZero")).getMessage());
  }

  @Test
  void search_attemptThatHangs_endsTheShrinkingAndNotTheReport() {
    Throwable failure = failure(run("blocksAtZero"));
    assertInstanceOf(IllegalStateException.class, failure);
    assertTrue(failure.getMessage().startsWith("drawn "), failure.getMessage());
    Throwable repeated = failure(run("blocksAtZero", "rondo.test.replay", replayOf(failure)));
    assertEquals(failure.getMessage(), repeated.getMessage());
  }

  @Test
  void search_replayInAFile_isRead() throws Exception {
    Path file = Files.createTempFile("rondo", ".txt");
    try {
      Files.writeString(file, replayOf(failure(run("drawsTooMuch"))));
      LOG.clear();
      failure(run("drawsTooMuch", "rondo.test.replay", "@" + file));
      assertEquals(List.of("before", "100", "after"), LOG);
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void search_replayOfAnotherTest_failsWhereItDiffers() {
    String replay = replayOf(failure(run("drawsTooMuch")));
    Throwable failure = failure(run("isRightInAllOrders", "rondo.test.replay", replay));
    var diverged = assertInstanceOf(ReplayDivergedException.class, failure);
    assertTrue(diverged.getMessage().contains("choice 1 of 1"), diverged.getMessage());
  }

  @Test
  void search_exhaustive_saysThatAllOrdersPass() {
    EngineExecutionResults results = run("isRightInAllOrders");
    results.testEvents().assertStatistics(it -> it.started(1).succeeded(1));
    String said =
        results.testEvents().reportingEntryPublished().stream()
            .map(event -> event.getPayload().orElseThrow().toString())
            .findFirst()
            .orElseThrow();
    assertTrue(said.contains("orders pass (exhaustive, all orders"), said);
    long runs = LOG.stream().filter("before"::equals).count();
    assertTrue(said.contains("all " + runs + " orders"), said);
  }

  // Runs that are aborted.

  private EngineExecutionResults runAborted(String method) {
    return InnerTests.run(backend, AbortedCases.class, method);
  }

  @Test
  void search_allRunsAborted_isAborted() {
    runAborted("isAborted").testEvents().assertStatistics(it -> it.started(1).aborted(1));
    assertEquals(3, LOG.size());
  }

  @Test
  void search_oneRunAborted_passes() {
    runAborted("isAbortedOnce").testEvents().assertStatistics(it -> it.started(1).succeeded(1));
    assertEquals(3, LOG.size());
  }

  @Test
  void search_abortedRunWhoseAfterEachFails_fails() {
    Throwable failure = failure(InnerTests.run(backend, AbortedAndFailingCases.class, "isAborted"));
    assertEquals("after", failure.getMessage());
    assertInstanceOf(TestAbortedException.class, failure.getSuppressed()[0]);
  }

  @Test
  void search_abortedRunWithATaskThatFailed_fails() {
    for (String each : List.of("isAbortedAndATaskFails", "isAbortedInOneRunAndATaskFails")) {
      Throwable failure = failure(runAborted(each));
      assertTrue(failure.getMessage().contains("in a task"), failure.getMessage());
    }
  }

  @Test
  void search_abortedRunThatLeavesATask_isAborted() {
    for (String each : List.of("isAbortedAndLeavesATask", "isAbortedAsItsTask")) {
      runAborted(each).testEvents().assertStatistics(it -> it.started(1).aborted(1));
    }
  }

  // Instances.

  @Test
  void search_everyRun_hasAnInstanceOfItsOwn() {
    run("isRightInAllOrders");
    assertEquals(LOG.stream().filter("before"::equals).count(), INSTANCES.size());
  }

  @Test
  void search_nestedClass_hasTheMethodsAroundItOfBoth() {
    InnerTests.run(backend, Cases.Inner.class, "isNested")
        .testEvents()
        .assertStatistics(it -> it.started(1).succeeded(1));
    assertEquals(
        List.of("before", "before inner", "after", "before", "before inner", "after"), LOG);
    assertEquals(4, INSTANCES.size()); // two of each class
  }

  @Test
  void search_instanceForTheClass_isShared() {
    InnerTests.run(backend, SharedCases.class, "sharesItsInstance")
        .testEvents()
        .assertStatistics(it -> it.started(1).succeeded(1));
    assertEquals(3, LOG.size());
    assertEquals(1, INSTANCES.size());
  }

  @Test
  void search_nestedInAClassWithOneInstance_sharesTheOuterInstance() {
    InnerTests.run(backend, OuterCases.Inner.class, "hasTheOuterInstance")
        .testEvents()
        .assertStatistics(it -> it.started(1).succeeded(1));
    assertEquals(4, INSTANCES.size()); // one of the outer class, three of the inner one
    Throwable refused = failure(InnerTests.run(backend, OuterCases.Inner.class, "hasFreshClasses"));
    assertTrue(refused.getMessage().contains("shared between runs"), refused.getMessage());
  }

  @Test
  void search_otherExtensions_everyScheduleIsATestOfJUnits() {
    InnerTests.run(backend, ExtendedCases.class, "needsAnExtension")
        .testEvents()
        .assertStatistics(it -> it.started(3).succeeded(3));
    assertEquals(3, INSTANCES.size());
    InnerTests.run(backend, DirectoryCases.class, "needsADirectory")
        .testEvents()
        .assertStatistics(it -> it.started(3).succeeded(3));
  }

  @Test
  void search_extensionOfAField_everyScheduleIsATestOfJUnits() {
    InnerTests.run(backend, ExtendedFieldCases.class, "needsAnExtension")
        .testEvents()
        .assertStatistics(it -> it.started(3).succeeded(3));
  }

  @Test
  void search_extensionOfAParameter_everyScheduleIsATestOfJUnits() {
    InnerTests.run(backend, ExtendedParameterCases.class, "needsAnExtension")
        .testEvents()
        .assertStatistics(it -> it.started(3).succeeded(3));
  }

  @Test
  void search_directoryOfAMethodBeforeEach_everyScheduleIsATestOfJUnits() {
    InnerTests.run(backend, PreparedDirectoryCases.class, "needsADirectory")
        .testEvents()
        .assertStatistics(it -> it.started(3).succeeded(3));
  }

  @Test
  void search_parameterOfAnotherModule_isOneForEachRun() {
    CounterParameter.EVENTS.clear();
    List<String> ofARun = List.of("open", "test", "close");
    InnerTests.run(backend, ParameterCases.class, "alone")
        .testEvents()
        .assertStatistics(it -> it.started(1).succeeded(1));
    assertEquals(ofARun, CounterParameter.EVENTS);
    InnerTests.run(backend, ParameterCases.class, "inASearch")
        .testEvents()
        .assertStatistics(it -> it.started(1).succeeded(1));
    assertEquals(
        Collections.nCopies(3, ofARun).stream().flatMap(List::stream).toList(),
        CounterParameter.EVENTS);
  }

  /// A world may share state with the next one.
  @Test
  void search_attemptThatHangs_hasEndedBeforeTheNextRunBegins() {
    CounterParameter.EVENTS.clear();
    Throwable failure =
        failure(
            InnerTests.run(
                backend, ParameterCases.class, "hangsInAnAttempt", "rondo.test.seed", "7"));
    assertTrue(failure.getMessage().startsWith("drawn "), failure.getMessage());
    List<String> repetition = List.of("open", "repeated", "close");
    assertEquals(
        Stream.of(
                List.of("open", "test", "close"),
                repetition,
                List.of("open", "hung", "close"),
                repetition)
            .flatMap(List::stream)
            .toList(),
        CounterParameter.EVENTS);
  }

  // Bad input.

  @Test
  void options_thatDoNotFit_areRefused() {
    assertRefused("hasABadReplay", "a replay that is damaged or incomplete: 'rondo1-nonsense'");
    assertRefused(
        "hasAReplayOfAnotherVersion",
        "a replay of version 99, this Rondo reads version 1: 'rondo99-AAAA'");
    assertRefused("isTooDeep", "depth must be from 1 to 5: depth=6");
    assertRefused(
        "hasADepthForNothing", "@RondoTest(depth=2) is for strategy=PCT, not for UNIFORM");
    assertRefused(
        "hasDeviationsForNothing",
        "@RondoTest(deviations=2) is for strategy=EXHAUSTIVE, not for UNIFORM");
    assertRefused(
        "hasNoSchedules", "@RondoTest(strategy=PCT) needs schedules, the most runs to make");
  }

  private void assertRefused(String method, String message) {
    EngineExecutionResults results = run(method);
    assertEquals(0, results.testEvents().started().count());
    Throwable thrown =
        results.containerEvents().failed().stream()
            .findFirst()
            .flatMap(InnerTests::thrown)
            .orElseThrow();
    assertEquals(message, thrown.getMessage());
  }
}
