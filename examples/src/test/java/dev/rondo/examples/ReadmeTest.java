package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The README's programs are those that are compiled and tested here.
final class ReadmeTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK =
      Pattern.compile("<!-- (\\S+\\.java) -->\\n```java\\n(.*?)```", Pattern.DOTALL);

  /// What to say.
  private static final Pattern TABLE = Pattern.compile("(?ms)^\\| to \\| say \\|$.*?^$");

  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");

  @Test
  void readme_everyJavaBlock_standsInTheSourceItNames() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    Matcher block = BLOCK.matcher(readme);
    int blocks = 0;
    while (block.find()) {
      blocks++;
      String source = Files.readString(ROOT.resolve(block.group(1)));
      assertTrue(
          withoutIndentation(source).contains(withoutIndentation(block.group(2))),
          "a README block is not what stands in " + block.group(1) + ":\n" + block.group(2));
    }
    assertTrue(blocks >= 2, "the README has lost its programs");
    assertTrue(
        readme.split("```java", -1).length - 1 == blocks, "a java block names no source file");
  }

  @Test
  void readme_everyCallInTheTables_standsInCodeThatCompiles() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    String words =
        withoutSpace(
            Files.readString(Path.of("src/test/java/dev/rondo/examples/ReadmeWords.java")));
    int calls = 0;
    for (MatchResult table : TABLE.matcher(readme).results().toList()) {
      for (MatchResult code : CODE.matcher(table.group()).results().toList()) {
        if (!code.group(1).contains("(")) {
          continue;
        }
        calls++;
        Pattern said =
            Pattern.compile(
                Arrays.stream(withoutSpace(code.group(1)).split("\\.\\.+"))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*?")));
        assertTrue(said.matcher(words).find(), "not in ReadmeWords: " + code.group(1));
      }
    }
    assertTrue(calls > 50, "the README has lost its words: " + calls);
  }

  private static String withoutSpace(String text) {
    return text.replaceAll("\\s+", "");
  }

  private static String withoutIndentation(String text) {
    return text.replaceAll("(?m)^[ \\t]+", "").replaceAll("\\n+", "\n");
  }
}
