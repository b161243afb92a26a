package dev.rondo.bound;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A virtual thread that runs one piece of code after another, each as a coroutine.
///
/// Confined to the scheduler's thread, except [#unblocked()].
final class HelperThread implements Coroutine, Coroutine.Body {

  private final HelperThreads home;
  private final Thread loop = Thread.currentThread();
  private final Coroutine own;

  /// The code that this thread runs; null if there is none.
  private @Nullable Body code;

  private long patienceNanos;

  /// False while the code is blocked and [#resume()] has returned. Read by the thread that has
  /// unblocked the code, after its write of `unblocked`. Either that thread sees false and reports
  /// the code, or the loop sees `unblocked`, and goes on with the code.
  private volatile boolean resuming = true;

  /// Whether the call of the JDK that blocked the code is over. Written by the thread that has
  /// unblocked it.
  private volatile boolean unblocked;

  HelperThread(HelperThreads home, CoroutineBackend backend) {
    this.home = home;
    this.own = backend.newCoroutine("rondo-helper", this);
  }

  void begin(Body started, long patience) {
    code = started;
    patienceNanos = patience;
  }

  @Override
  public Pause resume() {
    do {
      resuming = true;
      unblocked = false;
      if (own.resume() != Pause.BLOCKED) {
        home.giveBack(this);
        return Pause.ENDED;
      }
      awaitUnblocked();
      resuming = false;
    } while (unblocked);
    return Pause.BLOCKED;
  }

  /// Waits for a limited time until the code can go on. Most locks are released soon; then no other
  /// task has a turn in the middle of this one.
  private void awaitUnblocked() {
    long begin = System.nanoTime();
    for (long left = patienceNanos; !unblocked && left > 0; ) {
      LockSupport.parkNanos(this, left);
      left = patienceNanos - (System.nanoTime() - begin);
    }
  }

  /// The body of the thread.
  @Override
  public void run() {
    for (Body each; (each = code) != null; ) {
      each.run();
      code = null;
      own.suspend();
    }
  }

  /// Ends the thread, which must not be running code.
  void end() {
    own.resume();
  }

  /// Any thread.
  @Override
  public void unblocked() {
    unblocked = true;
    if (resuming) {
      LockSupport.unpark(loop);
      return;
    }
    Body blocked = code;
    if (blocked != null) {
      blocked.unblocked();
    }
  }

  /// Never called: the code that runs here does not suspend.
  @Override
  public void suspend() {
    throw new IllegalStateException("code outside of coroutines has no stack to leave");
  }

  @Override
  public Thread thread() {
    Thread thread = own.thread();
    if (thread == null) {
      throw new AssertionError(own + " has no thread");
    }
    return thread;
  }

  @Override
  public StackTraceElement[] stackTrace() {
    return own.stackTrace();
  }

  @Override
  public void interrupt() {
    own.interrupt();
  }
}
