package dev.rondo.simulation.threads;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The rules of the house, read off the classes of this module.
final class ArchitectureTest {

  private static final String ROOT = "dev.rondo.simulation.threads";

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPath(Path.of("target", "classes"));

  @Test
  void packages_haveNoCycles() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /// The loader of the JDK has them, and nothing else of Rondo.
  @Test
  void hooks_useTheJdkOnly() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage(ROOT + ".hook")
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages("java..", "javax.net.ssl..", ROOT + ".hook", "org.jspecify..")
        .check(CLASSES);
  }
}
