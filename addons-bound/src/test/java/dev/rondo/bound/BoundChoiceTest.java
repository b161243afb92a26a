package dev.rondo.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// When BOUND is the default, and what is said where it is not available. Each choice is made in a
/// child JVM, with other flags.
class BoundChoiceTest {

  private static final String OPEN_VM = "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED";
  private static final String OPEN = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /// Prints what it finds, one line each.
  static final class Child {
    public static void main(String[] args) throws InterruptedException {
      if (Boolean.getBoolean("virtual")) {
        Thread.ofVirtual().name("v").start(Child::buildTwo).join();
        return;
      }
      try {
        System.out.println("bound: " + CoroutineBackends.named("bound").name());
      } catch (UnsupportedOperationException e) {
        System.out.println("bound: " + e.getMessage());
      }
      buildTwo();
    }

    private static void buildTwo() {
      for (int i = 0; i < 2; i++) {
        try (Scheduler scheduler = Scheduler.create()) {
          System.out.println("default: " + LoopControl.of(scheduler.host()).backend().name());
          scheduler.spawn(() -> {
            scheduler.yield();
            System.out.println("a task ran");
          });
          scheduler.start();
        }
      }
    }
  }

  private static List<String> child(String... flags) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(flags));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Child.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertEquals(0, process.waitFor(), lines.toString());
    return lines;
  }

  private static void assertLines(int expected, List<String> lines, String... parts) {
    long found =
        lines.stream().filter(line -> Arrays.stream(parts).allMatch(line::contains)).count();
    assertEquals(expected, found, Arrays.toString(parts) + " in " + lines);
  }

  @Test
  void choice_withJavaLangOpen_boundIsTheDefault() throws Exception {
    List<String> lines = child(OPEN);
    assertLines(1, lines, "bound: BOUND");
    assertLines(2, lines, "default: BOUND");
    assertLines(2, lines, "a task ran");
  }

  @Test
  void choice_withBothOpen_continuationIsTheDefault() throws Exception {
    assertLines(2, child(OPEN, OPEN_VM), "default: CONTINUATION");
  }

  @Test
  void choice_byProperty_isTaken() throws Exception {
    assertLines(2, child(OPEN_VM, OPEN, "-Drondo.backend=Bound"), "default: BOUND");
  }

  @Test
  void choice_withoutFlags_namesTheFlag() throws Exception {
    List<String> lines = child();
    String said =
        "the BOUND backend needs the JVM flag --add-opens java.base/java.lang=ALL-UNNAMED";
    assertLines(1, lines, "bound: " + said);
    assertLines(1, lines, "HANDOFF backend", said);
    assertLines(2, lines, "default: HANDOFF");
  }

  @Test
  void choice_onAVirtualThread_anotherByProperty_isReportedOnce() throws Exception {
    List<String> lines = child(OPEN, "-Drondo.backend=bound", "-Dvirtual=true");
    assertLines(2, lines, "default: HANDOFF");
    assertLines(1, lines, "WARN", "HANDOFF although -Drondo.backend asks for BOUND", "'v'");
  }

  @Test
  void build_onAVirtualThread_isRefused() {
    var done = new CompletableFuture<IllegalStateException>();
    Thread.startVirtualThread(() -> {
      CoroutineBackend bound = CoroutineBackends.bound();
      try {
        done.complete(
            assertThrows(
                IllegalStateException.class, () -> Scheduler.builder().backend(bound).build()));
      } catch (Throwable e) {
        done.completeExceptionally(e);
      }
    });
    String said = done.join().getMessage();
    assertTrue(said.contains("HANDOFF"), said);
  }
}
