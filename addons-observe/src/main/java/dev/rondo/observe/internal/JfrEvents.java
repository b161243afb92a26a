package dev.rondo.observe.internal;

import dev.rondo.scheduler.Task;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// Rondo's events in a flight recording. Tools depend on their names and fields.
final class JfrEvents {

  private JfrEvents() {}

  /// The fields that all events have.
  @Category("Rondo")
  @StackTrace(false)
  abstract static class OfTask extends Event {

    @Label("Task Id")
    long taskId;

    @Label("Task Name")
    @Nullable String taskName;

    final void of(Task<?> task) {
      taskId = task.id();
      taskName = task.name();
    }
  }

  /// A task is about to have its first turn.
  @Name("dev.rondo.TaskStart")
  @Label("Task Start")
  @Description("A task is about to have its first turn")
  static final class Start extends OfTask {

    @Label("Parent Id")
    @Description("The id of the task that made it; 0 if it was made outside of tasks")
    long parentId;
  }

  /// A task had a turn.
  @Name("dev.rondo.TaskTurn")
  @Label("Task Turn")
  @Description("A task had a turn")
  @Threshold("1 ms")
  static final class Turn extends OfTask {

    @Label("State")
    @Description("The state of the task after the turn")
    @Nullable String state;
  }

  /// A task was parked.
  @Name("dev.rondo.TaskWait")
  @Label("Task Wait")
  @Description("A task was parked, from the end of one turn to the beginning of the next")
  @Threshold("20 ms")
  static final class Wait extends OfTask {

    @Label("State")
    @Nullable String state;

    @Label("Waiting For")
    @Nullable String waitingFor;

    @Label("Holder")
    @Description("The name of the task that had to act first")
    @Nullable String holder;
  }

  /// A task has ended.
  @Name("dev.rondo.TaskEnd")
  @Label("Task End")
  @Description("A task has ended")
  static final class End extends OfTask {

    @Label("State")
    @Nullable String state;

    @Label("Failure")
    @Description("The class of its failure")
    @Nullable String failure;
  }

  /// The state of a task. A periodic dump makes one event for each task.
  @Name("dev.rondo.TaskDump")
  @Label("Task Dump")
  @Description("What a task is doing; one event for each task that has not ended")
  @Enabled(false)
  @Period("endChunk")
  static final class Dump extends OfTask {

    @Label("Loop Thread")
    @Nullable String loopThread;

    @Label("State")
    @Nullable String state;

    @Label("Waiting For")
    @Nullable String waitingFor;

    @Label("Holder")
    @Nullable String holder;

    @Label("Since")
    @Timespan(Timespan.NANOSECONDS)
    long since;

    @Label("Parent Id")
    @Description("The id of the task that made it; 0 if it was made outside of tasks")
    long parentId;

    @Label("Stack")
    @Nullable String stack;
  }
}
