package dev.rondo.application;

import dev.rondo.condition.WaitForCondition;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.coroutine.PlaceholderCoroutine;
import dev.rondo.time.WaitForTime;

/// A placeholder that uses every module.
public final class Application {
  private Application() {}

  /// Says what it found.
  ///
  /// @return a sentence
  public static String describe() {
    long sum = WaitForTime.now() + WaitForIO.now() + WaitForCondition.now();
    return "continuation turns=" + PlaceholderCoroutine.turns() + " sum=" + sum;
  }
}
