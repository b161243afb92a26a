package dev.rondo.scheduler.engine.closing;

import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.SchedulerCore;
import org.jspecify.annotations.Nullable;

/// The progress of the end of a scheduler: of an orderly shutdown, or of `close()`.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
public final class Ending implements Rooms.Progress {

  private final SchedulerCore scheduler;

  /// Null before it is first needed. Made by any thread, in [#course()].
  private volatile Rooms.@Nullable Course course;

  /// Whether work from outside is refused. Written by the loop, read by any thread.
  private volatile boolean intakeClosed;

  /// Whether the tasks that were left were cancelled, and have time to clean up.
  public boolean cleaningUp;

  /// Whether tasks were left when the time to clean up was over.
  public boolean gaveUp;

  /// Whether a task ends the JVM, and waits for this scheduler.
  public boolean isJvmExiting;

  /// Makes the progress of a scheduler that is open.
  public Ending(SchedulerCore scheduler) {
    this.scheduler = scheduler;
  }

  /// {@return the progress of a scheduler}
  public static Ending of(SchedulerCore scheduler) {
    return (Ending) scheduler.ending;
  }

  @Override
  public synchronized Rooms.Course course() {
    Rooms.Course own = course;
    if (own == null) {
      own = Rooms.all().course(scheduler);
      if (intakeClosed) {
        own.closed();
      }
      course = own;
    }
    return own;
  }

  /// Refuses work from outside from now on.
  public void closeIntake() {
    intakeClosed = true;
  }

  @Override
  public boolean isIntakeClosed() {
    return intakeClosed;
  }

  @Override
  public boolean isCleaningUp() {
    return cleaningUp;
  }

  /// Whether a task other than a daemon waits until the shutdown is asked for.
  public boolean isAwaited() {
    Rooms.Course own = course;
    return own != null && own.isAwaited();
  }

  @Override
  public void check() {
    Rooms.Course own = course;
    if (own != null) {
      own.check();
    }
  }

  /// Called when the scheduler has been closed.
  ///
  /// @param tasksAreLeft whether tasks have not ended, which the shutdown then describes
  public void closed(boolean tasksAreLeft) {
    Rooms.Course own = tasksAreLeft ? course() : null;
    synchronized (this) {
      intakeClosed = true;
      own = own == null ? course : own;
    }
    if (own != null) {
      own.closed();
    }
  }
}
