package dev.rondo.condition;

import dev.rondo.scheduler.Task;

/// Tests of predicates about a level.
abstract class ConditionFixture extends OnEveryBackend {

  /// The state that the predicates read.
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
