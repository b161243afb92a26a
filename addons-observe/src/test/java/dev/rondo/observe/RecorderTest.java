package dev.rondo.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.observe.RecordedEvent.Kind;
import dev.rondo.observe.internal.RecorderCore;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a recorder keeps of a scheduler's last events.
@BackendsDiffer
class RecorderTest extends SchedulerTest {

  private final RecorderCore recorder = new RecorderCore(1_000);

  private Scheduler recorded(Recorder by) {
    Scheduler made = configured().instrument(new Observers().recorder(by)).build();
    time.serve(made);
    return made;
  }

  /// One event to a word: `kind:task<other`.
  private static String shortly(Recording recording) {
    return recording.events().stream().map(RecorderTest::shortly).collect(Collectors.joining(" "));
  }

  private static String shortly(RecordedEvent event) {
    String text = event.kind().name();
    if (event.task() != null) {
      text += ":" + event.task().name();
    }
    return event.other() == null ? text : text + "<" + event.other().name();
  }

  private static RecordedEvent only(Recording recording, Kind kind) {
    List<RecordedEvent> found =
        recording.events().stream().filter(each -> each.kind() == kind).toList();
    assertEquals(1, found.size(), () -> kind + " in " + shortly(recording));
    return found.getFirst();
  }

  @Test
  void recording_oneTaskSpawnsAndJoinsAnother_hasAllInOrder() {
    try (Scheduler scheduler = recorded(recorder)) {
      scheduler.spawn(
          "a",
          () -> {
            Task<Void> child = scheduler.spawn("b", () -> scheduler.yield());
            child.join();
          });
      scheduler.start();
      assertEquals(
          "SPAWN:a TURN:a SPAWN:b<a WAIT:a TURN:b TURN:b WAKE:a<b END:b TURN:a END:a",
          shortly(Recorder.of(scheduler).recording()));
    }
  }

  @Test
  void recording_aTaskFails_itsEndHasTheFailureAndWhere() {
    try (Scheduler scheduler = recorded(recorder)) {
      Task<Void> failing =
          scheduler.newTask(
              "a",
              () -> {
                throw new IllegalStateException("no more");
              });
      scheduler.spawn("b", () -> assertThrows(TaskFailedException.class, failing::join));
      scheduler.scheduleTask(failing);
      scheduler.start();
      RecordedEvent end =
          Recorder.of(scheduler).recording().events().stream()
              .filter(each -> each.kind() == Kind.END)
              .findFirst()
              .orElseThrow();
      assertEquals("FAILED: java.lang.IllegalStateException: no more", end.text());
      assertTrue(end.stack().getFirst().contains("RecorderTest"), end.stack()::toString);
      assertEquals(TaskState.FAILED, end.task().state());
    }
  }

  @Test
  void recording_aTaskIsCancelled_saysByWhomAndWhy() {
    try (Scheduler scheduler = recorded(recorder)) {
      Task<?> waiting = scheduler.spawn("waits", () -> scheduler.suspend());
      scheduler.spawn("cancels", () -> waiting.cancel("too old"));
      scheduler.start();
      RecordedEvent cancel = only(Recorder.of(scheduler).recording(), Kind.CANCEL);
      assertEquals("waits", cancel.task().name());
      assertEquals("cancels", cancel.other().name());
      assertEquals("task 'waits' was cancelled by task 'cancels': too old", cancel.text());
    }
  }

  @Test
  void recording_manyTasksAreWokenAtOnce_eachWakeNamesTheWaker() {
    int crowd = 20;
    try (Scheduler scheduler = recorded(recorder)) {
      Task<Void> awaited = scheduler.spawn("awaited", () -> scheduler.yield());
      for (int i = 0; i < crowd; i++) {
        scheduler.spawn("crowd", awaited::join);
      }
      scheduler.start();
      List<RecordedEvent> wakes =
          Recorder.of(scheduler).recording().events().stream()
              .filter(each -> each.kind() == Kind.WAKE)
              .toList();
      assertEquals(crowd, wakes.size());
      wakes.forEach(each -> assertEquals("awaited", each.other().name()));
    }
  }

  @Test
  void recording_moreEventsThanItKeeps_theOldestAreOverwritten() {
    try (Scheduler scheduler = recorded(Recorder.ofCapacity(3))) {
      scheduler.spawn(
          "a",
          () -> {
            for (int i = 0; i < 10; i++) {
              scheduler.yield();
            }
          });
      scheduler.start();
      Recording recording = Recorder.of(scheduler).recording();
      assertEquals("TURN:a TURN:a END:a", shortly(recording));
      assertEquals(10, recording.overwritten());
      assertEquals(10, recording.events().getFirst().number());
    }
  }

