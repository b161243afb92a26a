package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAbandonedException;
import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.addon.LoopView;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.coroutine.TurnRunner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The door to the room `engine.view`, which shows a loop to its observers, describes tasks, keeps
/// contexts with them, and checks what they do. See [Rooms].
public abstract class Views {

  /// The most tasks that [#listOf] describes, so that a report stays readable.
  private static final int MOST_LISTED = 1_000;

  /// For the room.
  protected Views() {}

  /// A loop as its observers see it.
  public interface View extends LoopView {

    /// Opens the observers of a scheduler, when the rest of it is complete.
    ///
    /// @return the hooks for them; null if none is needed
    @Nullable TurnHooks open(Settings settings);

    /// Closes them, the last first.
    void close();
  }

  /// What is checked while debugging, on the thread of the loop.
  public interface Checks {

    /// Called before a task gives way.
    ///
    /// @throws IllegalStateException if it must not do that now
    void beforeGivingWay(TaskCore<?> task);

    /// Called before a run begins.
    ///
    /// @throws IllegalStateException if the caller must not drive the scheduler
    void beforeDriving(String call);
  }

  /// Keeps the contexts of libraries with the tasks, on the thread of the loop.
  public interface Contexts {

    /// {@return the context of this thread; null if there is none}
    @Nullable Object @Nullable [] capture();

    /// {@return the code, to be run later with the context of now}
    Runnable keeping(Runnable code);

    /// Called before and after a turn.
    void beforeTurn(TaskCore<?> task);

    /// See [#beforeTurn].
    void afterTurn(TaskCore<?> task);

    /// Called when a task begins on a thread of its own, which keeps the context from now on.
    void begin(TaskCore<?> task);

    /// Called when a turn on a thread of a [TurnRunner] is over. It has no context of its own.
    void end(TaskCore<?> task);
  }

  /// {@return the room}
  public static Views room() {
    return Rooms.behind(Views.class);
  }

  // For the faces.

  /// See [TaskInfo#of].
  public static TaskInfo infoOf(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    core.loop.checkCaller();
    return core.info();
  }

  /// See [TaskMetrics#of].
  public static Optional<TaskMetrics> metricsOf(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    core.loop.checkCaller();
    return Optional.ofNullable(core.meter()).map(Supplier::get);
  }

  /// {@return what the first thousand of some tasks are doing, with their stacks}
  public static List<TaskInfo> listOf(List<TaskCore<?>> tasks) {
    return tasks.stream().limit(MOST_LISTED).map(TaskCore::info).toList();
  }

  // For the room.

  /// {@return a loop as its observers see it}
  protected abstract View view(Loop loop);

  /// {@return what keeps contexts with the tasks of one loop}
  protected abstract Contexts contexts(
      List<ContextPropagation<?>> propagations, BiConsumer<String, Throwable> report);

  /// {@return checks for one loop}
  protected abstract Checks checks();

  /// {@return what a task is doing, with its stack}
  protected abstract TaskInfo info(TaskCore<?> task);

  /// {@return a line, followed by a description of each task, of some of many}
  public abstract String naming(String what, List<TaskCore<?>> tasks);

  /// {@return the report of a task that has no more turns}
  ///
  /// @param more how many other tasks the report stands for, which have not begun either
  /// @param when what the scheduler was, and why
  public abstract TaskAbandonedException abandoned(TaskCore<?> task, int more, String when);

  /// {@return the report of the current task, which has received its cancellation many times}
  protected abstract CancelIgnoredException deliveredOften(
      TaskCore<?> task, CancelRequest request, int times);

  /// {@return the report of a task, not the current one, whose time to end is over}
  protected abstract CancelIgnoredException outOfPatience(
      TaskCore<?> task, CancelRequest request, Duration grace);
}
