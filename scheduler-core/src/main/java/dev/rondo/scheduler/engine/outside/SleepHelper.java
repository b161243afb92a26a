package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.engine.Throwables;
import dev.rondo.scheduler.internal.rooms.LendableEventSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Waits for one source of events, on a thread of its own, while the loop blocks in another source.
/// The thread is a daemon, and ends if it has not been needed for some time.
///
/// Confined to the scheduler's thread, except the code of its own thread. The two threads hand the
/// source over through the state.
final class SleepHelper {

  private enum State {
    /// There is no thread. The loop moves to WAITING.
    GONE,
    /// The thread has nothing to do. The loop moves to WAITING, the thread to GONE.
    FREE,
    /// The thread has the source. The thread moves to FREE.
    WAITING
  }

  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LendableEventSource lent;
  private final EventSource resident;
  private final AtomicReference<State> state = new AtomicReference<>(State.GONE);

  /// Set by the loop before the thread waits.
  private volatile @Nullable Thread loop;

  private @Nullable Thread thread;

  /// Written by the thread before it is FREE.
  private @Nullable Throwable failure;

  /// The instant since which the thread is FREE. Confined to that thread.
  private long freeNanos;

  /// @param lent the source that the thread waits for
  /// @param resident the source that is woken when there are events
  SleepHelper(LendableEventSource lent, EventSource resident) {
    this.lent = lent;
    this.resident = resident;
  }

  /// Makes the thread wait. If the thread waits, a call of [#end()] must follow.
  ///
  /// @return whether the thread waits; it need not wait if tasks are ready already
  /// @throws OutOfMemoryError if the system cannot make a thread
  boolean begin() {
    if (!lent.lend()) {
      return false;
    }
    loop = Thread.currentThread();
    if (state.getAndSet(State.WAITING) != State.GONE) {
      LockSupport.unpark(thread);
      return true;
    }
    try {
      var made = new Thread(this::run, "rondo-sleep");
      made.setDaemon(true);
      thread = made;
      made.start();
    } catch (Throwable e) {
      state.set(State.GONE);
      lent.takeBack();
      throw e;
    }
    return true;
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
