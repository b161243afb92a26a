package dev.rondo.simulation.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The agent and its flags, each time in a JVM of its own.
@Timeout(300) // each of the JVMs that it starts takes many times as long on a busy machine
final class AgentTest {

  private static final List<String> OPENED =
      List.of("-XX:TieredStopAtLevel=1", "--add-opens=java.base/java.lang=ALL-UNNAMED");
  private static final String AGENT = "-javaagent:" + Path.of("target", "agent.jar");
  private static final List<String> EQUAL_HASH_CODES =
      List.of("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2");

  /// {@return the last line that the program has printed}
  private static String run(List<String> flags) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPENED);
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "com.acme.threads.Alone"));
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, child.waitFor(), said);
    return said.lines().toList().getLast();
  }

  @Test
  void in_withoutTheAgent_namesIt() throws Exception {
    String said = run(EQUAL_HASH_CODES);
    assertTrue(said.contains("-javaagent:rondo-addons-blocking.jar"), said);
  }

  @Test
  void in_withoutTheFlagOfHashCodes_namesIt() throws Exception {
    String said = run(List.of(AGENT));
    assertTrue(said.contains("-XX:hashCode=2"), said);
  }

  @Test
  void run_withTheSameSeed_isTheSameInEachJvm() throws Exception {
    var flags = new ArrayList<>(EQUAL_HASH_CODES);
    flags.add(AGENT);
    String first = run(flags);
    assertTrue(first.startsWith("[") && first.endsWith("]"), first);
    String[] runs = first.split("] \\[", -1);
    assertEquals(runs[0] + "]", "[" + runs[1], "two runs in one JVM");
    assertEquals(first, run(flags));
  }
}
