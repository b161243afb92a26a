package dev.rondo.scheduler.engine.observe;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.observe.RecordedEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Records what the tasks of one scheduler do. Besides what a listener receives it is told of wakes
/// and cancellations.
///
/// Confined to the scheduler's thread.
public final class LoopRecorder implements EngineListener {

  /// How a task has ended, other than with success.
  ///
  /// @param name of the task
  /// @param state the last one
  /// @param failure why
  record Ended(String name, TaskState state, Throwable failure) {}

  private static final int ALL_TASKS = Integer.MAX_VALUE;

  private final RecorderCore recorder;
  private final int source;
  private final String lane;
  private final long originNanos;

  /// Null when the scheduler has closed, so that it can be forgotten.
  private @Nullable LoopView loop;

  /// Of the tasks that lived when the scheduler closed, by their numbers.
  private Map<Long, String> lastNames = Map.of();

  private long closedAt;

  LoopRecorder(RecorderCore recorder, int source, String lane, LoopView loop) {
    this.recorder = recorder;
    this.source = source;
    this.lane = lane;
    this.loop = loop;
    this.originNanos = loop.passNanos();
  }

  String lane() {
    return lane;
  }

  int source() {
    return source;
  }

  @Nullable LoopView loop() {
    return loop;
  }

  Map<Long, String> lastNames() {
    return lastNames;
  }

  /// The number of the first event after its end.
  long closedAt() {
    return closedAt;
  }

  /// The time of the loop's last pass.
  long nanos() {
    LoopView open = loop;
    return open == null ? 0 : open.passNanos() - originNanos;
  }

  private void add(RecordedEvent.Kind kind, Task<?> task, long other, @Nullable Object subject) {
    LoopView open = loop;
    if (open != null && !open.isAddOn(task)) {
      long nanos = recorder.nanos(open.passNanos() - originNanos);
      recorder.add(nanos, RecorderCore.head(kind, source, task.id()), other, subject);
    }
  }

  @Override
  public void created(Task<?> task) {
    add(RecordedEvent.Kind.SPAWN, task, task.parentId().orElse(0), task.name());
  }

  @Override
  public void beforeTurn(Task<?> task) {
    recorder.turn(this, task.id());
    add(RecordedEvent.Kind.TURN, task, 0, null);
  }

  @Override
  public void afterTurn(Task<?> task) {
    recorder.turnEnded();
  }

  @Override
  public void suspended(Task<?> task) {
    LoopView open = loop;
    if (open == null || open.isAddOn(task)) {
      return;
    }
    Object subject;
    if (recorder.hasDetails()) {
      subject = open.describe(task);
    } else {
      Waitable<?> awaited = open.awaited(task);
      subject = awaited == null ? task.taskState() : awaited;
    }
    add(RecordedEvent.Kind.WAIT, task, 0, subject);
  }

  /// A parked task has become ready.
  ///
  /// @param waker whose turn it is; null if it is no task's
  public void woken(Task<?> task, @Nullable Task<?> waker) {
    add(RecordedEvent.Kind.WAKE, task, waker == null ? 0 : waker.id(), null);
  }

  /// A task was asked to end.
  ///
  /// @param canceller whose turn it is; null if it is no task's
  /// @param description of the request
  public void cancelled(Task<?> task, @Nullable Task<?> canceller, String description) {
    add(RecordedEvent.Kind.CANCEL, task, canceller == null ? 0 : canceller.id(), description);
  }

  @Override
  public void done(Task<?> task) {
    Object subject =
        switch (task.outcome()) {
          case Outcome.Failure<?>(Throwable cause) ->
              new Ended(task.name(), TaskState.FAILED, cause);
          case Outcome.Cancelled<?> cancelled ->
              new Ended(task.name(), TaskState.CANCELLED, cancelled.cause());
          case Outcome.Success<?> _ -> task.name();
          case null -> task.name();
        };
    add(RecordedEvent.Kind.END, task, 0, subject);
  }

  @Override
  public void closed() {
    LoopView open = loop;
    if (open == null) {
      return;
    }
    var names = new HashMap<Long, String>();
    int _ = open.visitTasks(0, ALL_TASKS, task -> names.put(task.id(), task.name()));
    lastNames = names;
    closedAt = recorder.count();
    loop = null;
    recorder.turnEnded();
  }

  /// Visits the tasks that live, but for those of add-ons.
  void visitTasks(BiConsumer<LoopView, Task<?>> visitor) {
    LoopView open = loop;
    if (open != null) {
      int _ = open.visitTasks(0, ALL_TASKS, task -> visitor.accept(open, task));
    }
  }
}
