package dev.rondo.observe.internal;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.Recorder;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.engine.view.Stacks;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.internal.rooms.TaskWait;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Records the events of one scheduler's tasks.
///
/// Confined to the scheduler's thread.
public final class LoopRecorder implements EngineListener {

  /// The end of a task that did not succeed.
  ///
  /// @param name of the task
  /// @param state the last one
  /// @param failure why
  record Ended(String name, TaskState state, Throwable failure) {}

  /// The event that a task waited for, described when the wait began.
  ///
  /// @param text in words
  /// @param stack of the task
  record Waited(String text, List<StackTraceElement> stack) {}

  private static final int ALL_TASKS = Integer.MAX_VALUE;

  private final RecorderCore recorder;

  /// The ring of the recorder. A turn writes to it directly.
  private final EventRing ring;

  private final int source;
  private final String lane;
  private final long originNanos;

  /// The head of the event of a turn, to which the number of the task is added.
  private final long turnHead;

  /// Null when the scheduler has closed, so that the loop can be garbage collected.
  private @Nullable LoopView loop;

  /// The names of the tasks that lived when the scheduler closed, by their numbers.
  private Map<Long, String> lastNames = Map.of();

  private long closedAt;

  LoopRecorder(RecorderCore recorder, EventRing ring, int source, String lane, LoopView loop) {
    this.recorder = recorder;
    this.ring = ring;
    this.source = source;
    this.lane = lane;
    this.loop = loop;
    this.originNanos = loop.passNanos();
    this.turnHead = RecorderCore.head(RecordedEvent.Kind.TURN, source, 0);
  }

  Recorder recorder() {
    return recorder;
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

  /// The number of the task that has the turn; 0 if none has it, or an add-on.
  long running() {
    LoopView open = loop;
    if (open == null) {
      return 0;
    }
    Task<?> now = open.state().running();
    return now == null || open.isAddOn(now) ? 0 : now.id();
  }

  private void add(RecordedEvent.Kind kind, Task<?> task, long other, @Nullable Object subject) {
    LoopView open = loop;
    if (open != null && !open.isAddOn(task)) {
      long nanos = recorder.nanos(open.passNanos() - originNanos);
      recorder.add(nanos, RecorderCore.head(kind, source, task.id()), other, subject);
    }
  }

  /// A recorder has no use for the number of turns, nor for the end of a turn.
  @Override
  public boolean countsTurns() {
    return false;
  }

  @Override
  public void created(Task<?> task) {
    add(RecordedEvent.Kind.SPAWN, task, task.parentId().orElse(0), task.name());
  }

  @Override
  public void beforeTurn(Task<?> task) {
    LoopView open = loop;
    if (open != null && !open.isAddOn(task)) {
      long head = turnHead + RecorderCore.bitsOf(task.id());
      ring.add(recorder.nanos(open.passNanos() - originNanos), head);
    }
  }

  @Override
  public void parked(Task<?> task, TaskState how) {
    LoopView open = loop;
    if (open == null || open.isAddOn(task)) {
      return;
    }
    Waitable<?> awaited = open.awaited(task);
    Object subject;
    if (recorder.hasDetails()) {
      boolean hasStack = how != TaskState.BLOCKED && !(task instanceof StepTask);
      subject =
          new Waited(
              awaited == null ? how.name() : describe(awaited),
              hasStack ? List.of(Stacks.ofRunningTask()) : List.of());
    } else {
      subject = awaited == null ? how : awaited;
    }
    add(RecordedEvent.Kind.WAIT, task, 0, subject);
  }

  private static String describe(Waitable<?> awaited) {
    String what = ReportText.describe(awaited);
    String holder = TaskWait.holderName(awaited);
    return holder == null ? what : what + ", held by '" + holder + "'";
  }

  @Override
  public void woken(Task<?> task, @Nullable Task<?> waker) {
    add(RecordedEvent.Kind.WAKE, task, waker == null ? 0 : waker.id(), null);
  }

  @Override
  public void cancelled(Task<?> task, @Nullable Task<?> canceller, String description) {
    add(RecordedEvent.Kind.CANCEL, task, canceller == null ? 0 : canceller.id(), description);
  }

  @Override
  public void ended(Task<?> task) {
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
    boolean _ = open.makeTasks(ALL_TASKS);
    int _ = open.visitTasks(0, ALL_TASKS, task -> names.put(task.id(), task.name()));
    lastNames = names;
    closedAt = recorder.count();
    loop = null;
  }

  /// Visits the live tasks except those of add-ons.
  void visitTasks(BiConsumer<LoopView, Task<?>> visitor) {
    LoopView open = loop;
    if (open != null) {
      boolean _ = open.makeTasks(ALL_TASKS);
      int _ = open.visitTasks(0, ALL_TASKS, task -> visitor.accept(open, task));
    }
  }
}
