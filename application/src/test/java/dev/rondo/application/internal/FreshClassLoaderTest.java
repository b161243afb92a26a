package dev.rondo.application.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The classes that all runs share.
final class FreshClassLoaderTest {

  /// Other code cannot use a second class of the same name.
  @Test
  void packages_ofTheJdk_areShared() {
    Set<String> others =
        ModuleLayer.boot().modules().stream()
            .filter(each -> each.getClassLoader() == null)
            .flatMap(each -> each.getPackages().stream())
            .filter(each -> !FreshClassLoader.isShared(each + ".Type"))
            .collect(Collectors.toSet());
    assertEquals(Set.of(), others);
  }

  @Test
  void packages_ofLibraries_areNotShared() {
    for (String each : Set.of("javax.inject.Inject", "com.sun.mail.Mail", "org.xml.Type")) {
      assertFalse(FreshClassLoader.isShared(each), each);
    }
    assertFalse(FreshClassLoader.isShared("Unnamed"));
  }
}