  @Test
  void recording_manyTurns_hasAsManyAsItKeepsAndTheTimeOfEach() {
    long[] now = {0};
    try (Scheduler scheduler = recorded(new RecorderCore(1_000).timedBy(() -> now[0]))) {
      scheduler.spawn(
          "a",
          () -> {
            for (int i = 1; i <= 5_000; i++) {
              now[0] = i / 300;
              scheduler.yield();
            }
          });
      scheduler.start();
      List<RecordedEvent> events = Recorder.of(scheduler).recording().events();
      assertTrue(events.size() >= 1_000, () -> "" + events.size());
      for (RecordedEvent each : events.subList(0, events.size() - 1)) {
        assertEquals(Kind.TURN, each.kind());
        assertEquals(Duration.ofNanos((each.number() - 1) / 300), each.at());
      }
    }
  }

  @Test
  void recording_takenInATurn_hasTheTasksThatLiveAndWhatTheyWaitFor() {
    Recording[] taken = new Recording[1];
    try (Scheduler scheduler = recorded(Recorder.ofCapacity(2))) {
      Task<Void> looks =
          scheduler.newTask(
              "looks",
              () -> {
                scheduler.yield();
                taken[0] = Recorder.of(scheduler).recording();
              });
      scheduler.scheduleTask(looks);
      scheduler.spawn("joins", looks::join);
      scheduler.start();
    }
    RecordedTask joins =
        taken[0].tasks().stream().filter(each -> each.name().equals("joins")).findFirst().get();
    assertEquals(TaskState.WAITING, joins.state());
    assertEquals("looks", joins.holder());
    assertFalse(joins.stack().isEmpty());
  }

  @Test
  void recording_withDetails_aWaitHasItsStackAndHolder() {
    try (Scheduler scheduler = recorded(Recorder.ofCapacity(100).withDetails())) {
      Task<Void> awaited = scheduler.spawn("awaited", () -> scheduler.yield());
      scheduler.spawn("joins", () -> awaited.join());
      scheduler.start();
      RecordedEvent wait = only(Recorder.of(scheduler).recording(), Kind.WAIT);
      assertTrue(wait.text().endsWith(", held by 'awaited'"), wait.text());
      assertTrue(
          wait.stack().stream().anyMatch(each -> each.contains("RecorderTest")),
          wait.stack()::toString);
    }
  }

  @Test
  void recording_ofTheProgram_hasItsNotesMessagesAndFaults() {
    try (Scheduler scheduler = recorded(recorder)) {
      scheduler.spawn(
          "a",
          () -> {
            recorder.note("", "cache miss", "key 7");
            long sent =
                recorder.note(
                    RecordedEvent.Kind.SENT,
                    "here",
                    "there",
                    RecordedEvent.NO_CAUSE,
                    "hello, 5 B",
                    "hello");
            recorder.note(RecordedEvent.Kind.ARRIVED, "there", "here", sent, "hello, 5 B", "");
            recorder.note(RecordedEvent.Kind.LOST, "here", "there", sent, "cut", "");
            recorder.note(
                RecordedEvent.Kind.FAULT, "there", "", RecordedEvent.NO_CAUSE, "crash", "");
            recorder.failure("it broke", new IllegalStateException("here"));
          });
      scheduler.start();
      Recording recording = Recorder.of(scheduler).recording();
      assertEquals(
          "SPAWN:a TURN:a NOTE:a SENT:a ARRIVED:a LOST:a FAULT:a FAILURE:a END:a",
          shortly(recording));
      RecordedEvent arrived = only(recording, Kind.ARRIVED);
      assertEquals(only(recording, Kind.SENT).number(), arrived.cause());
      assertEquals("there", arrived.lane());
      assertEquals("here", arrived.peer());
      assertEquals("key 7", only(recording, Kind.NOTE).detail());
      assertFalse(only(recording, Kind.FAILURE).stack().isEmpty());
    }
  }

  @Test
  void note_behindARunOfAnotherScheduler_isOfTheTaskThatHasTheTurn() {
    assumeTrue(backend.sharesThread(), "a recorder is for the schedulers of one thread");
    try (Scheduler scheduler = recorded(recorder)) {
      scheduler.spawn(
          "outer",
          () -> {
            try (Scheduler within = recorded(recorder)) {
              within.spawn("inner", () -> recorder.note("", "first", ""));
              within.start();
            }
            recorder.note("", "second", "");
          });
      scheduler.start();
      assertEquals(
          "SPAWN:outer TURN:outer SPAWN:inner TURN:inner NOTE:inner END:inner NOTE:outer END:outer",
          shortly(recorder.recording()));
    }
  }

  @Test
  void note_inASchedulerThatIsNotRecorded_isOfTheTaskThatRunsIt() {
    assumeFalse(backend.name().equals("BOUND"), "its loops need a thread that is not virtual");
    try (Scheduler scheduler = recorded(recorder)) {
      scheduler.spawn(
          "outer",
          () -> {
            try (Scheduler within = configured().build()) {
              within.spawn("inner", () -> recorder.note("", "first", ""));
              within.start();
            }
          });
      scheduler.start();
      assertEquals("SPAWN:outer TURN:outer NOTE:outer END:outer", shortly(recorder.recording()));
    }
  }

