package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.coroutine.Coroutine;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A virtual thread that runs code of users which is no stackful task, on BOUND: a turn of a step
/// task, a listener, a failure handler. There the loop's own thread must not block in such code,
/// because it carries the tasks, and one of them may have to go on before that code can. Used again
/// and again.
///
/// Confined to the scheduler's thread, but for [#unblocked()].
final class HelperThread implements Coroutine.Body {

  private final Loop loop;
  private final Coroutine coroutine;

  /// What it runs; null if nothing.
  private @Nullable Runnable code;

  /// The task that is blocked with it; null if none is.
  private @Nullable StepTaskCore<?> blocked;

  /// The task that was made for the code because it was blocked; null if there is none.
  private @Nullable StepTaskCore<?> adopter;

  /// Whether the call of the JDK is over that blocked the code. Written by the thread that has
  /// unblocked it.
  private volatile boolean unblocked;

  HelperThread(Loop loop, String name) {
    this.loop = loop;
    this.coroutine = loop.newCoroutine(name, this);
  }

  /// Runs code. If a call of the JDK blocks it, waits for a while.
  ///
  /// @return whether it is over; if not, a task has to be [#block]ed with it
  boolean run(Runnable started, long patienceNanos) {
    code = started;
    return goOn(patienceNanos);
  }

  /// Goes on with the code.
  ///
  /// @return whether it is over
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

  /// A task has to go on when the code can.
  void block(StepTaskCore<?> task) {
    blocked = task;
  }

  /// The same for a task that was made for this, and ends with the code.
  void adopt(StepTaskCore<?> task) {
    adopter = task;
    block(task);
  }

  /// Most locks are released soon, and the turn is not torn.
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
