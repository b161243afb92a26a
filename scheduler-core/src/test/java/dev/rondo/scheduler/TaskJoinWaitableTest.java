package dev.rondo.scheduler;

import dev.rondo.scheduler.testing.WaitableContract;

/// The end of a task.
class TaskJoinWaitableTest extends WaitableContract<Object> {

  private Task<Object> target;

  @Override
  protected Waitable<Object> make() {
    target = scheduler.<Object>newTask("target", () -> scheduler.suspend()).daemon();
    scheduler.scheduleTask(target);
    return target;
  }

  /// A task refuses others by itself, and names its future instead: see NestingTest.
  @Override
  protected boolean isForAnyScheduler() {
    return true;
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected Object happen() {
    scheduler.scheduleTask(target, "result");
    return "result";
  }

  @Override
  protected int registered() {
    return UNKNOWN;
  }
}
