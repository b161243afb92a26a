package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Three processes, of which two are killed.
@Execution(ExecutionMode.CONCURRENT)
final class ProcessesTest {

  private static final int HANG_SECONDS = 60;

  private final Deque<Process> processes = new ArrayDeque<>();

  /// A member's process and what it prints.
  private record Node(Process process, BufferedReader out) {

    /// Reads until a line is there.
    String awaitLine(String start) throws IOException {
      for (String line; (line = out.readLine()) != null; ) {
        if (line.startsWith(start)) {
          return line.substring(start.length());
        }
      }
      throw new IOException("ended before it printed: " + start);
    }
  }

  private Node start(String name, String port) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                "-cp",
                System.getProperty("java.class.path"),
                ClusterProcess.class.getName(),
                name,
                port)
            .redirectError(
                ProcessBuilder.Redirect.to(new File("target", "process-" + name + ".txt")))
            .start();
    processes.push(process);
    return new Node(process, process.inputReader());
  }

  @AfterEach
  void endAll() throws InterruptedException {
    processes.forEach(Process::destroyForcibly);
    for (Process each : processes) {
      assertTrue(each.waitFor(HANG_SECONDS, TimeUnit.SECONDS));
    }
  }

  @Test
  @Timeout(2 * HANG_SECONDS)
  void aMemberThatIsKilled_leaves_andComesBack_andTheFounderMayBeKilled() throws Exception {
    Node a = start("a", "0");
    String port = a.awaitLine("port ");
    Node b = start("b", port);
    Node c = start("c", port);
    for (Node each : List.of(a, b, c)) {
      String all;
      do {
        all = each.awaitLine("members ");
      } while (all.split(",", -1).length < 3);
    }
    var _ = b.process().destroyForcibly();
    String withoutB = a.awaitLine("members ");
    assertTrue(withoutB.equals("[a, c]"), withoutB);
    var _ = c.awaitLine("members [a, c]");
    Node again = start("b", port);
    for (Node each : List.of(a, c, again)) {
      var _ = each.awaitLine("members [a, c, b]");
    }
    var _ = a.process().destroyForcibly();
    for (Node each : List.of(c, again)) {
      var _ = each.awaitLine("members [c, b]");
    }
  }
}
