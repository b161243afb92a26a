package dev.rondo.junit;

import static dev.rondo.junit.InnerTests.failure;
import static dev.rondo.junit.InnerTests.noteOf;
import static dev.rondo.junit.InnerTests.thrown;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.fresh.Counter;
import com.example.fresh.FreshCases;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/// Runs whose classes are loaded again.
@EveryBackend
final class RondoTestFreshClassesTest {

  @Parameter(0)
  CoroutineBackend backend;

  /// A test in a package that all runs share.
  static class Cases {
    @RondoTest(freshClasses = true)
    void once() {}
  }

  private EngineExecutionResults run(String method) {
    return InnerTests.run(backend, FreshCases.class, method);
  }

  private String refusal(Class<?> cases) {
    EngineExecutionResults results = InnerTests.run(backend, cases, "once");
    Throwable failure =
        results.allEvents().failed().stream()
            .flatMap(each -> thrown(each).stream())
            .findFirst()
            .orElseThrow();
    assertInstanceOf(IllegalArgumentException.class, failure);
    return failure.getMessage();
  }

  @Test
  void statics_ofEachRun_areNew() {
    run("eachOrder").testEvents().assertStatistics(it -> it.started(1).succeeded(1));
    run("once").testEvents().assertStatistics(it -> it.started(1).succeeded(1));
    run("eachSeed").testEvents().assertStatistics(it -> it.started(3).succeeded(3));
  }

  @Test
  void statics_withoutFreshClasses_areThoseOfTheTest() {
    int before = Counter.next();
    String message = failure(run("shared")).getMessage();
    assertTrue(before > 0 && message.contains("expected: <1>"), message);
  }

  @Test
  void nestedTest_hasTheFreshInstancesAroundIt() {
    InnerTests.run(backend, inner(), "once")
        .testEvents()
        .assertStatistics(it -> it.started(1).succeeded(1));
  }

  private static Class<?> inner() {
    for (Class<?> each : FreshCases.class.getDeclaredClasses()) {
      if (each.getSimpleName().equals("Inner")) {
        return each;
      }
    }
    throw new AssertionError("no nested tests");
  }

  /// The shrinker compares failures of classes that differ.
  @Test
  void failure_isMadeSimpler_andRepeated() {
    Throwable failure = failure(run("failing"));
    assertTrue(failure.toString().endsWith("Broken: 0 2"), failure.toString());
    Matcher replay =
        Pattern.compile("replay = \"([^\"@]+)\"").matcher(noteOf(failure).getMessage());
    assertTrue(replay.find(), noteOf(failure).getMessage());
    Throwable repeated =
        failure(
            InnerTests.run(
                backend, FreshCases.class, "failing", "rondo.test.replay", replay.group(1)));
    assertEquals(failure.toString(), repeated.toString());
    Throwable alone =
        assertThrows(
            Throwable.class,
            () ->
                RondoReplay.main(
                    new String[] {FreshCases.class.getName() + "#failing", replay.group(1)}));
    assertEquals(failure.toString(), alone.toString());
  }

  @Test
  void freshClasses_ofWhatIsSharedBetweenRuns_areRefused() {
    assertTrue(refusal(Cases.class).contains("of a package that runs share"));
    assertTrue(refusal(FreshCases.WithFolder.class).contains("a TempDir"));
    assertTrue(refusal(FreshCases.WithOneInstance.class).contains("instance is shared"));
    assertTrue(refusal(FreshCases.WithBeforeAll.class).contains("has a @BeforeAll"));
  }
}
