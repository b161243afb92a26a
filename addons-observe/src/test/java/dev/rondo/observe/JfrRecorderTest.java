package dev.rondo.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The events of tasks in a flight recording.
class JfrRecorderTest extends SchedulerTest {

  private static final List<String> OF_TURNS =
      List.of("TaskStart", "TaskTurn", "TaskWait", "TaskEnd");

  @TempDir private Path folder;
  private Scheduler recorded;

  @BeforeEach
  void openRecorded() {
    SchedulerBuilder builder =
        Scheduler.builder().backend(backend).ticker(time).failureHandler((w, f) -> {});
    recorded = builder.instrument(new Observers().flightRecorder()).build();
  }

  @AfterEach
  void closeRecorded() {
    recorded.close();
  }

  private List<RecordedEvent> events(Recording recording) throws IOException {
    recording.stop();
    Path file = folder.resolve("recording.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("dev.rondo."))
        .sorted((a, b) -> a.getEndTime().compareTo(b.getEndTime()))
        .toList();
  }

  private static String brief(RecordedEvent event) {
    String kind = event.getEventType().getName().substring("dev.rondo.Task".length());
    String state = event.hasField("state") ? ":" + event.getString("state") : "";
    return kind + ":" + event.getString("taskName") + state;
  }

  @Test
  void recording_everythingEnabled_hasEachStepInOrder() throws IOException {
    try (var recording = new Recording()) {
      OF_TURNS.forEach(name -> recording.enable("dev.rondo." + name).withThreshold(Duration.ZERO));
      recording.start();
      var event = new Signal();
      Task<Object> waiter = recorded.spawn("w", () -> recorded.await(event));
      recorded.step();
      event.fireAll("value");
      recorded.start();
      waiter.join();
      recorded.spawn(
          "parent",
          () -> {
            recorded.spawn(
                "child",
                () -> {
                  throw new IOException("on purpose");
                });
          });
      recorded.start();
      List<RecordedEvent> events = events(recording);
      assertEquals(
          List.of(
              "Start:w",
              "Turn:w:WAITING",
              "Wait:w:WAITING",
              "End:w:SUCCEEDED",
              "Turn:w:SUCCEEDED",
              "Start:parent",
              "End:parent:SUCCEEDED",
              "Turn:parent:SUCCEEDED",
              "Start:child",
              "End:child:FAILED",
              "Turn:child:FAILED"),
          events.stream().map(JfrRecorderTest::brief).toList());
      assertEquals(event.toString(), events.get(2).getString("waitingFor"));
      assertEquals(events.get(5).getLong("taskId"), events.get(8).getLong("parentId"));
      assertEquals(0, events.get(5).getLong("parentId"));
      assertEquals("java.io.IOException", events.get(9).getString("failure"));
      assertNull(events.get(3).getString("failure"));
    }
  }

  @Test
  void recording_thresholds_leaveShortTurnsAndWaitsOut() throws IOException {
    try (var recording = new Recording()) {
      recording.enable("dev.rondo.TaskTurn").withThreshold(Duration.ofDays(1));
      recording.enable("dev.rondo.TaskWait").withThreshold(Duration.ofDays(1));
      recording.enable("dev.rondo.TaskEnd");
      recording.disable("dev.rondo.TaskStart");
      recording.start();
      Task<Object> task = recorded.spawn("t", () -> recorded.suspend());
      recorded.step();
      recorded.scheduleTask(task);
      recorded.start();
      assertEquals(
          List.of("End:t:SUCCEEDED"),
          events(recording).stream().map(JfrRecorderTest::brief).toList());
    }
  }

  private Recording recordingDumps() {
    var recording = new Recording();
    OF_TURNS.forEach(name -> recording.disable("dev.rondo." + name));
    recording.enable("dev.rondo.TaskDump").with("period", "endChunk");
    recording.start();
    return recording;
  }

  private static void assertHasSuspended(Task<?> task, List<RecordedEvent> events) {
    RecordedEvent dumped =
        events.stream()
            .filter(event -> event.getString("taskName").equals(task.name()))
            .findFirst()
            .orElseThrow();
    assertEquals("dev.rondo.TaskDump", dumped.getEventType().getName());
    assertEquals(task.id(), dumped.getLong("taskId"));
    assertEquals("SUSPENDED", dumped.getString("state"));
    assertTrue(dumped.getString("stack").contains("suspendHere"), dumped.toString());
  }

  @Test
  void taskDump_loopSleeps_hasEachTaskWithItsStack() throws Exception {
    Task<?> suspended = recorded.spawn("s", this::suspendHere);
    try (var recording = recordingDumps();
        var _ = recorded.keepAlive()) {
      var done =
          new FutureTask<>(() -> {
            try {
              return events(recording);
            } finally {
              recorded.stop();
            }
          });
      recorded.spawn(() -> Thread.ofPlatform().daemon().start(done));
      recorded.start();
      assertHasSuspended(suspended, done.get());
    }
    recorded.scheduleTask(suspended);
    recorded.start();
  }

  @Test
  void taskDump_closedScheduler_isAskedNoMore() throws IOException {
    Task<?> suspended = recorded.spawn("s", this::suspendHere);
    recorded.step();
    try (var recording = recordingDumps()) {
      assertHasSuspended(suspended, events(recording));
    }
    recorded.close();
    try (var recording = recordingDumps()) {
      assertEquals(List.of(), events(recording));
    }
  }

  private Object suspendHere() {
    return recorded.suspend();
  }
}
