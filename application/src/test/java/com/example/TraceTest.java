package com.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.application.Application;
import dev.rondo.application.Rondo;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// The stack trace of a failed program shows the program's own calls, the same on every backend.
/// Like a program, this class is not in one of Rondo's packages.
@EveryBackend
final class TraceTest {

  @Parameter(0)
  CoroutineBackend backend;

  private void program(Application.Main main) {
    var builder = Application.builder().backend(backend).clock(new VirtualClock()).bare();
    builder.run(main);
  }

  private static void load() throws IOException {
    Rondo.sleep(Duration.ofMillis(1));
    throw new IOException("disk on fire");
  }

  private static void check() {
    Rondo.yieldNow();
    throw new IllegalStateException("bad");
  }

  private static void joinAWorker() {
    Application.current().spawn("worker", () -> load()).join();
  }

  private static void hurry() throws Exception {
    Application.current()
        .within(
            Duration.ofMillis(1),
            () -> {
              Rondo.waitForSignal("never");
              return null;
            });
  }

  /// {@return the frames down to the call of `run`, without lambdas}
  private static List<String> trace(Throwable failure) {
    return Arrays.stream(failure.getStackTrace())
        .map(StackTraceElement::getMethodName)
        .takeWhile(method -> !method.equals("assertThrows"))
        .filter(method -> !method.startsWith("lambda$"))
        .toList();
  }

  @Test
  void uncheckedFailure_ofMain_isAsThoughItWereAPlainCall() {
    var thrown = assertThrows(IllegalStateException.class, () -> program(app -> check()));
    assertEquals(List.of("check", "run", "program"), programOnly(thrown));
  }

  private static List<String> programOnly(Throwable failure) {
    return trace(failure).stream().limit(3).toList();
  }

  @Test
  void checkedFailure_ofMain_namesTheTaskAndKeepsTheCause() {
    var thrown = assertThrows(TaskFailedException.class, () -> program(app -> load()));
    assertEquals("task 'main' failed: java.io.IOException: disk on fire", thrown.getMessage());
    assertEquals(List.of("run", "program"), trace(thrown).subList(0, 2));
    assertEquals(List.of("load", "run", "program"), programOnly(thrown.getCause()));
  }

  @Test
  void failure_ofAWorker_showsTheJoinAndWhereItFailed() {
    var thrown = assertThrows(TaskFailedException.class, () -> program(app -> joinAWorker()));
    assertEquals("task 'worker' failed: java.io.IOException: disk on fire", thrown.getMessage());
    assertEquals(List.of("join", "joinAWorker", "run"), programOnly(thrown));
    assertEquals(List.of("load", "run", "program"), programOnly(thrown.getCause()));
  }

  @Test
  void timeout_tellsWhichCallAndWhereItWaited() {
    var thrown = assertThrows(TimedOutException.class, () -> program(app -> hurry()));
    assertEquals(List.of("within", "hurry", "run"), programOnly(thrown));
    assertEquals("waitForSignal", trace(thrown.getCause()).getFirst());
  }

  @Test
  void deadlock_isTheCallOfRun() {
    var thrown =
        assertThrows(DeadlockException.class, () -> program(app -> app.waitForSignal("never")));
    assertEquals(List.of("run", "program"), trace(thrown).subList(0, 2));
  }

  @Test
  void failure_thatWasMadeElsewhere_isLeftAlone() {
    var made = new IllegalStateException("made before");
    StackTraceElement[] before = made.getStackTrace();
    assertThrows(
        IllegalStateException.class,
        () ->
            program(app -> {
              throw made;
            }));
    assertArrayEquals(before, made.getStackTrace());
  }
}
