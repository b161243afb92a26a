package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.LendableEventSource;
import dev.rondo.scheduler.engine.Throwables;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Waits for one source of events on a thread of its own while the loop blocks in another source.
/// The thread is a daemon, and ends when it has not been needed for some time.
///
/// Confined to the scheduler's thread, except for what its own thread does. The two threads hand
/// the source over through the state.
final class SleepHelper {

  private enum State {
    /// There is no thread. To WAITING by the loop.
    GONE,
    /// The thread has nothing to do. To WAITING by the loop, to GONE by the thread.
    FREE,
    /// The thread has the source. To FREE by the thread.
    WAITING
  }

  /// How a wait began.
  enum Begun {
    /// The thread waits. [#end()] must follow.
    WAITS,
    /// It does not wait, because tasks are ready already.
    NOT_NEEDED,
    /// It does not wait, because the system gives no thread.
    NO_THREAD
  }

  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LendableEventSource lent;
  private final EventSource resident;
  private final ThreadFactory threads;
  private final AtomicReference<State> state = new AtomicReference<>(State.GONE);

  /// Set by the loop before the thread is to wait.
  private volatile @Nullable Thread loop;

  private @Nullable Thread thread;

  /// Written by the thread before it is FREE.
  private @Nullable Throwable failure;

  /// Since when the thread is FREE. Confined to that thread.
  private long freeNanos;

  /// @param lent what the thread waits for
  /// @param resident woken when there is something
  /// @param threads makes the thread
  SleepHelper(LendableEventSource lent, EventSource resident, ThreadFactory threads) {
    this.lent = lent;
    this.resident = resident;
    this.threads = threads;
  }

  /// Makes the thread wait.
  Begun begin() {
    if (!lent.lend()) {
      return Begun.NOT_NEEDED;
    }
    loop = Thread.currentThread();
    if (state.getAndSet(State.WAITING) != State.GONE) {
      LockSupport.unpark(thread);
      return Begun.WAITS;
    }
    try {
      Thread made = threads.newThread(this::run);
      thread = made;
      made.start();
      return Begun.WAITS;
    } catch (OutOfMemoryError e) { // "unable to create native thread"
      state.set(State.GONE);
      lent.takeBack();
      return Begun.NO_THREAD;
    }
  }

  /// Ends the wait of the thread.
  ///
  /// @return whether there were events
  boolean end() {
    if (state.get() == State.WAITING) {
      lent.wakeup();
      boolean interrupted = false;
      while (state.get() == State.WAITING) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    lent.takeBack();
    Throwable failed = failure;
    if (failed != null) {
      failure = null;
      throw Throwables.rethrow(failed);
    }
    return lent.poll();
  }

  // The thread.

  private void run() {
    while (true) {
      if (state.get() == State.WAITING) {
        await();
      } else {
        LockSupport.parkNanos(this, KEEP_ALIVE_NANOS);
        if (isUnused() && state.compareAndSet(State.FREE, State.GONE)) {
          return;
        }
      }
    }
  }

  private boolean isUnused() {
    return System.nanoTime() - freeNanos >= KEEP_ALIVE_NANOS;
  }

  private void await() {
    try {
      lent.awaitElsewhere();
    } catch (Throwable e) {
      failure = e;
    }
    freeNanos = System.nanoTime();
    state.set(State.FREE);
    resident.wakeup();
    LockSupport.unpark(loop);
  }
}
