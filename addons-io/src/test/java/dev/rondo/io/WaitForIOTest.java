package dev.rondo.io;

import dev.rondo.scheduler.testing.PlaceholderContract;

final class WaitForIOTest extends PlaceholderContract {
  @Override
  protected int subject() {
    return 1;
  }
}
