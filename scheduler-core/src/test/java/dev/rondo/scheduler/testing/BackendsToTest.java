package dev.rondo.scheduler.testing;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// The backends of [EveryBackend].
final class BackendsToTest implements ArgumentsProvider {

  private static final String PROPERTY = "rondo.test.backends";

  /// Every backend; CONTINUATION with and without a mounted task.
  private static final String ALL = "continuation,continuation-resident,bound,handoff";

  private static final String WITH_RESIDENT = "-resident";

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return Arrays.stream(System.getProperty(PROPERTY, ALL).split(",")).map(BackendsToTest::setup);
  }

  private static Arguments setup(String name) {
    boolean resident = name.endsWith(WITH_RESIDENT);
    CoroutineBackend backend =
        CoroutineBackends.named(resident ? name.replace(WITH_RESIDENT, "") : name);
    return Arguments.of(Named.of(name.toUpperCase(Locale.ROOT), backend), resident);
  }
}
