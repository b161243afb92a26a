package dev.rondo.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/// Runs tests inside of a test.
final class InnerTests {

  private InnerTests() {}

  /// @param parameters names and values of the configuration
  static EngineExecutionResults run(
      CoroutineBackend backend, Class<?> cases, String method, String... parameters) {
    String types =
        Arrays.stream(cases.getDeclaredMethods())
            .filter(each -> each.getName().equals(method))
            .flatMap(each -> Arrays.stream(each.getParameterTypes()))
            .map(Class::getName)
            .reduce((one, other) -> one + "," + other)
            .orElse("");
    EngineTestKit.Builder kit =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectMethod(cases, method, types))
            .configurationParameter(CoroutineBackends.PROPERTY, backend.name());
    for (int i = 0; i < parameters.length; i += 2) {
      kit.configurationParameter(parameters[i], parameters[i + 1]);
    }
    return kit.execute();
  }

  /// {@return the failure of the one test that failed}
  static Throwable failure(EngineExecutionResults results) {
    results.testEvents().assertStatistics(it -> it.started(1).failed(1));
    return thrown(results.testEvents().failed().stream().findFirst().orElseThrow()).orElseThrow();
  }

  static Optional<Throwable> thrown(Event event) {
    return event.getPayload(TestExecutionResult.class).flatMap(TestExecutionResult::getThrowable);
  }

  static SeedNote noteOf(Throwable failure) {
    return Stream.of(failure.getSuppressed())
        .filter(SeedNote.class::isInstance)
        .map(SeedNote.class::cast)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no note", failure));
  }
}
