package dev.rondo.condition;

import dev.rondo.scheduler.Task;

/// Tests of predicates about a level.
abstract class ConditionFixture extends OnEveryBackend {

  /// What the predicates are about.
  int level;

  int looks;

  final boolean atLeast(int bound) {
    looks++;
    return level >= bound;
  }

  final Task<Void> waiter(String name, int bound) {
    return scheduler.spawn(
        name,
        () -> {
          conditions.waitFor(() -> atLeast(bound));
          log(name);
        });
  }
}
