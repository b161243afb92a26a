package dev.rondo.scheduler.coroutine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Which backends are available: with the flags in this JVM, without them in a child JVM. Those of
/// BOUND are tests of its module.
class BackendChoiceTest {

  private static final String EXPORT = "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED";
  private static final String OPEN_VM = "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED";

  /// Prints what it finds, one line each.
  static final class Child {
    public static void main(String[] args) throws InterruptedException {
      if (Boolean.getBoolean("virtual")) {
        Thread.ofVirtual().name("v").start(Child::buildTwo).join();
        return;
      }
      for (String name : List.of("continuation", "bound", "handoff")) {
        try {
          System.out.println(name + ": " + CoroutineBackends.named(name).name());
          if (name.equals("continuation")) {
            System.out.println("direct: " + DirectSwitch.isAvailable());
          }
        } catch (UnsupportedOperationException e) {
          System.out.println(name + ": " + e.getMessage());
        }
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
        } catch (RuntimeException e) {
          System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
          System.out.println("said " + timesSaid(e) + " times");
        }
      }
    }

    private static long timesSaid(Throwable failure) {
      return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
          .filter(each -> failure.getMessage().equals(each.getMessage()))
          .count();
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

  private static void assertOneLine(List<String> lines, String... parts) {
    long found =
        lines.stream().filter(line -> Arrays.stream(parts).allMatch(line::contains)).count();
    assertEquals(1, found, Arrays.toString(parts) + " in " + lines);
  }

  @Test
  void choice_withoutFlags_handoffIsTheDefaultAndTheFlagsAreNamed() throws Exception {
    List<String> lines = child();
    assertOneLine(lines, "continuation: ", OPEN_VM.replace('=', ' ').replace(" ALL", "=ALL"));
    assertOneLine(lines, "bound: ", "rondo-addons-bound", "--add-opens java.base/java.lang=ALL-");
    assertOneLine(lines, "handoff: HANDOFF");
    assertOneLine(lines, "HANDOFF backend", "the BOUND backend needs", "--add-opens");
    assertEquals(2, lines.stream().filter("default: HANDOFF"::equals).count(), lines.toString());
    assertEquals(2, lines.stream().filter("a task ran"::equals).count(), lines.toString());
  }

  @Test
  void choice_withTheExport_continuationIsTheDefault() throws Exception {
    List<String> lines = child(EXPORT);
    assertOneLine(lines, "continuation: CONTINUATION");
    assertOneLine(lines, "direct: false");
    assertEquals(
        2, lines.stream().filter("default: CONTINUATION"::equals).count(), lines.toString());
    assertEquals(2, lines.stream().filter("a task ran"::equals).count(), lines.toString());
  }

  @Test
  void choice_withThePackageOpen_switchesAreDirect() throws Exception {
    List<String> lines = child(OPEN_VM);
    assertOneLine(lines, "continuation: CONTINUATION");
    assertOneLine(lines, "direct: " + DirectSwitch.isAvailable()); // as in this JVM
    assertEquals(2, lines.stream().filter("a task ran"::equals).count(), lines.toString());
  }

  @Test
  void choice_byPropertyWithoutItsFlag_isRefused() throws Exception {
    List<String> lines = child("-Drondo.backend=continuation");
    assertEquals(
        2,
        lines.stream()
            .filter(line -> line.startsWith("UnsupportedOperationException: "))
            .filter(line -> line.contains("--add-opens java.base/jdk.internal.vm="))
            .count(),
        lines.toString());
    assertSaidOnce(lines);
  }

  /// The trace of the failure does not repeat its message in each cause.
  private static void assertSaidOnce(List<String> lines) {
    assertEquals(2, lines.stream().filter("said 1 times"::equals).count(), lines.toString());
  }

  @Test
  void choice_byUnknownProperty_namesTheKnown() throws Exception {
    List<String> lines = child("-Drondo.backend=fibre");
    assertEquals(
        2,
        lines.stream()
            .filter(line -> line.startsWith("IllegalArgumentException: "))
            .filter(line -> line.contains("'fibre'") && line.contains("handoff"))
            .count(),
        lines.toString());
    assertSaidOnce(lines);
  }

  @Test
  void choice_onAVirtualThread_anotherByProperty_isReportedOnce() throws Exception {
    List<String> lines = child(EXPORT, "-Drondo.backend=continuation", "-Dvirtual=true");
    assertEquals(2, lines.stream().filter("default: HANDOFF"::equals).count(), lines.toString());
    assertOneLine(lines, "WARN", "HANDOFF although -Drondo.backend asks for CONTINUATION", "'v'");
  }

  @Test
  void choice_onAVirtualThread_unusableByProperty_isRefused() throws Exception {
    for (String name : List.of("fibre", "continuation")) {
      List<String> lines = child("-Drondo.backend=" + name, "-Dvirtual=true");
      String expected = name.equals("fibre") ? "'fibre'" : "--add-opens";
      assertEquals(
          2,
          lines.stream()
              .filter(line -> line.contains("Exception: ") && line.contains(expected))
              .count(),
          lines.toString());
    }
  }

  @Test
  void named_knownAndUnknown() {
    assertSame(CoroutineBackends.handoff(), CoroutineBackends.named("HandOff"));
    assertThrows(IllegalArgumentException.class, () -> CoroutineBackends.named(""));
    assertThrows(NullPointerException.class, () -> CoroutineBackends.named(null));
  }

  @Test
  void build_onAVirtualThread_takesHandoffAndRefusesOthers() {
    var done = new CompletableFuture<String>();
    Thread.startVirtualThread(() -> {
      try {
        CoroutineBackend refused = CoroutineBackends.continuation();
        var told =
            assertThrows(
                IllegalStateException.class, () -> Scheduler.builder().backend(refused).build());
        assertTrue(told.getMessage().contains("HANDOFF"), told.getMessage());
        try (Scheduler scheduler = Scheduler.create()) {
          assertEquals("HANDOFF", LoopControl.of(scheduler.host()).backend().name());
          var task =
              scheduler.spawn(() -> {
                scheduler.yield();
                return "ran";
              });
          scheduler.start();
          done.complete(task.join());
        }
      } catch (Throwable e) {
        done.completeExceptionally(e);
      }
    });
    try {
      assertEquals("ran", done.join());
    } catch (CompletionException e) {
      throw new AssertionError(e.getCause());
    }
  }
}
