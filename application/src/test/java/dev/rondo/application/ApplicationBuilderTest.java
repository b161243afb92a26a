package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.observe.Observers;
import dev.rondo.observe.TaskLimits;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Building an application, and its remains when that fails.
final class ApplicationBuilderTest {

  private final List<String> log = new ArrayList<>();

  private final class Closed implements AddOn {

    @Override
    public StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }

    @Override
    public void close() {
      log.add("closed");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void addOn_functionReturnsNull_isRefusedByName() {
    ApplicationBuilder builder = Application.builder().addOn(scheduler -> null);
    var refused = assertThrows(NullPointerException.class, builder::build);
    assertEquals("the function given to addOn(..) returned null", refused.getMessage());
  }

  /// The module of the inspector is not on the path of these tests.
  @Test
  void inspector_withoutItsArtifact_isRefusedAndNamesTheArtifact() {
    ApplicationBuilder builder = Application.builder().inspector(0);
    var refused = assertThrows(IllegalStateException.class, builder::build);
    assertEquals(
        "an inspector needs the artifact dev.rondo:rondo-inspector on the path",
        refused.getMessage());
  }

  @Test
  void build_anAddOnCannotBeMade_closesTheOthersAndThrowsThat() {
    var failure = new IllegalStateException("no such device");
    var builder =
        Application.builder()
            .clock(new VirtualClock())
            .bare()
            .addOn(scheduler -> new Closed())
            .addOn(scheduler -> {
              throw failure;
            });
    assertSame(failure, assertThrows(IllegalStateException.class, builder::build));
    assertEquals(List.of("closed"), log);
  }

  @Test
  void observers_laterSettings_areThoseOfTheApplication() {
    var builder =
        Application.builder()
            .clock(new VirtualClock())
            .bare()
            .observers(observers -> observers.taskLimits(TaskLimits.UNLIMITED.turns(3)))
            .observers(Observers::taskMetrics)
            .failureHandler((where, failure) -> log.add(failure.getMessage()));
    try (Application app = builder.build()) {
      app.start(self -> {
        self.spawn(
            "t",
            () -> {
              while (true) {
                self.yield();
              }
            });
        self.yield();
      });
      assertEquals(List.of("task 't' exceeded its limits: turns=4, allowed 3"), log);
    }
  }

  @Test
  void exitCode_tasksOutliveTheGrace_saysSoUnlessOneWasGiven() {
    var builder =
        Application.builder()
            .clock(new VirtualClock())
            .bare()
            .failureHandler((where, failure) -> log.add(where));
    try (Application app = builder.build()) {
      app.start(self -> {
        self.spawn(
            "stubborn",
            () ->
                self.scheduler()
                    .shielded(() -> {
                      self.sleep(Duration.ofDays(1));
                      return null;
                    }));
        self.yield();
        self.shutdown(Duration.ofMillis(1), Duration.ofMillis(1));
      });
      assertEquals(ExitCode.GRACE_EXCEEDED, app.exitCode());
      assertEquals(List.of("task 'stubborn' (WAITING)"), log);
    }
  }
}
