package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent in a JVM of its own, with a program that has worlds.
final class OutsideAgentTest {

  private static final String PROGRAM = "com.acme.store.OutsideProgram";

  @TempDir private Path folder;

  /// {@return the lines that the program prints below each `== name`}
  private static Map<String, String> run(List<String> flags, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED"));
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath(), PROGRAM));
    command.addAll(List.of(arguments));
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, child.waitFor(), said);
    Map<String, String> parts = new LinkedHashMap<>();
    for (String part : said.split("(?m)^== ", -1)) {
      int end = part.indexOf('\n');
      parts.put(end < 0 ? part : part.substring(0, end), part.substring(end + 1).strip());
    }
    return parts;
  }

  /// All that this JVM has on its paths.
  private static String classPath() {
    return Stream.of("jdk.module.path", "java.class.path")
        .map(name -> System.getProperty(name, ""))
        .filter(path -> !path.isEmpty())
        .collect(
            Collectors.joining(
                File.pathSeparator, Path.of("target", "test-classes") + File.pathSeparator, ""));
  }

  private Path agent() throws IOException {
    Path jar = folder.resolve("agent.jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      OutsideAgent.writeJar(out);
    }
    return jar;
  }

  private static void assertFails(String call, String method, String said) {
    assertTrue(
        said.contains(
            "host 'store', task 'main': " + SimulationFailedError.class.getName() + ": " + call),
        said);
    assertTrue(said.contains("\nat com.acme.store.OutsideProgram" + method), said);
    assertTrue(said.contains("(OutsideProgram.java:"), said);
  }

  @Test
  void javaagent_callsOfTasks_failTheRun_withTheirStack() throws Exception {
    Map<String, String> said = run(List.of("-javaagent:" + agent()));
    assertEquals("is there", said.get("agent"));
    String clock = "java.lang.System.nanoTime() reads the real clock";
    assertFails(clock, ".lambda$main$", said.get("clock"));
    assertFails(
        "java.time.Instant.now() reads the real clock", ".rondo$reference$", said.get("reference"));
    assertFails(
        "java.util.Random.<init>() draws from no seed", ".lambda$main$", said.get("random"));
    assertFails(
        "java.lang.Thread.<init>(java.lang.Runnable) uses another thread",
        ".lambda$main$",
        said.get("thread"));
    assertFails(
        "java.util.concurrent.CyclicBarrier.await() blocks all hosts in real time",
        ".lambda$main$",
        said.get("barrier"));
    assertFails(
        "java.nio.channels.SocketChannel.open() uses the real network",
        ".lambda$main$",
        said.get("socket"));
    assertFails(clock, ".lambda$main$", said.get("bound"));
    assertFails(
        "java.lang.System.currentTimeMillis() reads the real clock",
        ".lambda$main$",
        said.get("excepted others"));
    for (String harmless : List.of("blocking", "future", "none", "warning", "ignoring", "except")) {
      assertTrue(said.get(harmless).endsWith("ended"), said.get(harmless));
    }
    assertEquals("nothing", said.get("between"));
    assertEquals(
        2, // before it and after it
        said.get("warning").split("a call leaves the simulation", -1).length,
        said.get("warning"));
  }

  @Test
  void attach_whereAllowed_seesClassesThatWereLoadedBefore() throws Exception {
    Map<String, String> said =
        run(
            List.of("-Djdk.attach.allowAttachSelf=true", "-XX:+EnableDynamicAgentLoading"),
            "attach");
    assertEquals("is there", said.get("agent"));
    assertFails("java.lang.System.currentTimeMillis() reads", "$Loaded.now", said.get("loaded"));
    assertFails("java.util.Random.<init>() draws", ".lambda$main$", said.get("random"));
  }

  @Test
  void attach_refusedByTheJvm_saysWhatToDo() {
    var e = assertThrows(IOException.class, OutsideAgent::attach);
    assertTrue(e.getMessage().contains("-javaagent:"), e::getMessage);
    assertFalse(OutsideAgent.isLoaded());
  }

  @Test
  void outsideCalls_withoutAgent_isRefused_unlessIgnored() {
    try (World world = World.withSeed(1)) {
      var e =
          assertThrows(IllegalStateException.class, () -> world.outsideCalls(OutsidePolicy.FAIL));
      assertTrue(e.getMessage().contains("OutsideAgent.attach()"), e::getMessage);
      assertThrows(IllegalStateException.class, () -> world.outsideCalls(OutsidePolicy.WARN));
      World _ = world.outsideCalls(OutsidePolicy.IGNORE);
    }
  }
}
