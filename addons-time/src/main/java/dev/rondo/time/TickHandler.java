package dev.rondo.time;

/// An action that receives its [Timer], to cancel or reschedule it, or to read its counts.
@FunctionalInterface
public interface TickHandler {

  /// Handles one tick, in a task of its own. May suspend at any depth.
  ///
  /// @param timer the timer that ticks
  /// @throws Exception ends the timer and goes to its joiners or to the scheduler's failure handler
  void handle(Timer timer) throws Exception;
}
