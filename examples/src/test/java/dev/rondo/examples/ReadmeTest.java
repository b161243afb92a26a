package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The README's programs are those that are compiled and tested here.
final class ReadmeTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK =
      Pattern.compile("<!-- (\\S+\\.java) -->\\n```java\\n(.*?)```", Pattern.DOTALL);

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

  private static String withoutIndentation(String text) {
    return text.replaceAll("(?m)^[ \\t]+", "").replaceAll("\\n+", "\n");
  }
}
