package dev.rondo.condition;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [WaitForCondition#condition] over a cell as a Waitable.
final class CellConditionContractTest extends WaitableContract<Boolean> {

  private WaitForCondition conditions;
  private Cell<Boolean> happened;

  @Override
  protected Waitable<Boolean> make() {
    conditions = WaitForCondition.on(scheduler);
    happened = new Cell<>(scheduler, "happened", false);
    return conditions.condition(happened::get);
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected Boolean happen() {
    happened.set(true);
    return true;
  }

  @Override
  protected int registered() {
    return conditions.waiterCount();
  }
}
