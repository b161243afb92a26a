package dev.rondo.scheduler.engine.observe;

import dev.rondo.scheduler.observe.TaskListener;

/// A listener of the engine's own. It does not block, and is called where the loop runs.
public interface EngineListener extends TaskListener {

  /// Actions that other threads have posted are about to run, outside of tasks.
  default void beforeActions() {}

  /// They have run.
  default void afterActions() {}
}
