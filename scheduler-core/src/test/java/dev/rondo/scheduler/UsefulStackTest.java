package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The useful part of a task's stack begins with the code of the program.
class UsefulStackTest extends SchedulerTest {

  private void assertHasNoMachinery(String name) {
    TaskInfo task =
        scheduler.tasks().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    List<String> frames = task.usefulStack().stream().map(StackTraceElement::getClassName).toList();
    assertTrue(frames.contains(UsefulStackTest.class.getName()), frames::toString);
    assertFalse(
        frames.stream().anyMatch(each -> each.endsWith(".engine.StackfulTask")), frames::toString);
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
}
