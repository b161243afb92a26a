package dev.rondo.benchmarks.bugs;

import dev.rondo.exploration.Choices;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/// One run of a [Bug].
final class BugRun {

  private final boolean mended;
  private final List<Throwable> failures = new ArrayList<>();
  private Runnable checks = () -> {};
  private final Scheduler scheduler;

  BugRun(Choices choices, boolean mended) {
    this.mended = mended;
    this.scheduler =
        Scheduler.builder()
            .policy(choices::policy)
            .failureHandler((where, failure) -> failed(failure))
            .build();
  }

  private void failed(Throwable failure) {
    if (!(failure instanceof CancellationException)) {
      failures.add(failure);
    }
  }

  void run(Bug.Program program) {
    try (scheduler) {
      program.begin(this);
      scheduler.start();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.getFirst());
    }
    checks.run();
  }

  /// {@return whether the program is the mended one}
  boolean mended() {
    return mended;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Task<Void> spawn(String name, TaskAction<?> action) {
    return scheduler.spawn(name, action);
  }

  /// The task waits, for instance for a disk, a peer or a user.
  void pause() {
    scheduler.yield();
  }

  void pause(int times) {
    for (int i = 0; i < times; i++) {
      scheduler.yield();
    }
  }

  /// Adds a condition for the time when all tasks have ended.
  void atTheEnd(String expectation, BooleanSupplier holds) {
    checks = () -> require(expectation, holds.getAsBoolean());
  }

  static void require(String expectation, boolean holds) {
    if (!holds) {
      throw new AssertionError("does not hold: " + expectation);
    }
  }
}
