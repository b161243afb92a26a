package dev.rondo.scheduler.testing;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// The backends of [EveryBackend].
public final class BackendsToTest implements ArgumentsProvider {

  private static final String PROPERTY = "rondo.test.backends";

  /// Backends of which a build requires that they are among all.
  private static final String REQUIRED = "rondo.test.required";

  private static final String DEFAULT = "continuation";

  private static final List<String> ALL = all();

  /// For JUnit.
  public BackendsToTest() {}

  /// {@return the names of the backends on which a test class runs}
  ///
  /// @param testClass may bear [BackendsDiffer], or be nested in a class that does
  public static List<String> of(Class<?> testClass) {
    String required = System.getProperty(REQUIRED, DEFAULT);
    if (!ALL.containsAll(List.of(required.split(",", -1)))) {
      throw new IllegalStateException(
          "all backends must have %s (-D%s), were %s: add rondo-addons-bound to the dependencies of the tests"
              .formatted(required, REQUIRED, ALL));
    }
    String selected = System.getProperty(PROPERTY);
    if (selected == null) {
      return differ(testClass) ? ALL : List.of(DEFAULT);
    }
    return selected.equals("all") ? ALL : List.of(selected.split(",", -1));
  }

  /// Those of this module, and BOUND where it is on the path.
  private static List<String> all() {
    var all = new ArrayList<String>();
    all.add(DEFAULT);
    ServiceLoader.load(CoroutineBackend.class)
        .forEach(each -> all.add(each.name().toLowerCase(Locale.ROOT)));
    all.add("handoff");
    return all;
  }

  private static boolean differ(Class<?> testClass) {
    Class<?> outer = testClass.getEnclosingClass();
    return testClass.isAnnotationPresent(BackendsDiffer.class) || (outer != null && differ(outer));
  }

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return of(context.getRequiredTestClass()).stream().map(BackendsToTest::setup);
  }

  private static Arguments setup(String name) {
    CoroutineBackend backend = CoroutineBackends.named(name);
    return Arguments.of(Named.of(name.toUpperCase(Locale.ROOT), backend));
  }
}
