package dev.rondo.observe.internal;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.internal.rooms.TaskWait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.FlightRecorder;

/// Records the turns, waits and ends of tasks as events of the JDK's flight recorder. An event that
/// no recording enables costs only the check.
public final class JfrRecorder implements EngineListener {

  private final LoopView loop;
  private final JfrDump dump;

  /// The wait events of parked tasks, committed when the task has its next turn.
  private final Map<Task<?>, JfrEvents.Wait> waiting = new HashMap<>();

  /// The event of the current turn. Reused, because most are not committed.
  private final JfrEvents.Turn turn = new JfrEvents.Turn();

  /// The end events since the end of the last turn. Committed on the loop's thread only: on JDK 25,
  /// when a virtual thread commits an event just before it ends, its carrier loses the next one.
  private final List<JfrEvents.End> ended = new ArrayList<>();

  private JfrRecorder(LoopView loop) {
    this.loop = loop;
    this.dump = JfrDump.open(() -> loop);
  }

  /// Starts to record.
  ///
  /// @throws IllegalStateException if this JVM has no flight recorder
  public static EngineListener open(LoopView loop) {
    if (!FlightRecorder.isAvailable()) {
      throw new IllegalStateException(
          "this JVM has no flight recorder: leave out flightRecorder()");
    }
    return new JfrRecorder(loop);
  }

  @Override
  public void beforeTurn(Task<?> task) {
    commitEnded();
    JfrEvents.Wait wait = waiting.isEmpty() ? null : waiting.remove(task);
    if (wait != null) {
      wait.commit();
    }
    if (!loop.hasBegun(task)) {
      started(task);
    }
    turn.begin();
  }

  private static void started(Task<?> task) {
    var event = new JfrEvents.Start();
    if (event.isEnabled()) {
      event.of(task);
      event.parentId = task.parentId().orElse(0);
      event.commit();
    }
  }

  @Override
  public void afterTurn(Task<?> task) {
    commitEnded();
    turn.end();
    if (turn.shouldCommit()) {
      turn.of(task);
      turn.state = task.taskState().name();
      turn.commit();
    }
    TaskState state = task.taskState();
    if (state.isSchedulable() || state == TaskState.BLOCKED) {
      suspended(task);
    }
  }

  private void suspended(Task<?> task) {
    var event = new JfrEvents.Wait();
    if (event.isEnabled()) {
      event.of(task);
      event.state = task.taskState().name();
      Waitable<?> awaited = loop.awaited(task);
      if (awaited != null) {
        event.waitingFor = ReportText.describe(awaited);
        event.holder = TaskWait.holderName(awaited);
      }
      event.begin();
      waiting.put(task, event);
    }
  }

  @Override
  public void ended(Task<?> task) {
    waiting.remove(task);
    var event = new JfrEvents.End();
    if (event.isEnabled()) {
      event.of(task);
      event.state = task.taskState().name();
      if (task.outcome() instanceof Outcome.Failure<?> failure) {
        event.failure = failure.cause().getClass().getName();
      }
      event.begin();
      event.end();
      ended.add(event);
    }
  }

  private void commitEnded() {
    if (!ended.isEmpty()) {
      ended.forEach(JfrEvents.End::commit);
      ended.clear();
    }
  }

  @Override
  public void closed() {
    commitEnded();
    dump.close();
  }
}
