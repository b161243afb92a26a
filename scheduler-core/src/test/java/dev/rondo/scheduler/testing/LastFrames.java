package dev.rondo.scheduler.testing;

import dev.rondo.scheduler.TaskAction;

/// A recursion to the end of the stack, which does something in each of its last frames.
public final class LastFrames {

  private final int most;
  private int left;

  /// @param most in how many frames; more than the operation needs room for
  public LastFrames(int most) {
    this.most = most;
  }

  /// Runs an operation in each of the last frames before the end of the stack, from the last one
  /// on. It may fail with a `StackOverflowError` in each of them.
  ///
  /// @return how many frames there were
  @SuppressWarnings("InfiniteRecursion")
  public int run(TaskAction<?> operation) throws Exception {
    int deeper = 0;
    try {
      deeper = run(operation);
    } catch (StackOverflowError e) {
      left = most;
    }
    if (left > 0) {
      left--;
      attempt(operation);
    }
    return deeper + 1;
  }

  private static void attempt(TaskAction<?> operation) throws Exception {
    try {
      operation.run();
    } catch (StackOverflowError e) {
      // One frame up there is more room.
    }
  }
}
