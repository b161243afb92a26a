package dev.rondo.io.internal.alarm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Wakes a loop at an instant for which its selector is too coarse, because a `Selector` counts in
/// milliseconds. A daemon thread parks until then; it is started when it is first needed.
///
/// A loop that blocks again and again until the same instant costs the thread one wakeup for all.
///
/// The loop sets it, clears it and closes it, on one thread.
public final class Alarm implements AutoCloseable {

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Alarm.class, "state", State.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Either the loop changes SET to CLEAR, or the thread does so and wakes the loop. So the thread
  /// does not wake a loop that has cleared the alarm.
  private enum State {
    CLEAR,
    SET,
    CLOSED
  }

  private final Runnable wakeup;

  /// Written by the loop, before it sets the state; read by the thread, after it has read the
  /// state.
  private volatile long dueNanos;

  /// Written by both threads.
  private volatile State state = State.CLEAR;

  /// The instant at which the thread wakes up by itself. The thread writes it before it reads the
  /// state; the loop reads it after it has written the state. So either the thread sees the new
  /// instant or the loop sees that the thread sleeps too long.
  private volatile long asleepUntilNanos;

  /// Whether the thread sleeps without a limit. Written and read as the instant is.
  private volatile boolean isAsleep;

  /// Null until it is needed. Used by the loop.
  private @Nullable Thread thread;

  /// @param wakeup called on the alarm's own thread
  public Alarm(Runnable wakeup) {
    this.wakeup = wakeup;
  }

  /// Sets the alarm, which wakes the loop once.
  ///
  /// @param nanos of `System.nanoTime()`
  public void set(long nanos) {
    assert state != State.CLOSED : "closed";
    dueNanos = nanos;
    state = State.SET;
    Thread known = thread;
    if (known == null) {
      thread = Thread.ofPlatform().daemon().name("rondo-alarm").start(this::run);
    } else if (isAsleep || nanos - asleepUntilNanos < 0) {
      LockSupport.unpark(known);
    }
  }

  /// Clears the alarm: the loop is awake, or has nothing to wake for.
  public void clear() {
    boolean _ = STATE.compareAndSet(this, State.SET, State.CLEAR);
  }

  private void run() {
    for (State now; (now = state) != State.CLOSED; ) {
      if (now == State.CLEAR) {
        sleep();
        continue;
      }
      long due = dueNanos;
      long left = due - System.nanoTime();
      if (left > 0) {
        sleep(due, left);
      } else if (STATE.compareAndSet(this, State.SET, State.CLEAR)) {
        wakeup.run();
      }
    }
  }

  private void sleep() {
    isAsleep = true;
    if (state == State.CLEAR) {
      LockSupport.park(this);
    }
    isAsleep = false;
  }

  private void sleep(long due, long nanos) {
    asleepUntilNanos = due;
    if (state != State.CLOSED && dueNanos == due) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /// Ends the thread.
  @Override
  public void close() {
    state = State.CLOSED;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
