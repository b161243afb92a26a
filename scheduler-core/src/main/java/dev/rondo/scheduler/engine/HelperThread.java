package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.coroutine.Coroutine;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A virtual thread that runs user code outside of stackful tasks on BOUND: a turn of a step task,
/// a listener, a failure handler. The loop's own thread must not block in such code, because it
/// carries the tasks, and a task may have to go on before that code can. The thread is reused.
///
/// Confined to the scheduler's thread, except [#unblocked()].
final class HelperThread implements Coroutine.Body {

  private final Loop loop;
  private final Coroutine coroutine;

  /// The code that it runs; null if there is none.
  private @Nullable Runnable code;

  /// The task that is blocked on this thread; null if none is.
  private @Nullable StepTaskCore<?> blocked;

  /// The task that was made for the code because it was blocked; null if there is none.
  private @Nullable StepTaskCore<?> adopter;

  /// Whether the call of the JDK that blocked the code is over. Written by the thread that has
  /// unblocked it.
  private volatile boolean unblocked;

  HelperThread(Loop loop, String name) {
    this.loop = loop;
    this.coroutine = loop.newCoroutine(name, this);
  }

  /// Runs code. If a call of the JDK blocks the code, waits for the given time.
  ///
  /// @return whether the code has ended; if not, the caller has to [#block] a task
  boolean run(Runnable started, long patienceNanos) {
    code = started;
    return goOn(patienceNanos);
  }

  /// Resumes the code.
  ///
  /// @return whether the code has ended
  boolean goOn(long patienceNanos) {
    blocked = null;
    while (true) {
      loop.turnGoesTo(coroutine.thread());
      unblocked = false;
      if (coroutine.resume() != Coroutine.Pause.BLOCKED) {
        return true;
      }
      if (!awaitUnblocked(patienceNanos)) {
        return false;
      }
    }
  }

  /// Blocks a task until the code can go on.
  void block(StepTaskCore<?> task) {
    blocked = task;
  }

  /// [#block] for a task that was made for the code and ends with it.
  void adopt(StepTaskCore<?> task) {
    adopter = task;
    block(task);
  }

  /// Waits for a limited time until the code can go on. Most locks are released soon; then no other
  /// task has a turn in the middle of this one.
  private boolean awaitUnblocked(long patienceNanos) {
    long begin = System.nanoTime();
    for (long left = patienceNanos; !unblocked && left > 0; ) {
      LockSupport.parkNanos(this, left);
      left = patienceNanos - (System.nanoTime() - begin);
    }
    return unblocked;
  }

  @Override
  public void run() {
    loop.enterHelper();
    for (Runnable each; (each = code) != null; ) {
      each.run();
      if (Thread.interrupted()) {
        Interrupts.betweenTurns();
      }
      if (adopter != null) {
        adopter.endAdopted();
        adopter = null;
      }
      code = null;
      coroutine.suspend();
    }
  }

  /// Ends the thread, which runs nothing.
  void end() {
    coroutine.resume();
  }

  /// Any thread.
  @Override
  public void unblocked() {
    unblocked = true;
    loop.unpark();
    var _ =
        loop.post(
            new Inbox.Entry() {
              @Override
              void deliver() {
                StepTaskCore<?> task = blocked;
                if (task != null) {
                  task.unblocked();
                }
              }
            });
  }

  @Nullable Thread thread() {
    return coroutine.thread();
  }

  StackTraceElement[] stackTrace() {
    return coroutine.stackTrace();
  }

  void interrupt() {
    coroutine.interrupt();
  }
}
