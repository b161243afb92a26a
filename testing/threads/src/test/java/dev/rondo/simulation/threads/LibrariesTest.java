package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.testing.Nightly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The programs of `src/test/libraries/com/acme/libraries`, each with a library as it is. With each
/// seed a program runs twice in one JVM and once in a fresh one; the digests and the output are the
/// same. A line `// SERVER` of a program names that of another host.
///
/// `-Dlibraries.seeds=200` takes more seeds, and `-Dlibraries=Jetty,Tomcat` fewer programs. The
/// table is in `target/libraries/table.md`.
final class LibrariesTest {

  private static final String GROUP = "libraries";
  private static final int SEEDS = Integer.getInteger("libraries.seeds", 2);

  static List<LibraryProgram> programs() throws IOException {
    return LibraryProgram.all(GROUP, System.getProperty("libraries", ""));
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Nightly("artifacts of many libraries, and a JVM for each run")
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void runs_withTheSameSeed_areTheSame(LibraryProgram program) throws Exception {
    List<LibraryProgram> servers =
        program.values("SERVER").stream().map(each -> new LibraryProgram(GROUP, each)).toList();
    String libraries = program.libraries("DEPS");
    Path classes = program.folder().resolve("classes");
    program.compile(classes, libraries, servers);
    List<String> seeds = IntStream.range(0, SEEDS).mapToObj(Integer::toString).toList();

    long begin = System.nanoTime();
    Map<String, List<String>> inOne = run(program, classes, libraries, servers, 2, seeds);
    int same = 0;
    int sameInFresh = 0;
    for (String each : seeds) {
      List<String> runs = inOne.getOrDefault(each, List.of("none", "missing"));
      same += runs.get(0).equals(runs.get(1)) ? 1 : 0;
      List<String> fresh = run(program, classes, libraries, servers, 1, List.of(each)).get(each);
      sameInFresh += List.of(runs.get(0)).equals(fresh) ? 1 : 0;
    }
    String row = row(program, same, sameInFresh);
    writeRow(row + " %d s |".formatted(Duration.ofNanos(System.nanoTime() - begin).toSeconds()));
    assertEquals(
        row(program, SEEDS, SEEDS), row, "program, seeds, same in one JVM, in a fresh one");
  }

  private static String row(LibraryProgram program, int same, int sameInFresh) {
    return "| %s | %d | %d | %d |".formatted(program, SEEDS, same, sameInFresh);
  }

  /// In the place of the last one of the same program with as many seeds.
  private static void writeRow(String row) throws IOException {
    Path table = Path.of("target", GROUP, "table.md");
    var rows = new TreeMap<String, String>();
    for (String each : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
      rows.put(key(each), each);
    }
    rows.put(key(row), row);
    var _ = Files.write(table, rows.values());
  }

  private static String key(String row) {
    return row.substring(0, row.indexOf('|', row.indexOf('|', 1) + 1));
  }

  /// {@return the lines that runs have printed, by seed}
  private static Map<String, List<String>> run(
      LibraryProgram program,
      Path classes,
      String libraries,
      List<LibraryProgram> servers,
      int times,
      List<String> seeds)
      throws Exception {
    String server = servers.isEmpty() ? LibraryRuns.NONE : servers.getFirst().type();
    var arguments = new ArrayList<>(List.of(program.type(), server, "" + times));
    arguments.addAll(seeds);
    return program.run(classes, libraries, LibraryRuns.class, arguments).stream()
        .collect(Collectors.groupingBy(line -> line.substring(0, Math.max(0, line.indexOf(' ')))));
  }
}
