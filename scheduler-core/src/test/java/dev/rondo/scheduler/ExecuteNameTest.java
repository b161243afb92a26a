package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The names of the tasks of [Scheduler#execute]: made from the runnable, on demand.
class ExecuteNameTest extends SchedulerTest {

  /// Counts the calls of its `toString()`.
  private static class Command implements Runnable {

    int asked;

    @Override
    public void run() {}

    @Override
    public String toString() {
      return "command " + ++asked;
    }
  }

  @Test
  void execute_nobodyLooks_theRunnableIsNotAskedForItsName() {
    var command = new Command();
    scheduler.execute(command);
    drive();
    assertEquals(0, command.asked);
  }

  @Test
  void execute_shownAgainAndAgain_theNameStaysTheSame() {
    scheduler.execute(new Command());
    for (int i = 0; i < 2; i++) {
      assertEquals("execute command 1", scheduler.tasks().getLast().name());
    }
    drive();
  }

  @Test
  void execute_runnableFails_theReportNamesIt() {
    var failure = new IllegalStateException("on purpose");
    scheduler.execute(
        new Command() {
          @Override
          public void run() {
            throw failure;
          }
        });
    drive();
    assertEquals(List.of(new Reported("task 'execute command 1'", failure)), takeReported());
  }
}
