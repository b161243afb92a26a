package dev.rondo.benchmarks.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What counts as a break, and when the change log names it.
final class ApiChangesTest {

  private static final String MODULE =
      """
      // module-info.java
      module m { exports p; exports q; }
      """;
  private static final String TYPE =
      """
      // p/Type.java
      package p;
      public class Type {
        public int field;
        public void kept() {}
        protected void method() {}
      }
      """;
  private static final String NESTED =
      """
      // q/Other.java
      package q;
      public interface Other {
        interface Inner { void method(); }
      }
      """;
  private static final String INTERNAL =
      """
      // internal/Internal.java
      package internal;
      public class Internal { public void method() {} }
      """;

  @TempDir private Path folder;

  private String breaks(String... now) throws IOException {
    return breaksNotNamed("", now);
  }

  private String breaksNotNamed(String changes, String... now) throws IOException {
    Path before = jar(MODULE, TYPE, NESTED, INTERNAL);
    var comparison = new ApiChanges(Map.of("rondo-m", before), Map.of("rondo-m", jar(now)));
    return comparison.notNamedIn(changes).toString();
  }

  @Test
  void additionsAndInternals_areNoBreaks() throws IOException {
    String larger = TYPE.replace("public int", "public void added() {} public int");
    assertEquals("[]", breaks(MODULE, larger, NESTED));
  }

  @Test
  void removedMembers_areBreaks() throws IOException {
    assertEquals(
        "[Type.method: METHOD_REMOVED]",
        breaks(MODULE, TYPE.replace("protected void method() {}", ""), NESTED));
    assertEquals(
        "[Type.field: FIELD_REMOVED]",
        breaks(MODULE, TYPE.replace("public int field;", ""), NESTED));
    assertEquals(
        "[Other.Inner.method: METHOD_REMOVED]",
        breaks(MODULE, TYPE, NESTED.replace("void method();", "")));
  }

  @Test
  void whatLinksButDoesNotCompile_isABreak() throws IOException {
    assertEquals(
        "[Type.kept: METHOD_NOW_THROWS_CHECKED_EXCEPTION]",
        breaks(MODULE, TYPE.replace("kept() {", "kept() throws Exception {"), NESTED));
  }

  @Test
  void removedTypesPackagesAndArtifacts_areOneBreakEach() throws IOException {
    assertEquals(
        "[Other.Inner: CLASS_REMOVED]",
        breaks(MODULE, TYPE, NESTED.replace("interface Inner { void method(); }", "")));
    assertEquals("[q: PACKAGE_REMOVED]", breaks(MODULE.replace("exports q;", ""), TYPE, NESTED));
    Path before = jar(MODULE, TYPE, NESTED);
    var comparison = new ApiChanges(Map.of("rondo-m", before), Map.of("rondo-n", before));
    assertEquals("[rondo-m: ARTIFACT_REMOVED]", comparison.notNamedIn("").toString());
  }

  @Test
  void namedInTheChangeLog_isAllowed() throws IOException {
    String[] now = {MODULE, TYPE.replace("protected void method() {}", ""), NESTED};
    String left = "[Type.method: METHOD_REMOVED]";
    assertEquals("[]", breaksNotNamed("| `Type.method()` | gone |", now));
    assertEquals("[]", breaksNotNamed("`p.Type.method(..)`, and others", now));
    assertEquals(left, breaksNotNamed("Type.method is gone", now));
    assertEquals(left, breaksNotNamed("`Type`, `Type.methods()`, `MyType.method()`", now));
  }

  @Test
  void since_isWhatStandsAboveTheRelease() {
    String log = "# Changes\n\n## Unreleased\n\nnew\n\n## 0.1.0\n\nold\n";
    assertEquals("# Changes\n\n## Unreleased\n\nnew\n", ApiChanges.since("0.1.0", log));
    assertThrows(IllegalArgumentException.class, () -> ApiChanges.since("0.1", log));
  }

  /// Each source begins with the path of its file, as a comment.
  private Path jar(String... sources) throws IOException {
    Path place = Files.createTempDirectory(folder, "jar");
    Path classes = place.resolve("classes");
    var arguments = new ArrayList<>(List.of("-d", classes.toString()));
    for (String source : sources) {
      Path file = place.resolve(source.substring("// ".length(), source.indexOf('\n')));
      Files.createDirectories(file.getParent());
      arguments.add(Files.writeString(file, source).toString());
    }
    run("javac", arguments);
    Path jar = place.resolve("m.jar");
    run("jar", List.of("--create", "--file", jar.toString(), "-C", classes.toString(), "."));
    return jar;
  }

  private static void run(String tool, List<String> arguments) {
    int exit =
        ToolProvider.findFirst(tool)
            .orElseThrow()
            .run(System.out, System.err, arguments.toArray(String[]::new));
    assertEquals(0, exit, () -> tool + " " + arguments);
  }
}
