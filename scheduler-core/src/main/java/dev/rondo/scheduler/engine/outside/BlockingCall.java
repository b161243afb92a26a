package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.ExternalWork;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.WaiterCore;
import dev.rondo.scheduler.internal.rooms.Attachment;
import dev.rondo.scheduler.internal.rooms.BlockingStrategy;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A blocking call, as a waitable. Each wait makes the call on a virtual thread of its own, unless
/// the idle strategy runs it. The thread is interrupted when the wait is given up. The outcome is
/// posted to the inbox. A result that a call returns after that becomes a [LateResult].
public final class BlockingCall<T extends @Nullable Object> implements Waitable<T> {

  private final String name;
  private final Callable<? extends T> code;

  /// Whether a task may need a turn before the call can end. If so, no idle strategy may run the
  /// call between two turns.
  private final boolean needsTurns;

  private final Consumer<? super T> ifLate;

  private BlockingCall(
      String name, Callable<? extends T> code, boolean needsTurns, Consumer<? super T> ifLate) {
    this.name = name;
    this.code = code;
    this.needsTurns = needsTurns;
    this.ifLate = ifLate;
  }

  /// A call that ends by itself.
  public static <T extends @Nullable Object> BlockingCall<T> of(
      String name, Callable<? extends T> code, Consumer<? super T> ifLate) {
    return new BlockingCall<>(name, code, false, ifLate);
  }

  /// A call that may end only after a turn of a task, and whose result does not belong to the wait.
  static <T extends @Nullable Object> BlockingCall<T> waiting(
      String name, Callable<? extends T> code) {
    return new BlockingCall<>(name, code, true, ignored -> {});
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    var attempt = new Attempt(waiter, WaiterCore.loopOf(waiter));
    Attachment.set(waiter, attempt);
    attempt.begin();
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    if (Attachment.of(waiter) instanceof BlockingCall<?>.Attempt attempt) {
      attempt.giveUp();
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /// The call for one wait. Confined to the loop, except where a field says otherwise.
  private final class Attempt implements Runnable {

    private final Loop loop;

    /// Counts the call as work outside of the scheduler.
    private final ExternalWork work;

    /// Null when no task waits any more, because the call may keep this object in memory for much
    /// longer.
    private @Nullable Waiter<? super T> waiter;

    /// Written by the thread of the call. The inbox publishes the value and the failure.
    private @Nullable T value;

    private @Nullable Throwable failure;

    /// Guarded by this.
    private @Nullable Thread thread;

    /// Guarded by this.
    private boolean givenUp;

    Attempt(Waiter<? super T> waiter, Loop loop) {
      this.waiter = waiter;
      this.loop = loop;
      this.work = loop.externalWork;
    }

    /// Starts the call.
    void begin() {
      work.waitBegun();
      try {
        if (!needsTurns && runsBlocking(loop, name, this::runHere)) {
          return;
        }
        LateResult.beginThread(this::start);
      } catch (Throwable e) {
        end();
        throw e;
      }
    }

    private synchronized void start() {
      if (!givenUp) {
        thread = Thread.ofVirtual().name(name).start(this);
      }
    }

    /// Runs the call on the calling thread, which is not interrupted afterwards.
    private void runHere() {
      synchronized (this) {
        if (givenUp) {
          return;
        }
        thread = Thread.currentThread();
      }
      run();
    }

    @Override
    public void run() {
      try {
        value = code.call();
      } catch (Throwable e) {
        failure = e;
      }
      if (isGivenUp()) {
        boolean _ = Thread.interrupted(); // the interrupt concerned the call
      } else if (loop.post(this::arrive)) {
        return;
      } // refused: the scheduler is closed
      if (failure == null) {
        late().run();
      }
    }

    /// Called when the call has ended. The thread is not interrupted afterwards.
    private synchronized boolean isGivenUp() {
      thread = null;
      return givenUp;
    }

    @SuppressWarnings("NullAway") // without a failure the value is of type T
    private LateResult<T> late() {
      return new LateResult<>(loop, name, value, ifLate);
    }

    void giveUp() {
      if (waiter != null) {
        end();
        interrupt();
      }
    }

    private void end() {
      waiter = null;
      work.waitEnded();
    }

    private synchronized void interrupt() {
      givenUp = true;
      if (thread != null) {
        thread.interrupt();
      }
    }

    /// Called when the outcome has reached the loop.
    @SuppressWarnings("NullAway") // without a failure the value is of type T
    private void arrive() {
      Waiter<? super T> waiting = waiter;
      if (waiting != null) {
        end();
      }
      if (failure != null) {
        boolean _ = waiting != null && waiting.fail(failure);
      } else if (waiting == null || !waiting.fire(value)) {
        late().post();
      }
    }
  }

  /// Whether the loop's idle strategy runs a blocking call, see [BlockingStrategy#runsBlocking].
  static boolean runsBlocking(Loop loop, String name, Runnable call) {
    return loop.idleStrategy instanceof BlockingStrategy strategy
        && strategy.runsBlocking(name, call);
  }
}
