package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Three processes, of which two are killed.
@Execution(ExecutionMode.CONCURRENT)
final class ProcessesTest {

  private static final int HANG_SECONDS = 200;

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

    /// Reads until it has these members, in any order: founders that missed each other become one
    /// cluster later.
    void awaitMembers(String... names) throws IOException {
      Set<String> seen;
      do {
        String line = awaitLine("members [");
        seen = Set.of(line.substring(0, line.length() - 1).split(", ", -1));
      } while (!seen.equals(Set.of(names)));
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
      each.awaitMembers("a", "b", "c");
    }
    var _ = b.process().destroyForcibly();
    a.awaitMembers("a", "c");
    c.awaitMembers("a", "c");
    Node again = start("b", port);
    for (Node each : List.of(a, c, again)) {
      each.awaitMembers("a", "b", "c");
    }
    var _ = a.process().destroyForcibly();
    for (Node each : List.of(c, again)) {
      each.awaitMembers("b", "c");
    }
  }
}
