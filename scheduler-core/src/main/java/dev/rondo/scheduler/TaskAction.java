package dev.rondo.scheduler;

/// Code without a result that may fail with anything.
@FunctionalInterface
public interface TaskAction {

  /// Runs the code.
  ///
  /// @throws Exception whatever the code fails with
  void run() throws Exception;
}
