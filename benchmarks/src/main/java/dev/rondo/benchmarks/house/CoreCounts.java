package dev.rondo.benchmarks.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Counts the size of the core and the dependencies between its types.
///
/// A line of code is neither blank nor only a comment. [Grain] defines types and references.
final class CoreCounts {

  private static final String ROOT = "dev/rondo/scheduler";
  private static final Pattern NO_CODE = Pattern.compile("\\s*(//|\\*|/\\*|$).*");

  /// The rooms: packages, and public types that offer a room to programs. The kernel must not name
  /// them.
  private static final List<String> ROOMS =
      List.of(
          ROOT + "/engine/outside",
          ROOT + "/engine/scope",
          ROOT + "/engine/select",
          ROOT + "/engine/closing",
          ROOT + "/engine/cycles",
          ROOT + "/engine/host",
          ROOT + "/engine/lazy",
          ROOT + "/engine/policy",
          ROOT + "/engine/queue",
          ROOT + "/engine/rooms",
          ROOT + "/engine/shutdown",
          ROOT + "/engine/succession",
          ROOT + "/engine/thread",
          ROOT + "/engine/view",
          ROOT + "/coroutine/handoff",
          ROOT + "/internal/rooms",
          ROOT + "/addon/SchedulingPolicies");

  private CoreCounts() {}

  /// {@return the counts by name}
  ///
  /// @param module the folder of the core, built
  static SortedMap<String, Integer> of(Path module) throws IOException {
    var counts = new TreeMap<String, Integer>();
    Path sources = module.resolve("src/main/java");
    try (Stream<Path> files = Files.walk(sources.resolve(ROOT))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String place = sources.relativize(file.getParent()).toString().replace('/', '.');
        int lines = lines(file);
        counts.merge("lines of " + place, lines, Integer::sum);
        counts.merge("files of " + place, 1, Integer::sum);
        counts.merge("lines of the core", lines, Integer::sum);
        counts.merge("files of the core", 1, Integer::sum);
      }
    }
    SortedMap<String, Set<String>> types = Grain.references(module.resolve("target/classes"));
    counts.put("types in the largest cycle", Grain.largestCycle(types));
    counts.put("references against the grain", Grain.backward(types, Grain.order(types)));
    counts.put("references from the kernel to rooms", toRooms(types));
    return counts;
  }

  private static int lines(Path file) throws IOException {
    return (int)
        Files.readAllLines(file).stream().filter(line -> !NO_CODE.matcher(line).matches()).count();
  }

  private static int toRooms(Map<String, Set<String>> types) {
    int count = 0;
    for (Map.Entry<String, Set<String>> each : types.entrySet()) {
      if (!isInRoom(each.getKey())) {
        count += (int) each.getValue().stream().filter(CoreCounts::isInRoom).count();
      }
    }
    return count;
  }

  private static boolean isInRoom(String type) {
    return ROOMS.contains(type) || ROOMS.contains(type.substring(0, type.lastIndexOf('/')));
  }

  /// Reads counts, one to a line: a name, a tab and a number.
  static SortedMap<String, Integer> read(Path file) throws IOException {
    var counts = new TreeMap<String, Integer>();
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("#")) {
        int end = line.indexOf('\t');
        counts.put(line.substring(0, end), Integer.valueOf(line.substring(end + 1)));
      }
    }
    return counts;
  }

  /// {@return the counts that exceed the counts of the file by more than a percentage, each with
  /// both values, and the counts that the file does not have}
  ///
  /// @param percent by which a count may be larger
  static SortedMap<String, String> grown(
      Map<String, Integer> kept, Map<String, Integer> counts, int percent) {
    var grown = new TreeMap<String, String>();
    var allowed = new HashMap<String, Integer>(kept);
    counts.forEach((name, count) -> {
      Integer before = allowed.get(name);
      if (before == null || count > before + before * percent / 100) {
        grown.put(name, before + " -> " + count);
      }
    });
    return grown;
  }
}
