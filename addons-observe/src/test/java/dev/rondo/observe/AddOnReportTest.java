package dev.rondo.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What add-ons say of themselves, and where it is shown.
class AddOnReportTest extends SchedulerTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  /// A report has no more lines.
  private static final int MOST_LINES = 100;

  /// Says what the test has set.
  private sealed interface Speaking extends AddOn {

    Consumer<AddOnReport> speech();

    @Override
    default StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }

    @Override
    default void describe(AddOnReport report) {
      speech().accept(report);
    }
  }

  private record Speaker(Consumer<AddOnReport> speech) implements Speaking {}

  /// Another, because a scheduler has one of each class.
  private record Neighbor(Consumer<AddOnReport> speech) implements Speaking {}

  private static List<AddOnInfo> report(Consumer<AddOnReport> speech) {
    try (Scheduler other = Scheduler.create()) {
      var _ = other.host().install(new Speaker(speech));
      return LoopView.of(other).addOns();
    }
  }

  private void install(AddOn addOn) {
    var _ = scheduler.host().install(addOn);
  }

  private String dump(DumpFormat format) throws IOException {
    var out = new StringBuilder();
    Loops.dump(scheduler, format, out, LONG);
    return out.toString();
  }

  @Test
  void describe_figuresAndLines_areKeptInOrder() {
    List<AddOnInfo> infos =
        report(report ->
            report
                .gauge("box.size", 3)
                .line(() -> "a box")
                .counter("box.sold", 70)
                .line(() -> "b"));
    assertEquals(
        List.of(
            new AddOnInfo(
                "Speaker",
                List.of(
                    new AddOnInfo.Figure("box.size", 3, false),
                    new AddOnInfo.Figure("box.sold", 70, true)),
                List.of("a box", "b"))),
        infos);
    assertEquals(List.of(), report(report -> {}));
  }

  @Test
  void line_moreThanAHundred_areCountedAndNotMade() {
    List<AddOnInfo> infos =
        report(report -> {
          for (int i = 0; i < MOST_LINES; i++) {
            report.line(() -> "made");
          }
          for (int i = 0; i < 3; i++) {
            report.line(() -> {
              throw new AssertionError("made in vain");
            });
          }
        });
    assertEquals(MOST_LINES + 1, infos.getFirst().lines().size());
    assertEquals("and 3 more", infos.getFirst().lines().getLast());
  }

  @Test
  void dump_controlCharacters_areEscaped() throws IOException {
    install(new Speaker(report -> report.gauge("a\nb", 1).line(() -> "\u001b[2J")));
    String text = dump(DumpFormat.TEXT);
    assertTrue(text.contains("\nSpeaker: a\\nb=1\n    \\u001b[2J\n"), text);
  }

  @Test
  void figures_badNames_areRefused() {
    var refused = new ArrayList<Exception>();
    report(report -> {
      report.gauge("box.size", 1);
      refused.add(
          assertThrows(IllegalArgumentException.class, () -> report.counter("box.size", 2)));
      refused.add(assertThrows(IllegalArgumentException.class, () -> report.gauge(" ", 1)));
      refused.add(assertThrows(NullPointerException.class, () -> report.line(() -> null)));
    });
    assertEquals(3, refused.size());
    assertEquals("the report has the figure 'box.size' already", refused.getFirst().getMessage());
  }

  @Test
  void dump_addOnsThatSpeak_areShownBeforeTheTasks() throws IOException {
    install(new Speaker(report -> report.gauge("box.size", 3).line(() -> "'red' box")));
    install(new Neighbor(report -> {}));
    String text = dump(DumpFormat.TEXT);
    assertTrue(text.contains("\nSpeaker: box.size=3\n    'red' box\n"), text);
    JsonObject json = JsonParser.parseString(dump(DumpFormat.JSON)).getAsJsonObject();
    assertEquals(
        JsonParser.parseString(
            """
            [{"name": "Speaker", "figures": {"box.size": 3}, "lines": ["'red' box"]}]\
            """),
        json.get("addOns"));
    assertTrue(json.has("tasks"));
  }

  @Test
  void dump_noAddOnSpeaks_hasNoMemberForThem() throws IOException {
    assertFalse(dump(DumpFormat.JSON).contains("addOns"));
  }

  @Test
  void describe_throws_isReportedAndTheOthersAreShown() throws IOException {
    var failure = new IllegalStateException("box");
    install(
        new Speaker(report -> {
          throw failure;
        }));
    install(new Neighbor(report -> report.gauge("box.size", 3)));
    assertTrue(dump(DumpFormat.TEXT).contains("box.size=3"));
    assertEquals(List.of(new Reported("description of add-on Speaker", failure)), takeReported());
  }

  @Test
  void describe_suspends_isRefused() throws IOException {
    install(new Speaker(report -> scheduler.yield()));
    scheduler.spawn("main", () -> trace(String.valueOf(LoopView.of(scheduler).addOns())));
    scheduler.start();
    assertTrace("[]");
    assertTrue(takeFailures().getFirst() instanceof IllegalStateException);
  }

  @Test
  void addOns_onAnotherThread_isRefused() throws Exception {
    elsewhere(
        () -> assertThrows(WrongThreadException.class, () -> LoopView.of(scheduler).addOns()));
  }
}
