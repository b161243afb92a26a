package dev.rondo.benchmarks.load;

import com.google.common.base.Splitter;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The generator `h2load`: HTTP/2 with prior knowledge, on 8 connections of 32 streams each.
public final class H2load {

  static final int CONNECTIONS = 8;
  static final int STREAMS = 32;

  /// The fields of a log line: the start of a request, its status, and its microseconds.
  private static final int STATUS = 1;

  private static final int MICROS = 2;

  private H2load() {}

  /// {@return why `h2load` cannot be used; empty if it can}
  static String whyNot() throws InterruptedException {
    return Wrk.isThere("h2load")
        ? ""
        : "h2load is not installed (the Debian package is called nghttp2-client)";
  }

  /// Requests a page for some seconds.
  static LoadReport run(ServerProcess server, int seconds, String path) throws IOException {
    Path log = Files.createTempFile("h2load", ".log");
    try {
      String output =
          Wrk.output(
              List.of(
                  "taskset",
                  "-c",
                  Wrk.GENERATOR_CORE,
                  "h2load",
                  "-t1",
                  "-c" + CONNECTIONS,
                  "-m" + STREAMS,
                  "-D" + seconds,
                  "--log-file=" + log,
                  "http://127.0.0.1:" + server.port() + path));
      return report(server.who(), Files.readAllLines(log), seconds, output);
    } finally {
      Files.delete(log);
    }
  }

  /// @throws IOException if there was no request, or one has failed
  static LoadReport report(String who, List<String> log, int seconds, String output)
      throws IOException {
    long[] micros = new long[log.size()];
    for (int i = 0; i < micros.length; i++) {
      List<String> fields = Splitter.on('\t').splitToList(log.get(i));
      if (!fields.get(STATUS).equals("200")) {
        throw new IOException(who + " has answered " + log.get(i) + ": " + output);
      }
      micros[i] = Long.parseLong(fields.get(MICROS));
    }
    if (micros.length == 0) {
      throw new IOException(who + " has not answered h2load: " + output);
    }
    Arrays.sort(micros);
    return new LoadReport(
        micros.length,
        (double) micros.length / seconds,
        micros[(int) (micros.length * 0.5)],
        micros[(int) (micros.length * 0.99)],
        micros[(int) (micros.length * 0.999)]);
  }
}
