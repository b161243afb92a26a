package dev.rondo.benchmarks.load;

import com.google.common.base.Splitter;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The generator `wrk`, with 64 kept connections on one thread.
public final class Wrk {

  static final int CONNECTIONS = 64;
  static final String GENERATOR_CORE = "1";

  private static final String MARK = "@report ";
  private static final double MICROS_PER_SECOND = 1e6;

  /// Run by `wrk` at its end.
  private static final String SCRIPT =
      """
      done = function(summary, latency, requests)
        local e = summary.errors
        io.write(string.format("@report %d %d %d %d %d %d\\n",
          summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
          latency:percentile(99.9), e.connect + e.read + e.write + e.status + e.timeout))
      end
      """;

  private Wrk() {}

  /// {@return why `wrk` cannot be used; empty if it can}
  static String whyNot() throws InterruptedException {
    return isThere("wrk") ? "" : "wrk is not installed (the Debian package is called wrk)";
  }

  static boolean isThere(String program) throws InterruptedException {
    try {
      new ProcessBuilder(program, "-v")
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Requests a page for some seconds.
  ///
  /// @param cores of the generator, in the form of `taskset`
  /// @param scheme `http` or `https`
  static LoadReport run(ServerProcess server, String cores, int seconds, String scheme, String path)
      throws IOException {
    Path script = Files.createTempFile("wrk", ".lua");
    try {
      Files.writeString(script, SCRIPT);
      String report =
          output(
              List.of(
                  "taskset",
                  "-c",
                  cores,
                  "wrk",
                  "-t1",
                  "-c" + CONNECTIONS,
                  "-d" + seconds + "s",
                  "-s" + script,
                  scheme + "://127.0.0.1:" + server.port() + path));
      return parse(server.who(), report);
    } finally {
      Files.delete(script);
    }
  }

  static String output(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  /// @throws IOException if there is no report, or a request has failed; it may report no answer at
  ///   all
  static LoadReport parse(String who, String output) throws IOException {
    int begin = output.indexOf(MARK);
    if (begin < 0) {
      throw new IOException("wrk did not report on " + who + ": " + output);
    }
    String line = output.substring(begin + MARK.length()).lines().findFirst().orElse("");
    List<Double> numbers =
        Splitter.on(' ').splitToStream(line.strip()).map(Double::valueOf).toList();
    double requests = numbers.get(0);
    if (numbers.get(5) > 0) {
      throw new IOException(who + ": " + output);
    }
    return new LoadReport(
        requests,
        requests / numbers.get(1) * MICROS_PER_SECOND,
        numbers.get(2),
        numbers.get(3),
        numbers.get(4));
  }
}
