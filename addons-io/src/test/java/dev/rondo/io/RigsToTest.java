package dev.rondo.io;

import dev.rondo.scheduler.testing.BackendsToTest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// The rigs of [OnEveryBackend].
final class RigsToTest implements ArgumentsProvider {

  /// {@return the rigs on the backends on which a test class runs}
  static Stream<IoRig> of(Class<?> testClass) {
    List<String> backends = BackendsToTest.of(testClass);
    return Arrays.stream(IoRig.values()).filter(rig -> backends.contains(backendOf(rig)));
  }

  private static String backendOf(IoRig rig) {
    return switch (rig) {
      case CONTINUATION, CONTINUATION_ON_NIO -> "continuation";
      case BOUND -> "bound";
      case HANDOFF, HANDOFF_ON_VIRTUAL_THREAD -> "handoff";
    };
  }

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return of(context.getRequiredTestClass()).map(Arguments::of);
  }
}
