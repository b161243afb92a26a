package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// A chain of tasks each of which fails because it joins another: no message contains the others.
class JoinChainTest extends SchedulerTest {

  private static final int LENGTH = 200;
  private static final int LONGEST_MESSAGE = 120;

  private Task<String> chain(Function<Task<String>, Callable<String>> joining) {
    Task<String> last =
        scheduler.<String>spawn(
            "t0",
            () -> {
              throw new IllegalStateException("the first");
            });
    for (int i = 1; i < LENGTH; i++) {
      Callable<String> code = joining.apply(last);
      last = scheduler.spawn("t" + i, () -> code.call());
    }
    return last;
  }

  private static Throwable first(Throwable failure) {
    Throwable each = failure;
    while (each.getCause() != null) {
      assertTrue(each.getMessage().length() <= LONGEST_MESSAGE, each.getMessage());
      each = each.getCause();
    }
    return each;
  }

  @Test
  void join_chain_namesTheTaskAndTheFirstFailure() {
    runTask(() -> {
      Task<String> last = chain(before -> before::join);
      var told = assertThrows(TaskFailedException.class, last::join);
      assertEquals(
          "task 't199' failed: first of 200 failures: java.lang.IllegalStateException: the first",
          told.getMessage());
      assertEquals("the first", first(told).getMessage());
    });
    takeReported(); // of those that nothing waited for yet when they ended
  }

  @Test
  void get_chain_namesTheTaskAndTheFirstFailure() {
    runTask(() -> {
      Task<String> last = chain(before -> before::get);
      var told = assertThrows(ExecutionException.class, last::get);
      assertEquals(
          "task 't199' failed: java.lang.IllegalStateException: the first", told.getMessage());
      assertEquals("the first", first(told).getMessage());
    });
    takeReported(); // of those that nothing waited for yet when they ended
  }

  @Test
  void join_oneFailure_saysJustThat() {
    runTask(() -> {
      Task<String> task =
          scheduler.<String>spawn(
              "t",
              () -> {
                throw new IllegalStateException("alone");
              });
      var told = assertThrows(TaskFailedException.class, task::join);
      assertEquals("task 't' failed: java.lang.IllegalStateException: alone", told.getMessage());
      assertInstanceOf(IllegalStateException.class, told.getCause());
    });
  }
}
