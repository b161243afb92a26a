package dev.rondo.scheduler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Puts into flight recordings what tasks do. An event that no recording has asked for costs the
/// look whether one has.
final class JfrRecorder implements TaskListener {

  /// How long a periodic dump waits for each answer of the loop.
  private static final long PATIENCE_NANOS = 1_000_000_000;

  private final Loop loop;
  private final Runnable periodicDump = this::dump;

  /// Tasks that are out of circulation, and the event of that.
  private final Map<Task<?>, JfrEvents.Wait> waiting = new HashMap<>();

  /// The one of the turn that goes on: used again and again, for most are not committed.
  private final JfrEvents.Turn turn = new JfrEvents.Turn();

  /// What has ended since the last turn ended. Committed on the loop's thread only: on JDK 25 an
  /// event that a virtual thread commits just before it ends costs its carrier the next one.
  private final List<JfrEvents.End> ended = new ArrayList<>();

  private JfrRecorder(Loop loop) {
    this.loop = loop;
  }

  /// @throws IllegalStateException if this JVM has no flight recorder
  static TaskListener open(Loop loop) {
    if (!FlightRecorder.isAvailable()) {
      throw new IllegalStateException(
          "this JVM has no flight recorder: leave out flightRecorder()");
    }
    var recording = new JfrRecorder(loop);
    FlightRecorder.addPeriodicEvent(JfrEvents.Dump.class, recording.periodicDump);
    return recording;
  }

  @Override
  public void beforeTurn(Task<?> task) {
    commitEnded();
    JfrEvents.Wait wait = waiting.isEmpty() ? null : waiting.remove(task);
    if (wait != null) {
      wait.commit();
    }
    if (!task.entered) {
      started(task);
    }
    turn.begin();
  }

  private static void started(Task<?> task) {
    var event = new JfrEvents.Start();
    if (event.isEnabled()) {
      event.of(task);
      event.owner = task.parentId().orElse(0);
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
  }

  @Override
  public void suspended(Task<?> task) {
    var event = new JfrEvents.Wait();
    if (event.isEnabled()) {
      event.of(task);
      event.state = task.taskState().name();
      Waitable<?> awaited = task.awaited();
      if (awaited != null) {
        event.waitingFor = WaitDescriptions.describe(awaited);
        event.holder = WaitDescriptions.holderName(awaited);
      }
      event.begin();
      waiting.put(task, event);
    }
  }

  @Override
  public void done(Task<?> task) {
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
    FlightRecorder.removePeriodicEvent(periodicDump);
  }

  // The dump. On the recorder's thread.

  private void dump() {
    try {
      TaskDump.write(loop, new EventDump(), PATIENCE_NANOS);
    } catch (IOException e) {
      throw new AssertionError("events are not written to anything that could fail", e);
    }
  }

  /// Writes a dump as events.
  static final class EventDump implements DumpWriter {

    private @Nullable String loopThread;

    @Override
    public void begin(TaskDump.Head head) {
      loopThread = head.thread();
    }

    @Override
    public void task(TaskInfo task) {
      var event = new JfrEvents.Dump();
      event.taskId = task.id();
      event.taskName = task.name();
      event.loopThread = loopThread;
      event.state = task.state().name();
      event.waitingFor = task.waitingFor();
      event.holder = task.holder();
      event.since = task.since().toNanos();
      event.owner = task.parentId().orElse(0);
      event.stack =
          task.usefulStack().map(StackTraceElement::toString).collect(Collectors.joining("\n"));
      event.commit();
    }

    @Override
    public void end() {}

    /// One event for the task that keeps the loop from answering.
    @Override
    public void noAnswer(LoopSnapshot seen) {
      var event = new JfrEvents.Dump();
      event.taskName = seen.task();
      event.loopThread = loopThread;
      event.state = seen.describe();
      event.stack =
          Stacks.held(seen.stack())
              .map(StackTraceElement::toString)
              .collect(Collectors.joining("\n"));
      event.commit();
    }
  }
}
