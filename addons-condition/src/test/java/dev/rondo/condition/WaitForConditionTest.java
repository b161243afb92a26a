package dev.rondo.condition;

import dev.rondo.scheduler.testing.PlaceholderContract;

final class WaitForConditionTest extends PlaceholderContract {
  @Override
  protected int subject() {
    return 1;
  }
}
