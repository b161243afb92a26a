package dev.rondo.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The dump of all tasks: what it shows, on which thread, and that it ends.
@BackendsDiffer
class DumpTest extends SchedulerTest {

  private static final String HOSTILE = "bad\u001b[2J\r\n#9 'good' READY\u009b1m\u202e";

  /// More than one slice.
  private static final int MANY = 200;

  private static final Duration LONG = Duration.ofMinutes(5);

  private final List<Task<?>> waiting = new ArrayList<>();

  private Task<?> suspended(String name) {
    Task<?> task = scheduler.spawn(name, this::suspendHere);
    waiting.add(task);
    return task;
  }

  private Object suspendHere() {
    return scheduler.suspend();
  }

  private void endAll() {
    waiting.forEach(task -> task.cancel("the test is over"));
    drive();
  }

  private String dump(DumpFormat format, Duration patience) throws IOException {
    var out = new StringBuilder();
    Loops.dump(scheduler, format, out, patience);
    return out.toString();
  }

  private JsonObject json(Duration patience) throws IOException {
    return JsonParser.parseString(dump(DumpFormat.JSON, patience)).getAsJsonObject();
  }

  private static JsonObject named(JsonObject dump, String name) {
    for (JsonElement each : dump.getAsJsonArray("tasks")) {
      if (each.getAsJsonObject().get("name").getAsString().equals(name)) {
        return each.getAsJsonObject();
      }
    }
    throw new AssertionError("no task '" + name + "' in " + dump);
  }

  private static List<Long> ids(JsonObject dump) {
    JsonArray tasks = dump.getAsJsonArray("tasks");
    return tasks.asList().stream().map(e -> e.getAsJsonObject().get("id").getAsLong()).toList();
  }

