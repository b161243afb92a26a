package dev.rondo.scheduler;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What another thread can see of a loop that does not answer: a guess, made by reading the loop's
/// own fields without any order. It is right if the loop has been where it is for a while, which is
/// why it does not answer.
///
/// @param isDriven whether somebody is in `start()`, `run()` or `step()`
/// @param task whose turn it is; null if it is nobody's
/// @param sinceLastPass how long ago the loop last looked into its inbox; the turn began since then
/// @param stack of the thread that has the turn, innermost frame first
record LoopSnapshot(
    boolean isDriven,
    @Nullable String task,
    Duration sinceLastPass,
    List<StackTraceElement> stack) {

  /// Any thread.
  static LoopSnapshot of(Loop loop) {
    Task<?> task = loop.runningTask();
    return new LoopSnapshot(
        loop.isDriven(),
        task == null ? null : task.name(),
        Duration.ofNanos(Math.max(0, loop.ticker.read() - loop.roundNanos)),
        List.of(Stacks.upToTask(threadOf(loop, task).getStackTrace())));
  }

  /// The thread that has the turn: the task's own if it has one.
  static Thread threadOf(Loop loop, @Nullable Task<?> task) {
    Thread own = task instanceof StackfulTask<?> stackful ? stackful.thread() : null;
    return own == null ? loop.loopThread.thread() : own;
  }

  String describe() {
    String since = Durations.readable(sinceLastPass);
    if (task != null) {
      return "the loop does not answer: it is in the turn of task '"
          + task
          + "', and last looked around "
          + since
          + " ago; that turn is at";
    }
    return isDriven
        ? "the loop does not answer, and last looked around " + since + " ago; its thread is at"
        : "the loop does not answer: nobody is in start(), run() or step() of this scheduler; its"
            + " thread is at";
  }
}
