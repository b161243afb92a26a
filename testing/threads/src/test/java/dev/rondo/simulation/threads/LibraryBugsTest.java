package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.rondo.scheduler.testing.Nightly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The programs of `src/test/libraries/com/acme/bugs`, each with a release of a library that has a
/// mistake: a seed finds it, and finds it again in another JVM. The release that is mended has none
/// in as many runs as a search makes.
///
/// A line `// BUG` of a program is where the mistake is told of, `// MENDED` the release without
/// it, and `// RACING` names packages. `-Dbugs=CommonsPool162` takes fewer programs. The table is
/// in `target/bugs/table.md`.
final class LibraryBugsTest {

  private static final String GROUP = "bugs";
  private static final int RUNS = Integer.getInteger("bugs.runs", 1_000);
  private static final int FIRST_SEED = 1;

  static List<LibraryProgram> programs() throws IOException {
    return LibraryProgram.all(GROUP, System.getProperty("bugs", ""));
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Nightly("artifacts of many libraries, and a thousand runs of each")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void mistake_isFound_andNotInTheReleaseWithoutIt(LibraryProgram program) throws Exception {
    String libraries = program.libraries("DEPS");
    Path classes = program.folder().resolve("classes");
    program.compile(classes, libraries, List.of());

    String found = run(program, classes, libraries, FIRST_SEED, RUNS);
    String failure = found.substring(found.indexOf(' ') + 1);
    assertNotEquals("", failure, found);
    int seed = Integer.parseInt(found.substring(0, found.indexOf(' '))) + FIRST_SEED - 1;
    assertEquals("1 " + failure, run(program, classes, libraries, seed, 1));
    String mended = run(program, classes, program.libraries("MENDED"), FIRST_SEED, RUNS);
    var _ =
        Files.writeString(
            program.folder().resolveSibling("table.md"),
            "| [%s](%s) | %s | %d | %s | %s | %s |%n"
                .formatted(
                    program,
                    program.values("BUG").getFirst(),
                    program.values("DEPS").getFirst(),
                    seed,
                    failure,
                    program.values("MENDED").getFirst(),
                    mended.strip()),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
    assertEquals(RUNS + " ", mended);
  }

  private static String run(
      LibraryProgram program, Path classes, String libraries, int seed, int runs) throws Exception {
    String racing = String.join(",", program.values("RACING"));
    List<String> arguments = List.of(program.type(), racing, "" + seed, "" + runs);
    return program.run(classes, libraries, LibraryBugRuns.class, arguments).getLast();
  }
}
