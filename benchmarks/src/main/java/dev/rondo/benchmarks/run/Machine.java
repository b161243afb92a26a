package dev.rondo.benchmarks.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/// The machine and the versions that a run used.
///
/// @param facts names and values, in the order of printing
record Machine(Map<String, String> facts) {

  static Machine current() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("commit", command("git", "rev-parse", "HEAD") + changed());
    facts.put(
        "processor", processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
    facts.put("memory", memory());
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put(
        "JDK",
        System.getProperty("java.vm.vendor") + " " + System.getProperty("java.runtime.version"));
    return new Machine(facts);
  }

  /// {@return the same facts after others}
  Machine after(Map<String, String> first) {
    Map<String, String> all = new LinkedHashMap<>(first);
    all.putAll(facts);
    return new Machine(all);
  }

  private static String changed() {
    return command("git", "status", "--porcelain", "--untracked-files=no").isEmpty()
        ? ""
        : ", and uncommitted changes";
  }

  private static String processor() {
    return firstLine("/proc/cpuinfo", "model name");
  }

  private static String memory() {
    return firstLine("/proc/meminfo", "MemTotal");
  }

  private static String firstLine(String file, String name) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String command(String... words) {
    try {
      Process process =
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
