package dev.rondo.benchmarks.bugs;

import dev.rondo.exploration.Choices;
import java.util.List;
import java.util.stream.Stream;

/// A program that works in the usual order of its tasks and fails in another order; and the same
/// program, mended.
///
/// @param name of the mistake
/// @param program spawns its tasks
record Bug(String name, Program program) {

  /// The tasks of a program, and the conditions that hold when they have ended.
  @FunctionalInterface
  interface Program {
    void begin(BugRun run);
  }

  /// {@return all bugs}
  static List<Bug> all() {
    return Stream.of(
            UpdateBugs.all(), LockBugs.all(), SignalBugs.all(), CacheBugs.all(), EndBugs.all())
        .flatMap(List::stream)
        .toList();
  }

  /// Runs the program once.
  ///
  /// @throws AssertionError if a condition does not hold
  /// @throws dev.rondo.scheduler.DeadlockException if tasks wait for ever
  void run(Choices choices) {
    new BugRun(choices, false).run(program);
  }

  /// Runs the mended program once.
  void runMended(Choices choices) {
    new BugRun(choices, true).run(program);
  }

  @Override
  public String toString() {
    return name;
  }
}
