package dev.rondo.observe.internal;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.view.Stacks;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of a loop that does not answer, as another thread sees it. The values are read without
/// synchronization, see [LoopView#state()], but a loop that does not answer rarely changes them.
///
/// @param threadHasEnded whether the thread of the loop has ended, so that there can be no answer
/// @param isDriven whether `start()`, `run()` or `step()` is on the stack
/// @param task the name of the task that has its turn; null between turns
/// @param action the posted action that is running; null if none is
/// @param sinceLastPass the time since the loop last read its inbox; the turn began after that
/// @param stack of the thread that has the turn, innermost frame first
record LoopSnapshot(
    boolean threadHasEnded,
    boolean isDriven,
    @Nullable String task,
    @Nullable String action,
    Duration sinceLastPass,
    List<StackTraceElement> stack) {

  /// Takes a snapshot. Any thread.
  static LoopSnapshot of(LoopView loop) {
    LoopView.State state = loop.state();
    Task<?> task = state.running();
    Thread thread = task == null ? loop.thread() : loop.threadOf(task);
    return new LoopSnapshot(
        !loop.thread().isAlive(),
        state.isDriven(),
        task == null ? null : task.name(),
        task == null ? loop.runningAction() : null,
        Duration.ofNanos(Math.max(0, loop.ticker().read() - state.passNanos())),
        List.of(Stacks.upToTask(thread.getStackTrace())));
  }

  /// {@return lines for people, the stack among them, each with a line end}
  String report() {
    var text = new StringBuilder(describe()).append('\n');
    Stacks.held(stack).forEach(frame -> text.append("    at ").append(frame).append('\n'));
    return text.toString();
  }

  String describe() {
    if (threadHasEnded) {
      return "the loop does not answer: its thread has ended, and nothing has closed the scheduler";
    }
    String since = ReportText.duration(sinceLastPass);
    if (task != null) {
      return "the loop does not answer: task '"
          + ReportText.escaped(task)
          + "' has its turn, and the last pass of the loop was "
          + since
          + " ago; the task is at";
    }
    if (action != null) {
      return "the loop does not answer: '"
          + ReportText.escaped(action)
          + "' is running, and the last pass of the loop was "
          + since
          + " ago; its thread is at";
    }
    return isDriven
        ? "the loop does not answer, and its last pass was " + since + " ago; its thread is at"
        : "the loop does not answer: start(), run() or step() of this scheduler is not on the stack"
            + " of its thread, which is at";
  }

  @Override
  public String toString() {
    return describe();
  }
}
