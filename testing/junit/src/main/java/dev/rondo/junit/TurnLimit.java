package dev.rondo.junit;

import dev.rondo.exploration.Choices;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.TaskListener;
import org.jspecify.annotations.Nullable;

/// Counts the turns of a run as steps of its choices, and stops the loop when the run is given up.
/// An attempt at a simpler run may wait in a loop for ever.
///
/// Confined to the loop's thread.
final class TurnLimit implements TaskListener {

  private final Choices choices;
  private @Nullable Scheduler scheduler;
  private @Nullable RuntimeException exceeded;

  TurnLimit(Choices choices) {
    this.choices = choices;
  }

  /// @param stopped when the run is given up
  void limits(Scheduler stopped) {
    scheduler = stopped;
  }

  /// {@return why the run was given up; null if it was not} What is run then, to clean up, has no
  /// limit.
  @Nullable RuntimeException exceeded() {
    return exceeded;
  }

  @Override
  public void beforeTurn(Task<?> task) {
    Scheduler limited = scheduler;
    if (limited == null || exceeded != null) {
      return;
    }
    try {
      choices.step();
    } catch (RuntimeException e) {
      exceeded = e;
      limited.stop();
    }
  }
}
