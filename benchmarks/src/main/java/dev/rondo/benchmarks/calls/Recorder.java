package dev.rondo.benchmarks.calls;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import java.util.ArrayList;
import java.util.List;

/// Makes a task do the same thing many times, and records the calls of the last runs.
final class Recorder {

  /// The number of runs before the first counted run, so that the loop is steady.
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

  /// Records the calls of an action between its own [#begin()] and [#end()].
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

  /// Counts one of a chain of operations: ends the recording of the last operation, and begins the
  /// next recording.
  ///
  /// @return whether that was the last recording
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
