package dev.rondo.time;

import dev.rondo.scheduler.testing.PlaceholderContract;

final class WaitForTimeTest extends PlaceholderContract {
  @Override
  protected int subject() {
    return 1;
  }
}
