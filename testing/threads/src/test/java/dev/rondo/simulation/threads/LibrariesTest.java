package dev.rondo.simulation.threads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.testing.Nightly;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The programs of `src/test/libraries`, each with a library as it is. With each seed a program
/// runs twice in one JVM and once in a fresh one; the digests and the output are the same.
///
/// A line `// DEPS` of a program names an artifact, as for JBang, `// WITHOUT` one that is left
/// out, and `// SERVER` the program of another host. The command `mvn` finds the artifacts, which
/// are not on the class path of this module.
///
/// `-Dlibraries.seeds=200` takes more seeds, and `-Dlibraries=Jetty,Tomcat` fewer programs. The
/// table is in `target/libraries/table.md`.
final class LibrariesTest {

  private static final int SEEDS = Integer.getInteger("libraries.seeds", 2);
  private static final String CHOSEN = System.getProperty("libraries", "");
  private static final Path SOURCES = Path.of("src", "test", "libraries");
  private static final Path FOLDER = SOURCES.resolve("com", "acme", "libraries");
  private static final Path TARGET = Path.of("target", "libraries").toAbsolutePath();
  private static final String NO_SERVER = "-";

  private static final List<String> FLAGS =
      List.of(
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "-XX:+UnlockExperimentalVMOptions",
          "-XX:hashCode=2",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx1g",
          "-Dslf4j.internal.verbosity=ERROR",
          AgentTest.AGENT);

  static List<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(each -> each.getFileName().toString().replace(".java", ""))
          .filter(each -> !values(each, "DEPS").isEmpty())
          .filter(each -> CHOSEN.isEmpty() || List.of(CHOSEN.split(",")).contains(each))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Nightly("artifacts of many libraries, and a JVM for each run")
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void runs_withTheSameSeed_areTheSame(String program) throws Exception {
    String libraries = libraries(program);
    String server = values(program, "SERVER").stream().findFirst().orElse(NO_SERVER);
    Path classes = Files.createDirectories(TARGET.resolve(program, "classes"));
    compile(program, server, libraries, classes);
    String path = String.join(File.pathSeparator, classes.toString(), ofRondo(), libraries);
    List<String> seeds = IntStream.range(0, SEEDS).mapToObj(Integer::toString).toList();

    long begin = System.nanoTime();
    Map<String, List<String>> inOne = run(path, program, server, 2, seeds);
    int same = 0;
    int sameInFresh = 0;
    for (String each : seeds) {
      List<String> runs = inOne.getOrDefault(each, List.of("none", "missing"));
      same += runs.get(0).equals(runs.get(1)) ? 1 : 0;
      List<String> fresh = run(path, program, server, 1, List.of(each)).get(each);
      sameInFresh += List.of(runs.get(0)).equals(fresh) ? 1 : 0;
    }
    String row = row(program, same, sameInFresh);
    writeRow(row + " %d s |".formatted(Duration.ofNanos(System.nanoTime() - begin).toSeconds()));
    assertEquals(
        row(program, SEEDS, SEEDS), row, "program, seeds, same in one JVM, in a fresh one");
  }

  private static String row(String program, int same, int sameInFresh) {
    return "| %s | %d | %d | %d |".formatted(program, SEEDS, same, sameInFresh);
  }

  /// In the place of the last one of the same program with as many seeds.
  private static void writeRow(String row) throws IOException {
    Path table = TARGET.resolve("table.md");
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
      String path, String program, String server, int times, List<String> seeds) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-cp", path, LibraryRuns.class.getName(), program, server, "" + times));
    command.addAll(seeds);
    Path errors = TARGET.resolve(program, "errors.txt");
    Process child = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    var runs = new LinkedHashMap<String, List<String>>();
    try (BufferedReader lines = child.inputReader()) {
      for (String line; (line = lines.readLine()) != null; ) {
        String seed = line.substring(0, Math.max(0, line.indexOf(' ')));
        runs.computeIfAbsent(seed, _ -> new ArrayList<>()).add(line);
      }
      assertEquals(0, child.waitFor(), Files.readString(errors));
    } finally {
      Process _ = child.destroyForcibly();
    }
    return runs;
  }

  private static void compile(String program, String server, String libraries, Path classes) {
    var options = new ArrayList<>(List.of("-d", classes.toString(), "-cp", libraries));
    options.addAll(List.of("-sourcepath", SOURCES.toString(), "-parameters", "-proc:full"));
    Stream.of(program, server)
        .filter(each -> !each.equals(NO_SERVER))
        .forEach(each -> options.add(source(each).toString()));
    String[] all = options.toArray(String[]::new);
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, all));
  }

  private static Path source(String program) {
    return FOLDER.resolve(program + ".java");
  }

  /// {@return the values of the lines of a program that begin with a key}
  private static List<String> values(String program, String key) {
    try (Stream<String> lines = Files.lines(source(program))) {
      String begin = "// " + key + " ";
      return lines
          .filter(each -> each.startsWith(begin))
          .map(each -> each.substring(begin.length()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// {@return the part of the class path that a world needs}
  private static String ofRondo() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(each ->
            each.contains("classes")
                || each.matches(".*/(rondo-|slf4j-api|jspecify|guava|failureaccess|jimfs)[^/]*"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /// {@return the class path of the artifacts of a program}
  private static String libraries(String program) throws Exception {
    String without =
        values(program, "WITHOUT").stream()
            .map(each -> "<exclusion>" + coordinates(each) + "</exclusion>")
            .collect(Collectors.joining());
    var managed = new StringBuilder();
    var needed = new StringBuilder();
    for (String each : values(program, "DEPS")) {
      if (each.endsWith("@pom")) {
        String bom = each.replace("@pom", "");
        managed.append(dependency(bom, "<type>pom</type><scope>import</scope>"));
      } else {
        needed.append(dependency(each, "<exclusions>" + without + "</exclusions>"));
      }
    }
    String project =
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>libraries</groupId><artifactId>libraries</artifactId><version>1</version>
          <packaging>pom</packaging>
          <dependencyManagement><dependencies>%s</dependencies></dependencyManagement>
          <dependencies>%s</dependencies>
        </project>
        """
            .formatted(managed, needed);
    Path folder = Files.createDirectories(TARGET.resolve(program));
    Path pom = folder.resolve("pom.xml");
    Path path = folder.resolve("path");
    if (!Files.exists(path) || !Files.readString(pom).equals(project)) {
      boolean _ = Files.deleteIfExists(path); // not that of another project if `mvn` fails
      var _ = Files.writeString(pom, project);
      writePath(pom, path);
    }
    return Files.readString(path).strip();
  }

  private static void writePath(Path pom, Path path) throws Exception {
    var command = new ArrayList<>(List.of("mvn", "-q", "-B", "-f", pom.toString()));
    String repository = System.getProperty("maven.repo.local");
    if (repository != null) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    command.addAll(List.of("dependency:build-classpath", "-Dmdep.outputFile=" + path));
    Process maven = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(maven.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, maven.waitFor(), said);
  }

  private static String dependency(String artifact, String more) {
    return "<dependency>" + coordinates(artifact) + more + "</dependency>";
  }

  private static String coordinates(String artifact) {
    String[] parts = artifact.split(":");
    String version = parts.length > 2 ? "<version>" + parts[2] + "</version>" : "";
    return "<groupId>%s</groupId><artifactId>%s</artifactId>".formatted(parts[0], parts[1])
        + version;
  }
}
