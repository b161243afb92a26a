package dev.rondo.condition;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [WaitForCondition#condition] as a Waitable.
final class ConditionContractTest extends WaitableContract<Boolean> {

  private WaitForCondition conditions;
  private boolean happened;

  @Override
  protected Waitable<Boolean> make() {
    conditions = WaitForCondition.on(scheduler);
    return conditions.condition(() -> happened);
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected Boolean happen() {
    happened = true;
    return true;
  }

  @Override
  protected int registered() {
    return conditions.waiterCount();
  }
}