  /// Runs the loop while another thread runs some code and then stops the loop.
  private <T> T whileRunning(java.util.concurrent.Callable<T> code) throws Exception {
    var done =
        new FutureTask<>(() -> {
          try {
            return code.call();
          } finally {
            scheduler.stop();
          }
        });
    try (var _ = scheduler.keepAlive()) {
      Thread.ofPlatform().daemon().start(done);
      scheduler.start();
      return done.get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  @Test
  void dump_lastWake_isWhenTheTaskWasPutBackIntoCirculation() throws IOException {
    var event = new Signal();
    suspended("never");
    for (String name : List.of("woken", "crowd")) {
      for (int i = 0; i < (name.equals("crowd") ? 20 : 1); i++) {
        waiting.add(
            scheduler.spawn(
                name + i,
                () -> {
                  scheduler.await(event);
                  scheduler.suspend();
                }));
      }
    }
    drive();
    event.fireFirst("one");
    event.fireAll("all");
    drive();
    time.advance(Duration.ofSeconds(2));
    scheduler.host().spawnSteps("look", self -> StepResult.DONE);
    scheduler.step(); // looks at the clock
    JsonObject dump = json(LONG);
    assertFalse(named(dump, "never").has("sinceLastWakeNanos"));
    assertEquals(2_000_000_000L, named(dump, "woken0").get("sinceLastWakeNanos").getAsLong());
    assertEquals(2_000_000_000L, named(dump, "crowd7").get("sinceLastWakeNanos").getAsLong());
    endAll();
  }

  @Test
  void dump_ownThread_showsEachKindOfTask() throws IOException {
    suspended("s");
    var event = new Signal();
    waiting.add(scheduler.spawn("w", () -> scheduler.await(event)));
    Task<?> joiner = scheduler.spawn("j", () -> waiting.getFirst().join());
    waiting.add(joiner);
    drive();
    time.advance(Duration.ofSeconds(3));
    waiting.add(scheduler.host().spawnSteps("steps", self -> StepResult.DONE));
    scheduler.step(); // looks at the clock
    waiting.add(scheduler.spawn("fresh", () -> {}));
    JsonObject dump = json(LONG);
    assertEquals("SUSPENDED", named(dump, "s").get("state").getAsString());
    assertEquals(3_000_000_000L, named(dump, "s").get("sinceNanos").getAsLong());
    assertTrue(named(dump, "s").get("stack").toString().contains("suspendHere"));
    assertEquals("WAITING", named(dump, "w").get("state").getAsString());
    assertEquals(event.toString(), named(dump, "w").get("waitingFor").getAsString());
    assertEquals("s", named(dump, "j").get("holder").getAsString());
    assertEquals("READY", named(dump, "fresh").get("state").getAsString());
    assertEquals("[]", named(dump, "fresh").get("stack").toString());
    JsonObject head = dump.getAsJsonObject("scheduler");
    assertEquals(scheduler.tasks().size(), head.get("alive").getAsInt());
    assertEquals(scheduler.tasksPending(), head.get("ready").getAsInt());
    assertEquals(backend.name(), head.get("backend").getAsString());
    assertFalse(dump.has("noAnswer"));
    endAll();
  }

  @Test
  void dump_text_isForReading() throws IOException {
    Task<?> task = suspended("s");
    scheduler.step();
    String text = dump(DumpFormat.TEXT, LONG);
    List<String> lines = text.lines().toList();
    assertEquals(
        "scheduler of thread '%s' on %s: 2 tasks alive, 0 ready"
            .formatted(Thread.currentThread().getName(), backend.name()),
        lines.get(0));
    assertTrue(text.contains("#%d 's' SUSPENDED\n    at ".formatted(task.id())), text);
    assertTrue(text.contains("at dev.rondo.observe.DumpTest.suspendHere"), text);
    assertFalse(text.contains("StackfulTask"), text);
    endAll();
  }

  @Test
  void dump_insideATask_showsItRunningWithItsStackAndOwner() {
    runTask(() -> {
      Task<JsonObject> inner = scheduler.spawn("inner", () -> dumpHere());
      JsonObject dump = inner.join();
      JsonObject self = named(dump, "inner");
      assertEquals("RUNNING", self.get("state").getAsString());
      assertTrue(self.get("stack").toString().contains("DumpTest.dumpHere"), self.toString());
      assertFalse(self.get("stack").toString().contains("Loop.turn"), self.toString());
      JsonObject main = named(dump, "main");
      assertEquals(main.get("id"), self.get("parentId"));
      assertTrue(main.get("stack").toString().contains("DumpTest"), main.toString());
    });
  }

  private JsonObject dumpHere() throws IOException {
    return json(LONG);
  }

  @Test
  void dump_otherThreadWhileTheLoopSleeps_showsEveryTaskOnce() throws Exception {
    for (int i = 0; i < MANY; i++) {
      suspended("t" + i);
    }
    drive();
    JsonObject dump = whileRunning(() -> json(LONG));
    List<Long> expected =
        LongStream.concat(
                LongStream.of(scheduler.tasks().getFirst().id()),
                waiting.stream().mapToLong(Task::id))
            .boxed()
            .toList();
    assertEquals(expected, ids(dump).stream().sorted().toList());
    for (Task<?> each : waiting) {
      String stack = named(dump, each.name()).get("stack").toString();
      assertTrue(stack.contains("suspendHere"), stack);
    }
    endAll();
  }

  @Test
  void dump_otherThreadWhileTasksWork_theLoopGoesOnBetweenSlices() throws Exception {
    for (int i = 0; i < MANY; i++) {
      suspended("t" + i);
    }
    drive();
    Task<?> busy =
        scheduler.spawn(
            "busy",
            () -> {
              while (true) {
                scheduler.yield();
              }
            });
    waiting.add(busy);
    JsonObject dump = whileRunning(() -> json(LONG));
    assertEquals(MANY + 2, ids(dump).stream().distinct().count());
    assertEquals(MANY + 2, ids(dump).size());
    endAll();
  }

  @Test
  void dump_taskHogsTheLoop_namesItAndShowsWhere() {
    suspended("s");
    scheduler.step();
    var reports = new ArrayList<String>();
    scheduler.spawn(
        "hog",
        () -> {
          for (DumpFormat format : DumpFormat.values()) {
            reports.add(spin(() -> dump(format, Duration.ZERO)));
          }
        });
    drive();
    String text = reports.get(0);
    assertTrue(text.contains("the loop does not answer: task 'hog' has its turn"), text);
    assertTrue(text.contains("    at dev.rondo.observe.DumpTest.spin("), text);
    assertFalse(text.contains("Loop.turn"), text);
    JsonObject noAnswer =
        JsonParser.parseString(reports.get(1)).getAsJsonObject().getAsJsonObject("noAnswer");
    assertEquals("hog", noAnswer.get("task").getAsString());
    assertTrue(noAnswer.get("isDriven").getAsBoolean());
    assertTrue(noAnswer.get("stack").toString().contains("DumpTest.spin("), noAnswer.toString());
    endAll();
  }

  @Test
  void dump_postedActionHogsTheLoop_namesIt() {
    var reports = new ArrayList<String>();
    scheduler.post(() -> {
      try {
        for (DumpFormat format : DumpFormat.values()) {
          reports.add(spin(() -> dump(format, Duration.ZERO)));
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
    drive();
    String text = reports.get(0);
    String action = "posted " + DumpTest.class.getName();
    assertTrue(text.contains("the loop does not answer: '" + action), text);
    JsonObject noAnswer =
        JsonParser.parseString(reports.get(1)).getAsJsonObject().getAsJsonObject("noAnswer");
    assertTrue(noAnswer.get("action").getAsString().startsWith(action), noAnswer.toString());
  }

  /// Keeps the loop busy while another thread does something.
  private static String spin(java.util.concurrent.Callable<String> elsewhere) throws Exception {
    var done = new FutureTask<>(elsewhere);
    Thread.ofPlatform().daemon().start(done);
    while (!done.isDone()) {
      Thread.onSpinWait(); // on BOUND, get() would let the loop go on
    }
    return done.get();
  }

  @Test
  void dump_nobodyDrives_saysSo() throws Exception {
    String text = elsewhere(() -> dump(DumpFormat.TEXT, Duration.ZERO));
    assertTrue(
        text.contains("start(), run() or step() of this scheduler is not on the stack"), text);
    assertTrue(text.contains("dump_nobodyDrives_saysSo"), text);
    drive(); // the withdrawn request does no harm
  }

  @Test
  void dump_interrupted_givesUpAndStaysInterrupted() throws Exception {
    boolean interrupted =
        elsewhere(() -> {
          Thread.currentThread().interrupt();
          JsonObject dump = json(LONG);
          assertTrue(dump.has("noAnswer"), dump.toString());
          return Thread.interrupted();
        });
    assertTrue(interrupted);
  }

  @Test
  void dump_interrupted_theLoopNeedNotAnswerAnyMore() throws Exception {
    int[] asked = {0};
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.await(
              new Waitable<Void>() {
                @Override
                public void arm(Waiter<? super Void> waiter) {}

                @Override
                public void disarm(Waiter<? super Void> waiter) {}

                @Override
                public String toString() {
                  asked[0]++;
                  return "asked";
                }
              });
        });
    drive();
    elsewhere(() -> {
      Thread.currentThread().interrupt();
      return json(LONG);
    });
    drive();
    assertEquals(0, asked[0]);
    task.cancel("the test is over");
    drive();
  }

  @Test
  void dump_closed_saysSo() throws Exception {
    Scheduler other = newScheduler();
    other.close();
    var here = new StringBuilder();
    Loops.dump(other, DumpFormat.TEXT, here, LONG);
    assertTrue(here.toString().endsWith(": closed\n"), here.toString());
    String there =
        elsewhere(() -> {
          var out = new StringBuilder();
          Loops.dump(other, DumpFormat.TEXT, out, LONG);
          return out.toString();
        });
    assertEquals(here.toString(), there);
  }

  @Test
  void dump_toNowhere_failsAndTheNextWorks() throws Exception {
    suspended("s");
    drive();
    Appendable full =
        new Appendable() {
          @Override
          public Appendable append(CharSequence text) throws IOException {
            throw new IOException("disk full");
          }

          @Override
          public Appendable append(CharSequence text, int start, int end) throws IOException {
            throw new IOException("disk full");
          }

          @Override
          public Appendable append(char c) throws IOException {
            throw new IOException("disk full");
          }
        };
    assertThrows(IOException.class, () -> Loops.dump(scheduler, DumpFormat.TEXT, full, LONG));
    whileRunning(() -> {
      assertThrows(IOException.class, () -> Loops.dump(scheduler, DumpFormat.JSON, full, LONG));
      assertEquals(2, ids(json(LONG)).size());
      return null;
    });
    endAll();
  }

  @Test
  void dump_brokenWaitable_isNamedAndTheOthersAreShown() throws IOException {
    var broken =
        new Waitable<Object>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {}

          @Override
          public void disarm(Waiter<? super Object> waiter) {}

          @Override
          public Task<?> holder() {
            throw new IllegalStateException("broken holder");
          }

          @Override
          public String toString() {
            throw new StackOverflowError("broken toString");
          }
        };
    waiting.add(scheduler.spawn("b", () -> scheduler.await(broken)));
    suspended("s");
    drive();
    JsonObject dump = json(LONG);
    String what = named(dump, "b").get("waitingFor").getAsString();
    assertTrue(what.endsWith("(its toString() threw java.lang.StackOverflowError)"), what);
    String holder = named(dump, "b").get("holder").getAsString();
    assertTrue(holder.contains("its holder() threw"), holder);
    named(dump, "s");
    endAll();
  }

  @Test
  void dump_blockedInTheJdk_showsWhere() throws Exception {
    assumeTrue(backend.name().equals("BOUND"));
    var queue = new SynchronousQueue<String>();
    waiting.add(scheduler.spawn("blocked", () -> takeFrom(queue)));
    scheduler.step();
    JsonObject blocked = named(json(LONG), "blocked");
    assertEquals("BLOCKED", blocked.get("state").getAsString());
    assertTrue(blocked.get("stack").toString().contains("takeFrom"), blocked.toString());
    waiting.getFirst().cancel("over");
    scheduler.start();
  }

  private static String takeFrom(SynchronousQueue<String> queue) throws InterruptedException {
    return queue.take();
  }

  @Test
  void dump_badArguments_areRefused() {
    var out = new StringBuilder();
    assertThrows(
        IllegalArgumentException.class,
        () -> Loops.dump(scheduler, DumpFormat.TEXT, out, Duration.ofNanos(-1)));
    assertThrows(
        NullPointerException.class, () -> Loops.dump(scheduler, DumpFormat.TEXT, null, LONG));
    assertThrows(NullPointerException.class, () -> Loops.dump(scheduler, null, out, LONG));
  }

  @Test
  void dump_hostileNames_areEscaped() throws IOException {
    Task<Object> holder = scheduler.newTask(HOSTILE, () -> scheduler.suspend());
    scheduler.scheduleTask(holder);
    Task<Object> joiner = scheduler.spawn("joiner", () -> holder.join());
    drive();
    for (DumpFormat format : DumpFormat.values()) {
      var text = new StringBuilder();
      Loops.dump(scheduler, format, text, Duration.ofSeconds(2));
      long harmful = text.chars().filter(c -> c != '\n' && ReportText.isHarmful(c)).count();
      assertEquals(0, harmful, text::toString);
      assertTrue(text.toString().contains("bad\\u001b[2J\\r\\n#9 'good'"), text::toString);
      assertFalse(text.toString().lines().anyMatch(line -> line.startsWith("#9")));
    }
    joiner.cancel("end");
    holder.cancel("end");
    drive();
  }
}
