package dev.rondo.scheduler.coroutine.handoff;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The portable backend: uses public API only. Every coroutine is a virtual thread that takes turns
/// with the loop, each parked while the other runs. A switch costs about a microsecond if the loop
/// is on a virtual thread too, and many times as much otherwise.
///
/// The JDK carries all virtual threads on a pool with one thread per processor. Loops that compute
/// would keep these threads from all other virtual threads: see [Carriers].
///
/// A blocking JDK call in a task blocks the loop. `synchronized`, `ThreadLocal` and `ScopedValue`
/// behave as in any thread.
public final class HandoffBackend implements CoroutineBackend {

  /// For [dev.rondo.scheduler.coroutine.CoroutineBackends], which finds the class by its name.
  public HandoffBackend() {}

  @Override
  public String name() {
    return "HANDOFF";
  }

  @Override
  public void checkLoopThread(Thread loop) {
    Carriers.provideFor(loop);
  }

  @Override
  public Coroutine newCoroutine(String name, Coroutine.Body body) {
    return new Handoff(name, body);
  }

  private static final class Handoff implements Coroutine {

    /// More than the JDK has to wake one thread and to park another, also if these are compiled and
    /// those are not. Costs some 0.2 us.
    private static final int FRAMES = 128;

    private final Thread thread;

    /// The loop while it waits in [#resume()]. Written by the loop before it writes `inside`; read
    /// by the coroutine after it reads `inside`.
    private @Nullable Thread loop;

    /// Whether the coroutine has the turn, and not the loop. Written by the side that gives the
    /// turn away; volatile, so that its earlier writes are visible to the other side.
    private volatile boolean inside;

    private boolean started;
    private boolean ended;

    Handoff(String name, Body body) {
      thread =
          Thread.ofVirtual()
              .name(name)
              .unstarted(() -> {
                try {
                  body.run();
                } finally {
                  ended = true;
                  giveBack();
                }
              });
    }

    @Override
    public Pause resume() {
      if (ended) {
        throw new IllegalStateException(
            "resume of a coroutine that has ended: " + thread.getName());
      }
      loop = Thread.currentThread();
      inside = true;
      if (started) {
        LockSupport.unpark(thread);
      } else {
        started = true;
        thread.start();
      }
      parkUntil(false);
      return ended ? Pause.ENDED : Pause.SUSPENDED;
    }

    @Override
    public void suspend() {
      if (room(FRAMES) != FRAMES) {
        throw new AssertionError(FRAMES); // the result is asked for, so that it is computed
      }
      giveBack();
      parkUntil(true);
    }

    /// Fails, while the caller still has the turn, if the stack has no room for what follows. The
    /// JDK's changes of a thread's state are half done if the stack ends among them, and then no
    /// one has the turn.
    private static int room(int frames) {
      return frames == 0 ? 0 : room(frames - 1) + 1;
    }

    private void giveBack() {
      Thread waiting = loop;
      inside = false;
      LockSupport.unpark(waiting);
    }

    /// Parks until it is the caller's turn. An interrupt makes every park return at once, so this
    /// method clears the interrupt and restores it afterwards.
    private void parkUntil(boolean mine) {
      boolean interrupted = false;
      while (inside != mine) {
        interrupted |= park(mine);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    /// Parks. The turn has been given away, so the caller must not go on, even if the JVM has no
    /// room to copy the stack.
    ///
    /// @return whether the thread was interrupted
    private boolean park(boolean mine) {
      try {
        LockSupport.park(this);
      } catch (StackOverflowError e) {
        return waitOnCarrier(mine);
      }
      return false;
    }

    /// Waits, a millisecond at a time, in a way that also works while the stack cannot be copied:
    /// the JVM then blocks the carrier of the virtual thread.
    private synchronized boolean waitOnCarrier(boolean mine) {
      boolean interrupted = false;
      while (inside != mine) {
        try {
          wait(1);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (StackOverflowError e) {
          Thread.onSpinWait(); // in the very last frames
        }
      }
      return interrupted;
    }

    @Override
    public StackTraceElement[] stackTrace() {
      return inside || ended ? new StackTraceElement[0] : thread.getStackTrace();
    }

    @Override
    public Thread thread() {
      return thread;
    }
  }
}
