package dev.rondo.scheduler.coroutine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.testing.CoroutineContract;
import org.junit.jupiter.api.Test;

class HandoffBackendTest extends CoroutineContract {

  /// Near the end of the stack the JVM has no room to copy it, and these leave room for the rest.
  private static final int FRAMES_LEFT = 500;

  @Override
  protected CoroutineBackend backend() {
    return CoroutineBackends.handoff();
  }

  @Override
  protected boolean pins() {
    return false;
  }

  /// Suspends near the end of its stack, once.
  private static final class Deep implements Coroutine.Body {

    private Coroutine own;
    private int framesBack;

    @SuppressWarnings("InfiniteRecursion")
    private void descend() {
      try {
        descend();
      } catch (StackOverflowError e) {
        framesBack = 0;
      }
      if (framesBack++ == FRAMES_LEFT) {
        own.suspend();
      }
    }

    @Override
    public void run() {
      descend();
    }

    @Override
    public void unblocked() {}
  }

  @Test
  void suspend_nearTheEndOfTheStack_waitsAndDoesNotSpin() {
    var body = new Deep();
    Coroutine deep = backend().newCoroutine("deep", body);
    body.own = deep;
    assertEquals(Coroutine.Pause.SUSPENDED, deep.resume());
    while (deep.thread().getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    assertEquals(Coroutine.Pause.ENDED, deep.resume());
  }
}
