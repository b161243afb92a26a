package dev.rondo.benchmarks.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.benchmarks.calls.Calls;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The core does not grow unnoticed, and no document cites another count.
///
/// `counts.txt` has the counts of today. A change that raises one by more than 5 percent lowers
/// another, or says in its commit why the file has a new number. `-Dcounts=write` writes the file.
final class CoreCountsTest {

  private static final Path ROOT = Path.of("..");
  private static final Path FILE = Path.of("counts.txt");
  private static final int PERCENT = 5;

  private static final Pattern CITED = Pattern.compile("<!-- count: ([^>]*?) -->([\\d,]+)");

  /// The abbreviated hash of a commit: digits and letters, so that no number is taken for one.
  private static final Pattern COMMIT =
      Pattern.compile("(?<![\\w#/.-])(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,8}(?![\\w/-])");

  /// One line of the output of [Calls]: what is counted, and the number.
  private static final Pattern CALLS =
      Pattern.compile("@sample.calls.of=(.+).rondo.(calls|classes).([\\d.]+)");

  @Test
  void counts_ofToday_areNotMoreThanFivePercentAboveTheFile() throws Exception {
    SortedMap<String, Integer> counts = CoreCounts.of(ROOT.resolve("scheduler-core"));
    counts.putAll(journeys());
    if ("write".equals(System.getProperty("counts"))) {
      write(counts);
    }
    SortedMap<String, Integer> kept = CoreCounts.read(FILE);
    assertEquals(Map.of(), CoreCounts.grown(kept, counts, PERCENT));
    assertEquals(kept.keySet(), counts.keySet());
  }

  @Test
  void grown_moreThanThePercentage_isListed() {
    var kept = Map.of("a", 100, "b", 100, "c", 3);
    var counts = Map.of("a", 105, "b", 106, "c", 4, "d", 1);
    assertEquals(
        Map.of("b", "100 -> 106", "c", "3 -> 4", "d", "null -> 1"),
        CoreCounts.grown(kept, counts, PERCENT));
  }

  private static void write(SortedMap<String, Integer> counts) throws IOException {
    var lines = new ArrayList<String>();
    lines.add("# Written by: mvn -q test -pl benchmarks -Dtest=CoreCountsTest -Dcounts=write");
    counts.forEach((name, count) -> lines.add(name + "\t" + count));
    Files.write(FILE, lines);
  }

  /// The calls and classes of each journey, counted in a JVM of its own.
  private static SortedMap<String, Integer> journeys() throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(each -> each.startsWith("--add-") || each.startsWith("--enable-native"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Calls.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(1, TimeUnit.MINUTES), output);
    var counts = new TreeMap<String, Integer>();
    output
        .lines()
        .map(CALLS::matcher)
        .filter(Matcher::matches)
        .forEach(line ->
            counts.put(
                line.group(2) + " of " + line.group(1), (int) Double.parseDouble(line.group(3))));
    assertTrue(counts.containsKey("calls of HTTP GET"), output);
    return counts;
  }

  @Test
  void documents_citedCounts_areThoseOfTheFile() throws IOException {
    SortedMap<String, Integer> kept = CoreCounts.read(FILE);
    var wrong = new ArrayList<String>();
    int cited = 0;
    for (Path document : documents()) {
      Matcher each = CITED.matcher(Files.readString(document));
      while (each.find()) {
        cited++;
        int number = Integer.parseInt(each.group(2).replace(",", ""));
        if (!Integer.valueOf(number).equals(kept.get(each.group(1)))) {
          wrong.add(document + ": " + each.group() + ", is " + kept.get(each.group(1)));
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(cited > 0, "no document cites a count");
  }

  @Test
  void documents_citedCommits_areInTheRepository() throws Exception {
    assumeTrue(Files.exists(ROOT.resolve(".git")), "no repository");
    var missing = new ArrayList<String>();
    for (Path document : documents()) {
      Matcher each = COMMIT.matcher(Files.readString(document));
      while (each.find()) {
        Process git =
            new ProcessBuilder("git", "cat-file", "-e", each.group() + "^{commit}")
                .redirectErrorStream(true)
                .start();
        git.getOutputStream().close();
        String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (git.waitFor() != 0) {
          missing.add(document + ": " + each.group() + ", " + answer.strip());
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> results = Files.list(Path.of("results"))) {
      return Stream.concat(docs, results).filter(each -> each.toString().endsWith(".md")).toList();
    }
  }
}
