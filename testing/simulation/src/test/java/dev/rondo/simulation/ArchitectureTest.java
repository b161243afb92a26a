package dev.rondo.simulation;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the house, read off the sources and the classes of this module.
final class ArchitectureTest {

  private static final String ROOT = "dev.rondo.simulation";
  private static final int MOST_LINES_OF_CODE = 700;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void packages_haveNoCycles() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /// The kernel of a host knows no channels, and neither knows the exported package.
  @Test
  void packages_pointOneWay() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage(ROOT + ".internal..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT)
        .check(CLASSES);
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage(ROOT + ".internal.net")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".internal.nio")
        .check(CLASSES);
  }

  /// What would make two runs differ.
  @Test
  void classes_useNoRealTimeAndNoChance() {
    ArchRuleDefinition.noClasses()
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "identityHashCode", Object.class)
        .orShould()
        .callConstructor(Random.class)
        .check(CLASSES);
  }

  @Test
  void sources_anyClass_isNotTooLong() throws IOException {
    var tooLong = new TreeMap<String, Long>();
    try (Stream<Path> sources = Files.walk(Path.of("src", "main", "java"))) {
      for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
        long lines =
            Files.readAllLines(source).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//"))
                .count();
        if (lines > MOST_LINES_OF_CODE) {
          tooLong.put(source.getFileName().toString(), lines);
        }
      }
    }
    assertEquals(Map.of(), tooLong);
  }
}
