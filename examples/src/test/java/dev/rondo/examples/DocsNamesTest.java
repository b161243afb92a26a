package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the documentation names is there: types, methods, modules, commands, rules.
final class DocsNamesTest {

  /// A name of Java: two words run together, or the name of a call.
  private static final Pattern NAME =
      Pattern.compile("\\b[A-Za-z]+[a-z][A-Z]\\w*|\\b[a-z]\\w+(?=\\()");

  private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern OPTION = Pattern.compile("-D(\\w+)=([\\w,]+)|-pl ([\\w/-]+)");
  private static final Pattern PACKAGE = Pattern.compile("dev\\.rondo(\\.[a-z]+)+");
  private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");
  private static final Pattern OWN_VERSION =
      Pattern.compile("rondo-[\\w-]+</artifactId>\\s*<version>(.*?)</version>");

  private static final Pattern LIBRARY_VERSION =
      Pattern.compile("(?<=[>:])[0-9]+(\\.[0-9]+)+(?=[<:])");
  private static final Pattern CITATION =
      Pattern.compile(
          "docs/inside/semantics\\.md,\\s*(?:/// )?rules? ([\\d, ]+(?:(?:and|to) \\d+)?)");
  private static final Pattern RULE = Pattern.compile("(?m)^(\\d+)\\. ");

  /// A row of a table, with what it was and what it is now.
  private static final Pattern RENAMED = Pattern.compile("(?m)^\\| [^|]+ \\| ([^|]+) \\|");

  /// Names of build tools.
  private static final Set<String> OF_OTHERS =
      Set.of(
          "applicationDefaultJvmArgs",
          "argLine",
          "commandlineArgs",
          "jvmArgs",
          "DefaultChannelId",
          "FixedChannelPool",
          "NetUtil",
          "getByName");

  /// The sources of the project, by path.
  private static final Map<Path, String> SOURCES = new HashMap<>();

  private static final Set<String> WORDS = new HashSet<>();

  static List<DocsPage> pages() {
    return DocsPage.all().stream().filter(page -> !page.path().endsWith("CHANGELOG.md")).toList();
  }

