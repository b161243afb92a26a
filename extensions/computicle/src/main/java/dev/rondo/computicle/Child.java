package dev.rondo.computicle;

/// A computicle or pool that ends with the scheduler whose task has started it, see [Children].
interface Child {

  /// Asks the child to end, with its grace. Any thread.
  void quit();

  /// Cancels its tasks, which have its grace to clean up. Any thread.
  void cancel();

  /// Blocks the calling thread until the child has ended. Any thread.
  void blockUntilEnded();
}
