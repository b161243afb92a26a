package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the documentation says is what the project has.
final class DocsTest {

  private static final Path WORDS =
      Path.of("src/test/java/dev/rondo/examples/" + DocsWords.class.getSimpleName() + ".java");

  private static final Pattern PROGRAM =
      Pattern.compile("<!-- (\\S+\\.java) -->\\n```java\\n(.*?)```", Pattern.DOTALL);

  /// What to say.
  private static final Pattern TABLE = Pattern.compile("(?ms)^\\| to \\| say \\|$.*?^$");

  /// The first line of a table, without the line that makes it a head.
  private static final Pattern HEADLESS = Pattern.compile("(?<=\\n\\n)\\|.*\\n(?!\\|[-:| ]+\\n)");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  /// Words that make a reader decode.
  private static final Pattern AVOIDED =
      Pattern.compile("(?i)\\b(whoever|somebody|nobody|upon|anew|lest|(is|are|was|were) told)\\b");

  private static final int MOST_WORDS_OF_README = 1000;

  private static final int MOST_PAGES_OF_THE_GUIDE = 8;
  private static final int MOST_WORDS_OF_THE_GUIDE = 11_000;
  private static final int MOST_WORDS_OF_THE_INSIDE = 11_000;
  private static final int MOST_WORDS_OF_ALL = 40_000;

  static List<DocsPage> pages() {
    return DocsPage.all();
  }

  @Test
  void readme_itsLength_isOnePage() {
    int words = words(DocsPage.named("README.md"));
    assertTrue(words <= MOST_WORDS_OF_README, "the README has " + words + " words");
  }

  /// What a first user reads stays short. A new fact takes the place of an old one.
  @Test
  void guide_itsLength_isEightShortPages() {
    assertTrue(
        pagesBelow("docs/guide").size() <= MOST_PAGES_OF_THE_GUIDE,
        () -> "pages of the guide: " + pagesBelow("docs/guide"));
    assertAtMost(MOST_WORDS_OF_THE_GUIDE, "docs/guide");
    assertAtMost(MOST_WORDS_OF_THE_INSIDE, "docs/inside");
  }

  @Test
  void docs_theirLength_isBounded() {
    assertAtMost(MOST_WORDS_OF_ALL, "docs");
  }

  private static void assertAtMost(int most, String folder) {
    List<DocsPage> below = pagesBelow(folder);
    int sum = below.stream().mapToInt(DocsTest::words).sum();
    assertTrue(sum > most / 2, () -> folder + " has lost its pages: " + below);
    assertTrue(sum <= most, () -> folder + " has " + sum + " words, at most " + most);
  }

  private static List<DocsPage> pagesBelow(String folder) {
    return pages().stream().filter(page -> page.path().startsWith(folder)).toList();
  }

  /// As `wc -w` counts.
  private static int words(DocsPage page) {
    return page.text().trim().split("\\s+").length;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void javaBlocks_ofAPage_standInTheSourcesTheyName(DocsPage page) throws IOException {
    Matcher program = PROGRAM.matcher(page.text());
    int programs = 0;
    while (program.find()) {
      programs++;
      String source = Files.readString(DocsPage.ROOT.resolve(program.group(1)));
      assertTrue(
          withoutIndentation(source).contains(withoutIndentation(program.group(2))),
          "a block of " + page + " is not in " + program.group(1) + ":\n" + program.group(2));
    }
    assertEquals(page.blocks("java").size(), programs, "a java block names no source file");
  }

  @Test
  void javaBlocks_ofAllPages_areStillThere() {
    long programs = pages().stream().mapToLong(page -> page.blocks("java").size()).sum();
    assertTrue(programs >= 5, "the documentation has lost its programs: " + programs);
  }

  @Test
  void callsInTables_ofAllPages_standInCodeThatCompiles() throws IOException {
    String words = withoutSpace(Files.readString(WORDS));
    int calls = 0;
    for (DocsPage page : pages()) {
      for (MatchResult table : TABLE.matcher(page.text()).results().toList()) {
        for (String code : DocsPage.code(table.group())) {
          if (code.contains("(")) {
            calls++;
            assertTrue(
                pattern(code).matcher(words).find(),
                () -> page + " says what is not in " + WORDS.getFileName() + ": " + code);
          }
        }
      }
    }
    assertTrue(calls > 60, "the documentation has lost its words: " + calls);
  }

  /// An empty line ends a table, and what follows is shown as text.
  @ParameterizedTest
  @MethodSource("pages")
  void tables_ofAPage_haveAHead(DocsPage page) {
    List<String> broken = HEADLESS.matcher(page.text()).results().map(MatchResult::group).toList();
    assertEquals(List.of(), broken, "tables of " + page);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void links_ofAPage_leadSomewhere(DocsPage page) {
    var broken = new ArrayList<String>();
    for (MatchResult link : LINK.matcher(page.prose()).results().toList()) {
      String target = link.group(1);
      if (!target.matches("[a-z]+:.*") && !leadsSomewhere(page, target)) {
        broken.add(target);
      }
    }
    assertEquals(List.of(), broken, "links of " + page);
  }

  private static boolean leadsSomewhere(DocsPage page, String target) {
    String[] parts = target.split("#", 2);
    Path path = parts[0].isEmpty() ? page.path() : page.path().resolveSibling(parts[0]).normalize();
    if (!Files.exists(DocsPage.ROOT.resolve(path))) {
      return false;
    }
    return parts.length == 1 || DocsPage.named(path.toString()).anchors().contains(parts[1]);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void words_ofAPage_areThoseOfTheHouseStyle(DocsPage page) {
    List<String> found = AVOIDED.matcher(page.prose()).results().map(MatchResult::group).toList();
    assertEquals(List.of(), found, "words in " + page + " that CONTRIBUTING.md asks to avoid");
  }

  @Test
  void index_ofTheDocumentation_hasAllPages() {
    String index = DocsPage.named("docs/README.md").text();
    for (DocsPage page : pages()) {
      if (page.path().startsWith("docs")) {
        String name = page.path().toString().substring("docs/".length());
        assertTrue(
            name.equals("README.md") || index.contains("(" + name + ")"),
            name + " is not in the index of docs/");
      }
    }
  }

  private static Pattern pattern(String code) {
    return Pattern.compile(
        Arrays.stream(withoutSpace(code).split("\\.\\.+"))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*?")));
  }

  private static String withoutSpace(String text) {
    return text.replaceAll("\\s+", "");
  }

  private static String withoutIndentation(String text) {
    return text.replaceAll("(?m)^[ \\t]+", "").replaceAll("\\n+", "\n");
  }
}
