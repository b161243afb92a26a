package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.application.Application;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.condition.WaitForSignal;
import dev.rondo.condition.sync.Latch;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.Promise;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.io.WaitForIO;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskLocal;
import dev.rondo.time.Backoff;
import dev.rondo.time.Retry;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What an expert writes who has not read the documents: `on` installs an add-on, `new` makes a
/// thing, `run` runs code with or without a result. It compiles.
class FirstGuessTest {

  private static final TaskLocal<String> USER = TaskLocal.named("user");

  private static void run(Application.Main main) {
    Application.builder().bare().clock(new VirtualClock()).run(main);
  }

  /// Each of these lines has the form that was expected of it, and five had another one once.
  @Test
  void tenLines_ofAnExpert_compileAndRun() {
    run(app -> {
      Scheduler s = app.scheduler();
      WaitForTime time = WaitForTime.on(s);
      TaskGroup<String> group = s.newGroup("g");
      Mutex mutex = new Mutex(s, "m");
      String said = group.run(() -> group.spawn(() -> "child").join());
      try (var _ = mutex.lock()) {
        app.shielded(() -> time.sleep(Duration.ofHours(1)));
      }
      assertEquals("ada", TaskLocal.where(USER, "ada").run(() -> USER.get()));
      assertEquals("scope", s.newScope("s").run(() -> "scope"));
      assertEquals("limit", app.within(Duration.ofHours(1), () -> "limit"));
      assertEquals("child", said);
    });
  }

  @Test
  void on_everyAddOn_installsItOnce() {
    run(app -> {
      Scheduler s = app.scheduler();
      assertSame(WaitForTime.on(s), app.time());
      assertSame(WaitForCondition.on(s), app.conditions());
      assertSame(WaitForSignal.on(s), app.signals());
      assertSame(WaitForIO.on(s), app.io());
      assertSame(WaitForFile.on(s), app.addOn(WaitForFile.class));
      assertThrows(NoSuchElementException.class, () -> app.addOn(WaitForNetty.class));
    });
  }

  @Test
  void new_everyThing_takesTheSchedulerAndAName() {
    run(app -> {
      Scheduler s = app.scheduler();
      var mutex = new Mutex(s, "m");
      try (var _ = mutex.lock()) {
        assertEquals("mutex 'm'", mutex.toString());
      }
      Promise<String> promise = new Promise<>(s, "p");
      promise.fulfill("value");
      assertEquals("value", app.await(promise));
      new Semaphore(s, "s", 1).acquire().close();
      new Latch(s, "l", 0).await();
    });
  }

  @Test
  void run_withAndWithoutAResult_isOneWord() {
    run(app -> {
      var group = app.scheduler().<Integer>newGroup("g");
      assertEquals(
          "x",
          group.run(() -> {
            group.spawn(() -> 1);
            return "x";
          }));
      assertEquals("ada", TaskLocal.where(USER, "ada").run(() -> USER.get()));
      assertEquals("y", app.scheduler().newScope("s").run(() -> "y"));
      var retry = new Retry(app.scheduler(), Backoff.exponential(2, Duration.ZERO), new Random(1));
      assertEquals("z", retry.run(() -> "z"));
      assertEquals("w", app.shielded(() -> "w"));
    });
  }

  @Test
  void set_priorityAndDeadline_beforeTheTaskBegins() {
    run(app -> {
      Task<String> task = app.scheduler().newTask("t", () -> "done");
      task.setPriority(Task.MAX_PRIORITY).setDeadline(Duration.ofSeconds(1));
      app.scheduler().scheduleTask(task);
      assertEquals("done", task.join());
    });
  }
}
