package dev.rondo.benchmarks.run;

import com.google.common.base.Splitter;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/// Measures Rondo and its peers: `-Dbench=all`, or names of [Workloads] separated by commas; `web`
/// stands for all names that begin with `web-`.
///
/// Writes `results.json` (the JMH JSON, all rows with their samples, the machine), `results.md` and
/// `growth.svg` to the folder named by the system property `bench.out`, again after each workload,
/// so that results survive a later failure. A run of `all` also writes `growth.svg` to
/// `benchmarks/results`. If a workload fails, the table says so, the others run, and the exit code
/// is 1.
public final class Bench {

  private static final String ALL = "all";

  /// Relative to the module's folder, where Maven runs this.
  private static final Path KEPT = Path.of("results");

  private Bench() {}

  /// Runs the workloads.
  ///
  /// @param args one argument: the names
  /// @throws IOException if the results cannot be written
  public static void main(String[] args) throws IOException {
    String names = args.length == 0 ? ALL : args[0];
    List<Workload> chosen;
    try {
      chosen = chosen(names, Workloads.ALL);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    Path out = Path.of(System.getProperty("bench.out", "target/bench"));
    var results = new Results();
    long begin = System.nanoTime();
    String speed = MachineSpeed.now().toString();
    run(
        chosen,
        results,
        done -> {
          Duration took = Duration.ofNanos(System.nanoTime() - begin);
          Map<String, String> facts = facts(names, chosen, done, took);
          facts.put("speed at the beginning", speed);
          facts.put("speed at the end", MachineSpeed.now().toString());
          facts.put("peers", PeerVersions.of(System.getProperty("java.class.path")));
          write(results, Machine.current().after(facts), out);
        });
    if (chosen == Workloads.ALL) {
      keep(out.resolve("growth.svg"));
    }
    System.out.println("\nThe tables are in " + out.resolve("results.md").toAbsolutePath());
    System.exit(results.failures().isEmpty() ? 0 : 1);
  }

  /// {@return the workloads with given names}
  ///
  /// @throws IllegalArgumentException if a name is unknown
  static List<Workload> chosen(String names, List<Workload> all) {
    if (names.equals(ALL)) {
      return all;
    }
    return Splitter.on(',')
        .trimResults()
        .splitToStream(names)
        .flatMap(name -> named(name, all).stream())
        .toList();
  }

  /// {@return the workload with a name, or the workloads whose names begin with it}
  private static List<Workload> named(String name, List<Workload> all) {
    List<Workload> found =
        all.stream()
            .filter(each -> each.name().equals(name) || each.name().startsWith(name + "-"))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          all.stream()
              .map(Workload::name)
              .collect(
                  Collectors.joining(
                      ", ", "there is no workload '" + name + "'; take all, or of ", "")));
    }
    return found;
  }

  /// {@return the facts about a run}
  static Map<String, String> facts(String names, List<Workload> chosen, int done, Duration took) {
    String fewer =
        chosen.stream()
            .filter(workload -> workload.forks() != Workload.FORKS)
            .map(workload -> workload.name() + " " + workload.forks())
            .collect(Collectors.joining(", "));
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "run",
        "one, %d of %d workloads in %d min %d s"
            .formatted(done, chosen.size(), took.toMinutes(), took.toSecondsPart()));
    facts.put("command", "`mvn -q -pl benchmarks -am compile -Dbench=" + names + "`");
    facts.put("forks", Workload.FORKS + (fewer.isEmpty() ? "" : "; " + fewer));
    return facts;
  }

  /// An action after each workload.
  @FunctionalInterface
  interface Keep {

    /// Called after each workload.
    ///
    /// @param done the number of ended workloads
    void after(int done) throws IOException;
  }

  /// Runs one workload after another, even if some fail.
  static void run(List<Workload> workloads, Results results, Keep keep) throws IOException {
    int done = 0;
    for (Workload workload : workloads) {
      long before = System.nanoTime();
      try {
        workload.run(results);
      } catch (Exception e) {
        e.printStackTrace();
        results.fail(workload.name(), e.toString());
      }
      long seconds = Duration.ofNanos(System.nanoTime() - before).toSeconds();
      System.out.printf("%n# %s took %d s%n", workload.name(), seconds);
      keep.after(++done);
    }
  }

  private static void write(Results results, Machine machine, Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("results.json"), json(results, machine));
    String table = Table.of(results, machine);
    if (Growth.isIn(results)) {
      table += Growth.table(results);
      Files.writeString(folder.resolve("growth.svg"), GrowthPicture.of(results));
    }
    Files.writeString(folder.resolve("results.md"), table);
  }

  /// Copies the picture of a run of all workloads to the folder that the documentation links to.
  private static void keep(Path picture) throws IOException {
    if (Files.exists(picture)) {
      Files.createDirectories(KEPT);
      Files.copy(picture, KEPT.resolve(picture.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  static String json(Results results, Machine machine) {
    var facts = new JsonObject();
    machine.facts().forEach(facts::addProperty);
    var rows = new JsonArray();
    for (Row row : results.rows()) {
      rows.add(json(row, results));
    }
    var failures = new JsonArray();
    results.failures().forEach(note -> failures.add(note.workload() + ": " + note.why()));
    var skipped = new JsonArray();
    results.skipped().forEach(note -> skipped.add(note.workload() + ": " + note.why()));
    var all = new JsonObject();
    all.add("machine", facts);
    all.add("failures", failures);
    all.add("skipped", skipped);
    all.add("rows", rows);
    all.add("jmh", jmh(results));
    return new GsonBuilder().setPrettyPrinting().create().toJson(all) + "\n";
  }

  private static JsonObject json(Row row, Results results) {
    Numbers numbers = results.numbers(row);
    var samples = new JsonArray();
    numbers.values().forEach(samples::add);
    var json = new JsonObject();
    json.addProperty("workload", row.workload());
    json.addProperty("params", row.params());
    json.addProperty("who", row.who());
    json.addProperty("measure", row.measure());
    json.addProperty("median", numbers.median());
    json.add("samples", samples);
    results.allocated(row).ifPresent(bytes -> json.addProperty("allocatedBytesPerOp", bytes));
    results
        .bestPeer(row)
        .ifPresent(peer -> {
          json.addProperty("bestPeer", peer.who());
          addRatio(json, "toBestPeer", results.ratio(row, peer));
        });
    results.limit(row).ifPresent(limit -> addRatio(json, "toLimit", results.ratio(row, limit)));
    return json;
  }

  /// Adds a number if JSON can represent it, unlike the result of a division by zero.
  private static void addRatio(JsonObject json, String name, double ratio) {
    if (Double.isFinite(ratio)) {
      json.addProperty(name, ratio);
    }
  }

  private static JsonElement jmh(Results results) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results.jmh());
    }
    return JsonParser.parseString(bytes.toString(StandardCharsets.UTF_8));
  }
}
