package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.internal.ReportText;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Runs the [ContextPropagation]s of a scheduler: replaces the thread's context by the task's
/// context at the beginning of a turn, and restores the thread's context at the end.
///
/// Confined to the scheduler's thread, except [#begin], which runs on a task's own thread.
public final class LibraryContexts implements Rooms.Contexts {

  private final List<ContextPropagation<?>> propagations;
  private final BiConsumer<String, Throwable> report;

  /// The context of the loop's thread before the turn. One field is enough, because turns do not
  /// nest.
  private @Nullable Object @Nullable [] outside;

  /// Whether the loop's thread has the context of the running task. False for a task with a thread
  /// of its own, which keeps its context itself.
  private boolean swapped;

  public LibraryContexts(
      List<ContextPropagation<?>> propagations, BiConsumer<String, Throwable> report) {
    this.propagations = propagations;
    this.report = report;
  }

  @Override
  public @Nullable Object @Nullable [] capture() {
    @Nullable Object[] snapshots = null;
    for (int i = 0; i < propagations.size(); i++) {
      Object snapshot = capture(propagations.get(i));
      if (snapshot != null) {
        if (snapshots == null) {
          snapshots = new Object[propagations.size()];
        }
        snapshots[i] = snapshot;
      }
    }
    return snapshots;
  }

  private @Nullable Object capture(ContextPropagation<?> propagation) {
    try {
      return propagation.capture();
    } catch (Throwable e) {
      report.accept("capture of context " + ReportText.describe(propagation), e);
      return null;
    }
  }

  private void restore(@Nullable Object @Nullable [] snapshots) {
    for (int i = 0; i < propagations.size(); i++) {
      restore(propagations.get(i), snapshots == null ? null : snapshots[i]);
    }
  }

  @SuppressWarnings("unchecked") // the propagation has made the snapshot itself
  private <C> void restore(ContextPropagation<C> propagation, @Nullable Object snapshot) {
    try {
      propagation.restore((C) snapshot);
    } catch (Throwable e) {
      report.accept("restore of context " + ReportText.describe(propagation), e);
    }
  }

  @Override
  public void begin(TaskCore<?> task) {
    restore(task.context());
  }

  @Override
  public void end(TaskCore<?> task) {
    task.keepContext(task.isDone() ? null : capture());
    restore(null);
  }

  @Override
  public Runnable keeping(Runnable code) {
    @Nullable Object[] now = capture();
    return () -> {
      @Nullable Object[] before = capture();
      restore(now);
      try {
        code.run();
      } finally {
        restore(before);
      }
    };
  }

  @Override
  public void beforeTurn(TaskCore<?> task) {
    swapped = task.thread() == null;
    if (swapped) {
      outside = capture();
      restore(task.context());
    }
  }

  @Override
  public void afterTurn(TaskCore<?> task) {
    if (swapped) {
      task.keepContext(task.isDone() ? null : capture());
      restore(outside);
      outside = null;
    }
  }
}
