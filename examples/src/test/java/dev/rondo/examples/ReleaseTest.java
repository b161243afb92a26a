package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What others depend on: the artifacts, the BOM, and the build with Gradle.
final class ReleaseTest {

  private static final Path BOM = DocsPage.ROOT.resolve("bom/pom.xml");
  private static final Path GRADLE = DocsPage.ROOT.resolve("examples/gradle");

  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(rondo-[\\w-]+)<");
  private static final Pattern MANAGED =
      Pattern.compile("(?s)<dependencyManagement>(.*)</dependencyManagement>");
  private static final Pattern GROUP = Pattern.compile("<groupId>(.*?)<");
  private static final Pattern VERSION = Pattern.compile("<version>(.*?)<");
  private static final Pattern COORDINATES = Pattern.compile("'dev\\.rondo:(.*?):(.*?)'");

  /// {@return the version of the build}
  static String version() throws IOException {
    return all(VERSION, Files.readString(BOM)).getFirst();
  }

  /// {@return the artifacts of the modules that are deployed, the BOM among them}
  static Set<String> published() throws IOException {
    var published = new TreeSet<String>();
    for (Path module : DocsPage.modules()) {
      String pom = Files.readString(module.resolve("pom.xml"));
      if (!pom.contains("<maven.deploy.skip>true<")) {
        int own = Math.max(0, pom.indexOf("</parent>"));
        published.add(all(ARTIFACT, pom.substring(own)).getFirst());
      }
    }
    return published;
  }

  /// {@return the artifacts of Rondo in a piece of a POM}
  static Set<String> artifacts(String pom) {
    return new TreeSet<>(all(ARTIFACT, pom));
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }

  @Test
  void bom_managesThePublishedModules_andNothingElse() throws IOException {
    Matcher found = MANAGED.matcher(Files.readString(BOM));
    assertTrue(found.find());
    String managed = found.group(1);
    Set<String> published = published();
    assertTrue(published.remove("rondo-bom"));
    assertEquals(published, artifacts(managed));
    assertEquals(Set.of("dev.rondo"), Set.copyOf(all(GROUP, managed)));
    assertEquals(Set.of("${project.version}"), Set.copyOf(all(VERSION, managed)));
  }

  @Test
  void gradleBuild_namesWhatIsPublished() throws IOException {
    List<MatchResult> found =
        COORDINATES.matcher(Files.readString(GRADLE.resolve("build.gradle"))).results().toList();
    assertEquals(
        List.of("rondo-application", "rondo-junit"),
        found.stream().map(it -> it.group(1)).toList());
    assertEquals(
        Set.of(version()), found.stream().map(it -> it.group(2)).collect(Collectors.toSet()));
    assertTrue(published().containsAll(found.stream().map(it -> it.group(1)).toList()));
  }

  /// The nightly build runs it, where there is a Gradle.
  @Test
  void gradleBuild_itsSources_compile(@TempDir Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(GRADLE.resolve("src"))) {
      List<String> sources =
          files.map(Path::toString).filter(file -> file.endsWith(".java")).toList();
      assertEquals(2, sources.size());
      var arguments = new ArrayList<>(List.of("-Xlint:all", "-Werror", "-proc:none"));
      arguments.addAll(List.of("-d", classes.toString()));
      arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
      arguments.addAll(sources);
      int exit =
          ToolProvider.findFirst("javac")
              .orElseThrow()
              .run(System.out, System.err, arguments.toArray(String[]::new));
      assertEquals(0, exit, () -> arguments.stream().collect(Collectors.joining(" ")));
    }
  }
}
