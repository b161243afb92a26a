package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.observe.TaskInfo;
import dev.rondo.scheduler.testing.LastFrames;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The two halves of a wait are calls that are not inlined. Nobody should notice that.
class OutOfLineTest extends SchedulerTest {

  private void assertHasNoMachinery(String name) {
    TaskInfo task =
        scheduler.tasks().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    List<String> frames = task.usefulStack().stream().map(StackTraceElement::getClassName).toList();
    assertTrue(frames.contains(OutOfLineTest.class.getName()), frames::toString);
    assertFalse(frames.stream().anyMatch(each -> each.endsWith(".OutOfLine")), frames::toString);
  }

  @Test
  void usefulStack_ofATaskThatGivesWayAsItBeginsToWait_isOfTheProgram() {
    Task<Integer> ended = scheduler.spawn("ended", () -> 7);
    Task<?> busy =
        scheduler.spawn(
            "busy",
            () -> {
              while (true) {
                scheduler.await(ended);
              }
            });
    scheduler.spawn(
        "asks",
        () -> {
          scheduler.yield();
          scheduler.yield();
          assertHasNoMachinery("busy");
          busy.cancel("enough");
        });
    scheduler.start();
  }

  @Test
  void usefulStack_ofATaskThatWaitsInTheMapOfItsWait_isOfTheProgram() {
    Task<Integer> first = scheduler.spawn("first", () -> 7);
    Task<?> never = scheduler.spawn("never", () -> scheduler.suspend());
    scheduler.spawn(
        "mapper",
        () ->
            scheduler.await(
                first.map(value -> {
                  never.join();
                  return value;
                })));
    scheduler.spawn(
        "asks",
        () -> {
          scheduler.yield();
          scheduler.yield();
          assertHasNoMachinery("mapper");
          scheduler.scheduleTask(never);
        });
    scheduler.start();
  }

  /// The first waits of the JVM come when the stack is exhausted, once where they have to park and
  /// once where they do not.
  static final class Exhausting {

    private static final int LAST_FRAMES = 300;

    private static final WaitQueueEvent EVENT = new WaitQueueEvent();
    private static boolean over;

    /// Waits on a new scheduler.
    ///
    /// @param args the name of the backend
    public static void main(String[] args) {
      try (var scheduler = Scheduler.builder().backend(CoroutineBackends.named(args[0])).build()) {
        Task<Integer> one = scheduler.spawn("one", () -> 1);
        scheduler.spawn(
            "other",
            () -> {
              while (!over) {
                EVENT.fireAll("fired");
                scheduler.yield();
              }
            });
        Task<Void> deep =
            scheduler.spawn(
                "deep",
                () -> {
                  new LastFrames(LAST_FRAMES).run(() -> scheduler.await(EVENT));
                  System.out.println(scheduler.currentTask().taskState());
                  new LastFrames(LAST_FRAMES).run(one::join);
                  scheduler.yield();
                  over = true;
                });
        scheduler.start();
        deep.join();
        scheduler.spawn(
            "joins",
            () -> System.out.println("joined " + scheduler.spawn("later", () -> 7).join()));
        scheduler.start();
      }
    }
  }

  @Test
  void firstWait_onAnExhaustedStack_leavesLaterOnesWhole() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Exhausting.class.getName(),
                scheduler.host().backend().name())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertTrue(output.lines().anyMatch("RUNNING"::equals), output);
    assertTrue(output.contains("joined 7"), output);
  }
}
