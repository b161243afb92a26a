package dev.rondo.scheduler.internal;

/// The event of a wait whose claim was taken. The thread that took the claim posts the event to the
/// scheduler of the waiter, see [dev.rondo.scheduler.Scheduler#post].
///
/// Any other action can be posted instead. But if the stack of the waiting task turns out to be
/// pinned, the task needs its event at once: it finds a promised event among the posted actions,
/// and its wait succeeds. With any other action the wait fails although the operation has taken
/// effect.
public interface PromisedEvent extends Runnable {

  /// {@return the claim that was taken} Any thread.
  WaitClaim claim();

  /// Calls [WaitClaim#fire]. Called on the scheduler's thread, as a posted action or within the
  /// suspension point of the waiting task.
  @Override
  void run();
}
