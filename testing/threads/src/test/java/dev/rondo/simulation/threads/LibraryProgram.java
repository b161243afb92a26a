package dev.rondo.simulation.threads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// A program of `src/test/libraries`, which uses libraries that are not on the class path of this
/// module.
///
/// A line `// DEPS` of it names an artifact, as for JBang, and `// WITHOUT` one that is left out.
/// The command `mvn` finds the artifacts.
///
/// @param group the last part of the name of its package
record LibraryProgram(String group, String name) {

  private static final Path SOURCES = Path.of("src", "test", "libraries");
  private static final String PACKAGE = "com.acme.";

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

  /// {@return the programs of a group that name artifacts}
  ///
  /// @param chosen their names, with commas; empty for all
  static List<LibraryProgram> all(String group, String chosen) throws IOException {
    try (Stream<Path> files = Files.list(SOURCES.resolve("com", "acme", group))) {
      return files
          .map(each -> each.getFileName().toString().replace(".java", ""))
          .filter(each -> chosen.isEmpty() || List.of(chosen.split(",")).contains(each))
          .sorted()
          .map(each -> new LibraryProgram(group, each))
          .filter(each -> !each.values("DEPS").isEmpty())
          .toList();
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /// {@return the name of its class}
  String type() {
    return PACKAGE + group + "." + name;
  }

  /// {@return a folder for what is made of it}
  Path folder() throws IOException {
    return Files.createDirectories(Path.of("target", group, name).toAbsolutePath());
  }

  /// {@return the values of its lines that begin with a key}
  List<String> values(String key) {
    try (Stream<String> lines = Files.lines(source())) {
      String begin = "// " + key + " ";
      return lines
          .filter(each -> each.startsWith(begin))
          .map(each -> each.substring(begin.length()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path source() {
    return SOURCES.resolve(type().replace('.', File.separatorChar) + ".java");
  }

  /// Compiles it, and the others that it uses.
  ///
  /// @param more others
  void compile(Path classes, String libraries, List<LibraryProgram> more) throws IOException {
    Path _ = Files.createDirectories(classes);
    var options = new ArrayList<>(List.of("-d", classes.toString(), "-cp", libraries));
    options.addAll(List.of("-sourcepath", SOURCES.toString(), "-parameters", "-proc:full"));
    options.add(source().toString());
    more.forEach(each -> options.add(each.source().toString()));
    String[] all = options.toArray(String[]::new);
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, all));
  }

  /// {@return the lines that a class of this module has printed in a JVM with the program}
  List<String> run(Path classes, String libraries, Class<?> runner, List<String> arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    String path = String.join(File.pathSeparator, classes.toString(), ofRondo(), libraries);
    command.addAll(List.of("-cp", path, runner.getName()));
    command.addAll(arguments);
    Path errors = folder().resolve("errors.txt");
    Process child = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try (BufferedReader lines = child.inputReader()) {
      List<String> said = lines.lines().toList();
      assertEquals(0, child.waitFor(), Files.readString(errors));
      return said;
    } finally {
      Process _ = child.destroyForcibly();
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

  /// {@return the class path of artifacts, and of those that they need}
  ///
  /// @param key of the lines that name them
  String libraries(String key) throws IOException, InterruptedException {
    String without =
        values("WITHOUT").stream()
            .map(each -> "<exclusion>" + coordinates(each) + "</exclusion>")
            .collect(Collectors.joining());
    var managed = new StringBuilder();
    var needed = new StringBuilder();
    for (String each : values(key)) {
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
    Path pom = folder().resolve(key + ".xml");
    Path path = folder().resolve(key + ".path");
    if (!Files.exists(path) || !Files.readString(pom).equals(project)) {
      boolean _ = Files.deleteIfExists(path); // not that of another project if `mvn` fails
      var _ = Files.writeString(pom, project);
      writePath(pom, path);
    }
    return Files.readString(path).strip();
  }

  private static void writePath(Path pom, Path path) throws IOException, InterruptedException {
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
    String[] parts = artifact.split(":", -1);
    String version = parts.length > 2 ? "<version>" + parts[2] + "</version>" : "";
    return "<groupId>%s</groupId><artifactId>%s</artifactId>".formatted(parts[0], parts[1])
        + version;
  }
}
