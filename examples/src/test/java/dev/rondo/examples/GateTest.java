package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No test falls between the two commands: the nightly build runs what the gate leaves out, and the
/// list of that in CONTRIBUTING is complete.
final class GateTest {

  private static final Pattern TEST =
      Pattern.compile(
          "(?m)^ *@(Test|ParameterizedTest|RepeatedTest|TestFactory|OnEveryBackend)\\b");
  private static final Pattern NIGHTLY = Pattern.compile("(?m)^ *@Nightly\\(");
  private static final Pattern CONDITION =
      Pattern.compile("@EnabledIfSystemProperty\\(named = (?:\"([^\"]+)\"|(\\w+))");
  private static final Pattern TEST_CLASS = Pattern.compile("`(\\w+Test)`");

  /// Properties of tests that print figures for the documents. No build sets them.
  private static final Set<String> MEASUREMENTS =
      Set.of("blocking.speed", "rondo.raft.flaws", "rondo.store.flaws");

  private static final Map<String, String> POMS = files("", "pom.xml");

  /// By the path.
  private static Map<String, String> files(String folder, String end) {
    var found = new TreeMap<String, String>();
    try {
      for (Path module : DocsPage.modules()) {
        Path start = module.resolve(folder);
        if (Files.isDirectory(start)) {
          try (Stream<Path> files = Files.walk(start, folder.isEmpty() ? 1 : Integer.MAX_VALUE)) {
            for (Path file : files.filter(each -> each.toString().endsWith(end)).toList()) {
              found.put(DocsPage.ROOT.relativize(file).toString(), Files.readString(file));
            }
          }
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertTrue(found.size() > 10, found.keySet()::toString);
    return found;
  }

  private static Map<String, String> sources() {
    return files("src/test/java", ".java");
  }

  private static String nameOf(String path) {
    return Path.of(path).getFileName().toString().replace(".java", "");
  }

  private static String root() throws IOException {
    return Files.readString(DocsPage.ROOT.resolve("pom.xml"));
  }

  private static String nightlyProfile() throws IOException {
    Matcher profile =
        Pattern.compile("(?s)<profile>\\s*<id>nightly</id>.*?</profile>").matcher(root());
    assertTrue(profile.find());
    return profile.group();
  }

  @Test
  void tests_areInClassesThatSurefireFinds() {
    sources()
        .forEach((path, text) -> {
          String name = nameOf(path);
          if (TEST.matcher(text).find() && !name.endsWith("Test")) {
            boolean isBase =
                Pattern.compile("(abstract class|interface) " + name).matcher(text).find();
            assertTrue(isBase, () -> path + ": the name of a class with tests must end in Test");
          }
        });
  }

  @Test
  void nightly_leavesNothingOut() throws IOException {
    String nightly = nightlyProfile();
    assertTrue(nightly.contains("<excludedGroups/>"), nightly);
    assertTrue(nightly.contains("<rondo.test.backends>all</rondo.test.backends>"), nightly);
    POMS.forEach((path, text) -> {
      assertTrue(!text.contains("excludedGroups"), () -> path + " leaves tests out");
      // That module runs the tests of the core once more.
      boolean again = path.contains("addons-bound/");
      assertEquals(again, text.contains("<rondo.test.backends>"), path);
      assertEquals(again, text.contains("<groups>"), path);
    });
    assertTrue(
        POMS.values().stream()
            .anyMatch(text ->
                text.contains(
                    "<rondo.core-tests>backends-differ | every-backend</rondo.core-tests>")));
  }

  @Test
  void conditions_ofTests_areMetByTheNightlyBuild() throws IOException {
    String nightly = nightlyProfile();
    sources()
        .forEach((path, text) -> {
          Matcher condition = CONDITION.matcher(text);
          while (condition.find()) {
            String property = condition.group(1);
            if (property == null) {
              Matcher constant =
                  Pattern.compile(condition.group(2) + " = \"([^\"]+)\"").matcher(text);
              assertTrue(constant.find(), path);
              property = constant.group(1);
            }
            assertTrue(
                MEASUREMENTS.contains(property) || nightly.contains("<" + property + ">"),
                path + " runs in no build: " + property);
          }
        });
  }

  @Test
  void contributing_listsTheNightlyTests() {
    var nightly = new TreeSet<String>();
    sources()
        .forEach((path, text) -> {
          if (NIGHTLY.matcher(text).find()) {
            nightly.add(nameOf(path));
          }
        });
    List<String> rows =
        DocsPage.named("CONTRIBUTING.md")
            .text()
            .lines()
            .dropWhile(line -> !line.startsWith("| only nightly"))
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    var listed = new TreeSet<String>();
    TEST_CLASS
        .matcher(String.join("\n", rows))
        .results()
        .forEach(each -> listed.add(each.group(1)));
    assertEquals(nightly, listed);
  }
}
