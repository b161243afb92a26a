package dev.rondo.benchmarks.bugs;

import dev.rondo.exploration.Choices;
import java.util.List;
import java.util.stream.Stream;

/// A program that is right in the usual order of its tasks, and fails in some other; and the same
/// program, mended.
///
/// @param name what is wrong
/// @param program spawns its tasks
record Bug(String name, Program program) {

  /// The tasks of a program and what holds when they have ended.
  @FunctionalInterface
  interface Program {
    void begin(BugRun run);
  }

  /// {@return all of them}
  static List<Bug> all() {
    return Stream.of(
            UpdateBugs.all(), LockBugs.all(), SignalBugs.all(), CacheBugs.all(), EndBugs.all())
        .flatMap(List::stream)
        .toList();
  }

  /// Runs it once.
  ///
  /// @throws AssertionError if something does not hold that should
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
