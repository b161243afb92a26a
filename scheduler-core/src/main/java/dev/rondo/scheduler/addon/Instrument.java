package dev.rondo.scheduler.addon;

/// A way to observe a scheduler: see [dev.rondo.scheduler.SchedulerBuilder#instrument]. Each
/// scheduler has those that the class path provides as services, too.
@FunctionalInterface
public interface Instrument {

  /// Opens the instrument for one scheduler, when the rest of that is complete. It adds its
  /// listeners to the loop.
  ///
  /// @param loop of the scheduler
  /// @throws IllegalStateException if the scheduler cannot have this instrument; the listeners that
  ///   are open are closed then
  void open(LoopView loop);
}
