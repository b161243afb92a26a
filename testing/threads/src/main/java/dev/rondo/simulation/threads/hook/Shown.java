package dev.rondo.simulation.threads.hook;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A thread as a simulated program sees it, and the virtual thread that runs it. The JVM never
/// starts the first one, so the field of it that says what it is parked on is free, and refers to
/// this.
///
/// Confined to the world's thread and the threads that it carries.
public final class Shown {

  private static final VarHandle BLOCKER;

  static {
    try {
      BLOCKER =
          MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
              .findVarHandle(Thread.class, "parkBlocker", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Thread thread;
  private final Program program;

  /// Null until it runs.
  private @Nullable Thread carrier;

  private boolean permit;
  private boolean interrupted;
  private boolean ended;

  private Shown(Thread thread, Program program) {
    this.thread = thread;
    this.program = program;
  }

  /// {@return what is known of a thread that is started}
  ///
  /// @param program whose thread it is
  /// @throws IllegalThreadStateException if it was started before
  public static Shown start(Thread thread, Program program) {
    if (thread.getState() != Thread.State.NEW) {
      throw new IllegalThreadStateException();
    }
    var started = new Shown(thread, program);
    BLOCKER.setVolatile(thread, started);
    return started;
  }

  /// {@return what is known of a thread; null if it is not one of a program}
  static @Nullable Shown of(Thread thread) {
    return BLOCKER.getVolatile(thread) instanceof Shown own ? own : null;
  }

  /// {@return the program whose thread it is}
  Program program() {
    return program;
  }

  /// {@return the thread that the program sees}
  public Thread thread() {
    return thread;
  }

  /// It runs from now on: what it was given before is its carrier's.
  ///
  /// @param on the virtual thread that runs it
  public void begin(Thread on) {
    carrier = on;
    if (interrupted) {
      on.interrupt();
    } else if (permit) {
      LockSupport.unpark(on);
    }
  }

  /// It has ended.
  public void end() {
    ended = true;
    synchronized (thread) {
      thread.notifyAll();
    }
  }

  boolean isAlive() {
    return !ended;
  }

  Thread.State state() {
    Thread on = carrier;
    return ended ? Thread.State.TERMINATED : on == null ? Thread.State.RUNNABLE : on.getState();
  }

  /// {@return where it waits; empty if it does not}
  StackTraceElement[] stackTrace() {
    Thread on = carrier;
    Thread.State now = state();
    return on == null || now == Thread.State.RUNNABLE || now == Thread.State.TERMINATED
        ? new StackTraceElement[0]
        : on.getStackTrace();
  }

  void interrupt() {
    Thread on = carrier;
    interrupted = true;
    if (on != null && !ended) {
      on.interrupt();
    }
  }

  boolean isInterrupted() {
    Thread on = carrier;
    return !ended && (on == null ? interrupted : on.isInterrupted());
  }

  @Nullable Thread permitted() {
    permit = true;
    return ended ? null : carrier;
  }
}