  @BeforeAll
  static void readSources() throws IOException {
    for (Path module : DocsPage.modules()) {
      Path sources = module.resolve("src"); // the BOM has none
      try (Stream<Path> files = Files.exists(sources) ? Files.walk(sources) : Stream.empty()) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(DocsNamesTest::read);
      }
    }
    SOURCES
        .values()
        .forEach(
            source -> WORD.matcher(source).results().map(MatchResult::group).forEach(WORDS::add));
  }

  private static void read(Path file) {
    try {
      SOURCES.put(DocsPage.ROOT.relativize(file), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void names_inThePagesCode_areInTheSources(DocsPage page) {
    var unknown = new TreeSet<String>();
    for (String code : page.code()) {
      if (!code.contains("/") && !code.startsWith("-") && !code.contains(" -")) {
        unknown.addAll(unknown(code, NAME, DocsNamesTest::isKnown));
      }
    }
    assertEquals(Set.of(), unknown, "names in " + page + " that no source has");
  }

  private static boolean isKnown(String name) {
    boolean family = name.endsWith("X"); // as tryX
    return family || WORDS.contains(name) || OF_OTHERS.contains(name) || isOfJavaLang(name);
  }

  private static boolean isOfJavaLang(String name) {
    try {
      Class.forName("java.lang." + name);
      return true;
    } catch (ClassNotFoundException _) {
      return false;
    }
  }

  @Test
  void newNames_inTheChangeLog_areInTheSources() {
    var unknown = new TreeSet<String>();
    for (MatchResult row :
        RENAMED.matcher(DocsPage.named("CHANGELOG.md").prose()).results().toList()) {
      for (String code : DocsPage.code(row.group(1))) {
        unknown.addAll(unknown(code, NAME, DocsNamesTest::isKnown));
      }
    }
    assertEquals(Set.of(), unknown, "names that are said to be new, and no source has");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void packages_thatAPageNames_haveSources(DocsPage page) {
    Set<String> unknown = unknown(page.prose(), PACKAGE, DocsNamesTest::isPackage);
    unknown.removeIf(name -> page.prose().contains(name + ".*")); // events of the flight recorder
    assertEquals(Set.of(), unknown, "packages in " + page);
  }

  /// A module counts as well: not each has a package of its name.
  private static boolean isPackage(String name) {
    String path = "src/main/java/" + name.replace('.', '/');
    return SOURCES.entrySet().stream()
        .anyMatch(source ->
            source.getKey().getParent().toString().endsWith(path)
                || (source.getKey().endsWith("module-info.java")
                    && source.getValue().contains("\nmodule " + name + " {")));
  }

  /// A comment of a method leaves out what holds for all methods: each package says where that is.
  @Test
  void exportedPackages_sayWhereTheCommonRulesAre() {
    var silent = new TreeSet<String>();
    SOURCES.forEach((path, source) -> {
      if (path.endsWith("module-info.java") && path.toString().contains("src/main/")) {
        silent.addAll(unknown(source, EXPORT, export -> pointsToTheRules(path, export)));
      }
    });
    assertEquals(Set.of(), silent, "their comment must say where the conventions are");
  }

  private static boolean pointsToTheRules(Path module, String export) {
    String name = export.replace("exports ", "").replace(";", "");
    String comment =
        SOURCES.get(module.resolveSibling(name.replace('.', '/')).resolve("package-info.java"));
    return comment != null
        && comment.contains(
            name.equals("dev.rondo.scheduler")
                ? "**Conventions**"
                : "The package `dev.rondo.scheduler` states the conventions that hold for all"
                    + " methods.");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void commands_ofAPage_nameWhatIsThere(DocsPage page) {
    assertEquals(Set.of(), unknown(page.text(), OPTION, DocsNamesTest::isThere), "in " + page);
  }

  private static boolean isThere(String option) {
    String[] parts = option.split("[ =]", 2);
    return switch (parts[0]) {
      case "-pl" -> Files.exists(DocsPage.ROOT.resolve(parts[1]).resolve("pom.xml"));
      case "-Dexample" -> parts[1].equals("Name") || hasClass("examples/src/main", parts[1]);
      case "-Dtest" -> Stream.of(parts[1].split(",")).allMatch(DocsNamesTest::isTest);
      case "-Dfuzz" -> hasClass("addons-io/src/test", parts[1]);
      case "-Dbench" ->
          Stream.of(parts[1].split(","))
              .allMatch(bench -> bench.equals("all") || isWorkload(bench));
      default -> true;
    };
  }

  private static boolean isTest(String name) {
    return SOURCES.keySet().stream().anyMatch(source -> source.endsWith(name + ".java"));
  }

  private static boolean hasClass(String folder, String name) {
    return SOURCES.keySet().stream()
        .anyMatch(source -> source.startsWith(folder) && source.endsWith(name + ".java"));
  }

  /// A workload, or those whose names begin so.
  private static boolean isWorkload(String name) {
    return SOURCES.entrySet().stream()
        .filter(source -> source.getKey().endsWith("Workloads.java"))
        .map(Map.Entry::getValue)
        .anyMatch(source ->
            source.contains("Workload(\"" + name + "\"")
                || source.contains("Workload(\"" + name + "-"));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void dependencies_ofAPage_areThoseOfThisBuild(DocsPage page) throws IOException {
    String version = ReleaseTest.version();
    for (String block : page.blocks("xml")) {
      if (!block.contains("rondo-")) {
        requireVersionsOfGrpc(block, page);
        continue;
      }
      assertEquals(version, first(OWN_VERSION, block), "version in " + page);
      Set<String> unknown = new TreeSet<>(ReleaseTest.artifacts(block));
      unknown.removeAll(ReleaseTest.published());
      assertEquals(Set.of(), unknown, "artifacts in " + page);
    }
  }

  /// Libraries of others are named for gRPC only.
  private static void requireVersionsOfGrpc(String block, DocsPage page) throws IOException {
    String poms =
        Files.readString(DocsPage.ROOT.resolve("pom.xml"))
            + Files.readString(DocsPage.ROOT.resolve("extensions/grpc/pom.xml"));
    List<String> versions =
        LIBRARY_VERSION.matcher(block).results().map(MatchResult::group).toList();
    assertFalse(versions.isEmpty(), "versions in " + block);
    for (String each : versions) {
      assertTrue(poms.contains(each), each + " in " + page + " is not that of the build");
    }
  }

  @Test
  void rules_thatSourcesCite_areInTheSemantics() {
    List<String> rules =
        RULE.matcher(DocsPage.named("docs/inside/semantics.md").prose())
            .results()
            .map(rule -> rule.group(1))
            .toList();
    assertEquals(
        Stream.iterate(1, each -> each + 1).limit(rules.size()).map(String::valueOf).toList(),
        rules,
        "the numbers of the rules");
    int citations = 0;
    for (Map.Entry<Path, String> source : SOURCES.entrySet()) {
      for (MatchResult citation : CITATION.matcher(source.getValue()).results().toList()) {
        for (String rule : citation.group(1).split("\\D+", -1)) {
          citations++;
          assertTrue(rules.contains(rule), source.getKey() + " cites rule " + rule);
        }
      }
    }
    assertTrue(citations >= 10, "the tests cite no rules any more: " + citations);
  }

  private static Set<String> unknown(String text, Pattern pattern, Predicate<String> known) {
    var unknown = new TreeSet<String>();
    pattern
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .filter(known.negate())
        .forEach(unknown::add);
    return unknown;
  }

  private static String first(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).findFirst().orElse("");
  }
}
