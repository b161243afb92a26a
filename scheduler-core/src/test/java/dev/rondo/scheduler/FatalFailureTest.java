package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.engine.Inside;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which failures stop the loop: docs/inside/semantics.md, rule 11.
@BackendsDiffer
class FatalFailureTest extends SchedulerTest {

  private static void raise(Error error) {
    throw error;
  }

  private void spawnFailing(Error error) {
    scheduler.spawn("bad", () -> raise(error));
    scheduler.spawn(() -> trace("after"));
  }

  // Not fatal.

  @Test
  void errorOfTheTask_isReportedAndTheLoopGoesOn() {
    for (Error error :
        new Error[] {
          new OutOfMemoryError("fake"),
          new StackOverflowError("fake"),
          new NoClassDefFoundError("fake"),
          new NoSuchMethodError("fake"),
          new UnsatisfiedLinkError("fake"),
          new ExceptionInInitializerError("fake"),
          new AssertionError("fake")
        }) {
      spawnFailing(error);
      scheduler.start();
      assertTrace("after");
      assertEquals(List.of(new Reported("task 'bad'", error)), takeReported());
    }
  }

  @Test
  void errorOfTheTask_joinedAndHandled_isNotEvenReported() {
    runTask(() -> {
      Task<Void> task = scheduler.spawn("bad", () -> raise(new NoSuchMethodError("fake")));
      var told = assertThrows(TaskFailedException.class, task::join);
      assertInstanceOf(NoSuchMethodError.class, told.getCause());
      trace("handled");
    });
    assertTrace("handled");
  }

  @Test
  void outOfMemory_joinedAndHandled_isLoggedByName() {
    try (var log = new CapturedLog()) {
      runTask(() -> {
        Task<Void> task = scheduler.spawn("greedy", () -> raise(new OutOfMemoryError("fake")));
        assertThrows(TaskFailedException.class, task::join);
        trace("handled");
      });
      assertTrace("handled");
      assertEquals(
          List.of("ERROR task 'greedy' failed with java.lang.OutOfMemoryError: fake"), log.lines());
    }
  }

  static final class Suspends {
    static final int VALUE;

    static {
      Scheduler.current().yield();
      VALUE = 1;
    }

    private Suspends() {}
  }

  @Test
  void suspensionInAStaticInitializer_failsEachTaskThatUsesTheClass() {
    assumeTrue(!backend.name().equals("HANDOFF")); // where it works
    for (int i = 0; i < 3; i++) {
      scheduler.spawn("user" + i, () -> trace(Suspends.VALUE));
    }
    scheduler.spawn(() -> trace("after"));
    scheduler.start();
    assertTrace("after");
    assertEquals(3, takeReported().size());
  }

  // Fatal.

  @Test
  void errorOfTheMachine_stopsTheLoopWhichIsIntact() {
    for (Error error : new Error[] {new InternalError("fake"), new UnknownError("fake")}) {
      spawnFailing(error);
      assertSame(error, assertThrows(Error.class, scheduler::start));
      assertTrace("");
      scheduler.start();
      assertTrace("after");
    }
    scheduler
        .host()
        .spawnSteps(
            "S",
            self -> {
              throw new InternalError("fake");
            });
    assertThrows(InternalError.class, scheduler::step);
  }

  @Test
  void errorOfTheMachine_joinedAndHandled_stopsNothing() {
    runTask(() -> {
      Task<Void> task = scheduler.spawn("bad", () -> raise(new InternalError("fake")));
      assertThrows(TaskFailedException.class, task::join);
      scheduler.yield();
      trace("handled");
    });
    assertTrace("handled");
  }

  @Test
  void errorOfTheMachine_joinedAndNotHandled_stopsTheLoop() {
    var error = new InternalError("fake");
    scheduler.spawn(
        "joiner",
        () -> {
          Task<Void> task = scheduler.spawn("bad", () -> raise(error));
          task.join();
        });
    var thrown = assertThrows(TaskFailedException.class, scheduler::start);
    assertSame(error, thrown.getCause());
  }

  @Test
  void namedByTheBuilder_stopsTheLoop() {
    try (Scheduler strict =
        configured().fatal(failure -> failure instanceof OutOfMemoryError).build()) {
      strict.spawn("bad", () -> raise(new OutOfMemoryError("fake")));
      assertThrows(OutOfMemoryError.class, strict::start);
      strict.spawn("bad", () -> raise(new NoSuchMethodError("fake")));
      strict.start();
      assertInstanceOf(NoSuchMethodError.class, takeReported().getFirst().failure());
      strict.spawn("bad", () -> raise(new InternalError("fake")));
      assertThrows(InternalError.class, strict::start);
    }
  }

  @Test
  void predicateOfTheBuilder_throws_isReportedAndTheLoopGoesOn() {
    try (Scheduler strict =
        configured()
            .fatal(failure -> {
              throw new IllegalStateException("of the predicate");
            })
            .build()) {
      strict.spawn("bad", () -> raise(new NoSuchMethodError("fake")));
      strict.start();
      Throwable reported = takeReported().getFirst().failure();
      assertInstanceOf(NoSuchMethodError.class, reported);
      assertEquals("of the predicate", reported.getSuppressed()[0].getMessage());
    }
  }

  @Test
  void inTheTurnOfAStop_theNextRunIsNotStopped() {
    var error = new InternalError("fake");
    scheduler.spawn(() -> {
      scheduler.stop();
      throw error;
    });
    assertSame(error, assertThrows(InternalError.class, scheduler::start));
    runTask(() -> {
      scheduler.yield();
      trace("went on");
    });
    assertTrace("went on");
  }

  @Test
  void errorOfTheMachine_whileClosing_isReported() {
    var inner = new ArrayList<Throwable>();
    Scheduler closing =
        Scheduler.builder()
            .backend(backend)
            .failureHandler((where, failure) -> inner.add(failure))
            .build();
    var error = new InternalError("fake");
    closing.spawn(() -> {
      try {
        closing.suspend();
      } finally {
        raise(error);
      }
    });
    closing.run(null);
    closing.close();
    assertEquals(List.of(error), inner);
  }

  /// Runs an action when nothing is ready, and other threads may call: the loop could sleep.
  ///
  /// @return what `start` throws
  private <X extends Throwable> X thrownByStart(Class<X> type, Consumer<Scheduler> action) {
    try (Scheduler own = builder().ticker(time).failureHandler((where, failure) -> {}).build();
        var _ = own.keepAlive()) {
      own.spawn(
          "waits",
          () -> {
            own.post(() -> action.accept(own));
            own.suspend();
          });
      return assertThrows(type, own::start);
    }
  }

  @Test
  @Timeout(60)
  void postedAction_failsFatallyWhenNothingIsReady_endsTheRun() {
    var error = new InternalError("fake");
    assertSame(
        error,
        thrownByStart(
            InternalError.class,
            own -> {
              throw error;
            }));
  }

  @Test
  @Timeout(60)
  void postedAction_endsTheStackInsideAChange_endsTheRunWithAReport() {
    var broken =
        thrownByStart(
            IllegalStateException.class,
            own -> {
              throw Inside.cutShort(own);
            });
    assertTrue(
        broken.getMessage().startsWith("the stack of a posted action ended"), broken::getMessage);
  }
}
