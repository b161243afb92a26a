package dev.rondo.scheduler.testing;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// What [EveryBackend] runs on.
final class BackendsToTest implements ArgumentsProvider {

  static final String PROPERTY = "rondo.test.backends";

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return Arrays.stream(System.getProperty(PROPERTY, "continuation,bound,handoff").split(","))
        .map(name -> CoroutineBackends.named(name.strip()))
        .map(BackendsToTest::argument);
  }

  private static Arguments argument(CoroutineBackend backend) {
    return Arguments.of(Named.of(backend.name(), backend));
  }
}
