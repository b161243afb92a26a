package dev.rondo.benchmarks.calls;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import java.util.ArrayList;
import java.util.List;

/// Makes a task do the same thing many times, and records the calls of the last runs.
final class Recorder {

  /// Runs before the first that counts, so that the loop is steady.
  private static final int WARMUPS = 200;

  private static final int RECORDINGS = 101;

  private final boolean withDepth;
  private final List<Recording> recordings = new ArrayList<>();
  private boolean warm;
  private int operations;

  Recorder(boolean withDepth) {
    this.withDepth = withDepth;
  }

  /// Records all calls of an action.
  ///
  /// @param scheduler runs until the task has ended
  void repeat(Scheduler scheduler, TaskAction<?> action) {
    repeatMarked(
        scheduler,
        () -> {
          begin();
          action.run();
          end();
        });
  }

  /// Records those calls of an action that are between its own [#begin()] and [#end()].
  ///
  /// @param scheduler runs until the task has ended
  void repeatMarked(Scheduler scheduler, TaskAction<?> action) {
    var task =
        scheduler.spawn(
            "repeats",
            () -> {
              for (int i = 0; i < WARMUPS + RECORDINGS; i++) {
                warm = i >= WARMUPS;
                action.run();
              }
            });
    scheduler.start();
    task.join();
  }

  /// Counts an operation that another one brings about: ends the recording of the one before, and
  /// begins the next.
  ///
  /// @return whether that was the last
  boolean passOn() {
    if (warm) {
      end();
    }
    operations++;
    warm = operations >= WARMUPS;
    begin();
    return operations > WARMUPS + RECORDINGS;
  }

  void begin() {
    if (warm) {
      CallLog.begin(withDepth);
    }
  }

  void end() {
    if (warm) {
      recordings.add(CallLog.end());
    }
  }

  /// {@return the recordings}
  List<Recording> recordings() {
    return recordings;
  }
}
