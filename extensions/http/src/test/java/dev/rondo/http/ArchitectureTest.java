package dev.rondo.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the house, read off the sources and the classes of this module.
final class ArchitectureTest {

  private static final String ROOT = "dev.rondo.http";
  private static final int MOST_FILES = 40;
  private static final int MOST_LINES_OF_CODE = 700;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT, "dev.rondo.netty");

  /// A face and its core know each other: the face permits its core. They are one subject.
  @Test
  void subjects_haveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  /// Neither of the two sides knows the other, and what they share knows neither.
  @Test
  void sides_areApart() {
    noClasses()
        .that()
        .resideInAnyPackage(
            ROOT + ".internal", ROOT + ".websocket..", ROOT + ".files..", ROOT + ".client..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".server..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage(
            ROOT + ".internal", ROOT + ".websocket..", ROOT + ".files..", ROOT + ".server..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".client..")
        .check(CLASSES);
  }

  /// Neither the module of HTTP nor the codecs that it is built on.
  @Test
  void channels_knowNoHttp() {
    noClasses()
        .that()
        .resideInAPackage("dev.rondo.netty..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT + "..", "io.netty.handler..")
        .check(CLASSES);
  }

  @Test
  void engineOfTheCore_isNotNamed() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.rondo.scheduler.engine..")
        .check(CLASSES);
  }

  @Test
  void packages_haveNotTooManyFiles() throws IOException {
    var files = new TreeMap<String, Integer>();
    for (String sources : new String[] {"src/main/java", "src/test/java"}) {
      try (Stream<Path> found = Files.walk(Path.of(sources))) {
        found
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(file -> files.merge(file.getParent().toString(), 1, Integer::sum));
      }
    }
    assertFalse(files.isEmpty(), "looked into the wrong folder");
    files.values().removeIf(count -> count <= MOST_FILES);
    assertEquals(Map.of(), files);
  }

  @Test
  void sources_anyClass_isNotTooLong() throws IOException {
    var tooLong = new TreeMap<String, Long>();
    try (Stream<Path> found = Files.walk(Path.of("src/main/java"))) {
      for (Path source : found.filter(file -> file.toString().endsWith(".java")).toList()) {
        long lines =
            Files.readAllLines(source).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//"))
                .count();
        if (lines > MOST_LINES_OF_CODE) {
          tooLong.put(source.toString(), lines);
        }
      }
    }
    assertEquals(Map.of(), tooLong);
  }
}
