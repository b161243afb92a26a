package dev.rondo.scheduler.coroutine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.CoroutineContract;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ContinuationBackendTest extends CoroutineContract {

  private final List<String> order = Collections.synchronizedList(new ArrayList<>());

  @Override
  protected CoroutineBackend backend() {
    return CoroutineBackends.continuation();
  }

  private final class TwoTurns implements Coroutine.Body {
    private final Coroutine coroutine = backend().newCoroutine("", this);

    @Override
    public void run() {
      coroutine.suspend();
      order.add("second turn");
    }

    @Override
    public void unblocked() {}
  }

  @Test
  void stackTrace_byAnotherThreadWhileTheLoopHangs_isThatOfTheSuspendedBody() {
    Coroutine coroutine = new TwoTurns().coroutine;
    coroutine.resume();
    var stack = CompletableFuture.supplyAsync(() -> coroutine.stackTrace(() -> true)).join();
    assertTrue(
        Arrays.stream(stack).anyMatch(each -> each.getClassName().endsWith("TwoTurns")),
        Arrays.toString(stack));
    coroutine.resume();
  }

  @Test
  void stackTrace_ofALoopThatGoesOn_isEmptyAndChangesNothing() {
    Coroutine coroutine = new TwoTurns().coroutine;
    assertEquals(0, coroutine.stackTrace(() -> true).length, "it has not begun");
    coroutine.resume();
    var stack = CompletableFuture.supplyAsync(() -> coroutine.stackTrace(() -> false)).join();
    assertEquals(0, stack.length);
    assertEquals(Coroutine.Pause.ENDED, coroutine.resume());
    assertEquals(0, coroutine.stackTrace(() -> true).length, "it has ended");
  }

  /// A loop that goes on just when it was found to hang.
  @Test
  void resume_whileAnotherThreadReadsTheStack_waits() throws InterruptedException {
    Coroutine coroutine = new TwoTurns().coroutine;
    coroutine.resume();
    var isRead = new CountDownLatch(1);
    Thread loop = Thread.currentThread();
    var reading =
        CompletableFuture.runAsync(() ->
            coroutine.stackTrace(() -> {
              isRead.countDown();
              while (order.isEmpty() && !isWaiting(loop)) {
                Thread.onSpinWait();
              }
              order.add("read");
              return true;
            }));
    isRead.await();
    coroutine.resume();
    reading.join();
    assertEquals(List.of("read", "second turn"), order);
  }

  private static boolean isWaiting(Thread loop) {
    return Arrays.stream(loop.getStackTrace())
        .anyMatch(each -> each.getMethodName().equals("unobserved"));
  }
}