  @Test
  void turns_ofARecorderAlone_areNotCounted() {
    for (boolean listened : List.of(false, true)) {
      SchedulerBuilder made =
          configured().instrument(new Observers().recorder(Recorder.ofCapacity(64)));
      try (Scheduler scheduler = (listened ? made.listener(new TaskListener() {}) : made).build()) {
        scheduler.spawn(() -> scheduler.yield());
        scheduler.start();
        assertEquals(listened ? 2 : 0, LoopView.of(scheduler).turnCount());
      }
    }
  }

  @Test
  void recording_onAnotherThreadWhileTheLoopRuns_isConsistent() {
    try (Scheduler scheduler = recorded(Recorder.ofCapacity(64))) {
      CompletableFuture<Recording> elsewhere = new CompletableFuture<>();
      scheduler.spawn(
          "a",
          () -> {
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    elsewhere.complete(Recorder.of(scheduler).recording());
                  } catch (Throwable e) {
                    elsewhere.completeExceptionally(e);
                  }
                });
            while (!elsewhere.isDone()) {
              scheduler.yield();
            }
          });
      scheduler.start();
      Recording recording = elsewhere.join();
      assertTrue(recording.tasks().stream().anyMatch(each -> each.name().equals("a")));
      long number = recording.overwritten();
      for (RecordedEvent each : recording.events()) {
        assertEquals(number++, each.number());
      }
    }
  }

  @Test
  void recording_ofAClosedScheduler_hasTheNamesOfAll() {
    Scheduler scheduler = recorded(Recorder.ofCapacity(4));
    Task<?> daemon = scheduler.newTask("a", () -> scheduler.suspend()).daemon();
    scheduler.scheduleTask(daemon);
    scheduler.spawn("b", () -> scheduler.yield());
    scheduler.start();
    scheduler.close();
    assertTrue(
        shortly(Recorder.of(scheduler).recording()).endsWith("END:a"),
        () -> shortly(Recorder.of(scheduler).recording()));
  }

  @Test
  void recording_withoutRecorder_isRefused() {
    try (Scheduler scheduler = configured().build()) {
      var refused = assertThrows(IllegalStateException.class, () -> Recorder.of(scheduler));
      assertTrue(refused.getMessage().contains("recorder(..)"), refused.getMessage());
    }
  }

  @Test
  void ofCapacity_outOfRange_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> Recorder.ofCapacity(0));
    assertThrows(IllegalArgumentException.class, () -> Recorder.ofCapacity(10_000_001));
  }

  @Test
  void withDetails_afterASchedulerHasIt_isRefused() {
    try (Scheduler scheduler = recorded(recorder)) {
      scheduler.spawn("a", () -> {});
      assertThrows(IllegalStateException.class, recorder::withDetails);
      assertThrows(IllegalStateException.class, () -> recorder.timedBy(() -> 0));
    }
  }

  @Test
  void writeTo_andRead_giveTheSame(@TempDir Path folder) throws IOException {
    try (Scheduler scheduler = recorded(Recorder.ofCapacity(100).withDetails())) {
      Task<Void> awaited = scheduler.spawn("tab\t line\n back\\slash \0", () -> scheduler.yield());
      scheduler.spawn("", awaited::join);
      scheduler.spawn("fails", () -> awaited.join()).cancel("\r\n");
      recorder.note("", "", "");
      scheduler.start();
      Recording recording = Recorder.of(scheduler).recording();
      Path file = folder.resolve("recording");
      recording.writeTo(file);
      assertEquals(recording, Recording.read(file));
    }
  }

  /// UTF-8 has no half of a pair.
  @Test
  void writeTo_textThatWasCut_isReadWithQuestionMarks(@TempDir Path folder) throws IOException {
    Recorder recorder = Recorder.ofCapacity(100);
    recorder.note("", "cut \ud83d", "\ude00 \ud83d\ude00 \ud83d");
    Path file = folder.resolve("recording");
    recorder.recording().writeTo(file);
    RecordedEvent read = Recording.read(file).events().getFirst();
    assertEquals("cut ?", read.text());
    assertEquals("? \ud83d\ude00 ?", read.detail());
  }

  @Test
  void read_whatIsNoRecording_isRefusedWithTheLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("recording");
    Files.writeString(file, "");
    assertRefused(file, "is empty");
    Files.writeString(file, "something else\n");
    assertRefused(file, "line 1");
    Files.writeString(file, "rondo-recording\t2\t0\n");
    assertRefused(file, "version 2");
    Files.writeString(file, "rondo-recording\t1\t0\nevent\t1\n");
    assertRefused(file, "line 2");
    Files.writeString(file, "rondo-recording\t1\t0\nat\tframe\n");
    assertRefused(file, "line 2");
    assertRefused(Path.of("/dev/zero"), "no regular file");
  }

  @Test
  void read_fileThatIsTooLarge_isRefusedWithoutReadingIt(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("recording");
    try (var large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(1L << 40);
    }
    assertRefused(file, "no regular file of up to 268,435,456 bytes");
  }

  private static void assertRefused(Path file, String reason) {
    var refused = assertThrows(IOException.class, () -> Recording.read(file));
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
  }
}
