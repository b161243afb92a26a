package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;

/// What the children of groups do in tests.
abstract class GroupFixture extends SchedulerTest {

  static final Duration SECOND = Duration.ofSeconds(1);

  /// Waits for a number of turns.
  final void turns(int count) {
    for (int i = 0; i < count; i++) {
      scheduler.yield();
    }
  }

  final String after(int turns, String value) {
    turns(turns);
    trace(value);
    return value;
  }

  final String failAfter(int turns, String message) throws IOException {
    turns(turns);
    trace(message);
    throw new IOException(message);
  }

  /// Waits until it is cancelled, and traces that.
  final String hang(String name) {
    try {
      scheduler.suspend();
      return name;
    } finally {
      trace(name + "-ended");
    }
  }

  /// Waits until it is cancelled, and then cleans up for a second.
  final String hangAndCleanUp(String name) throws Exception {
    try {
      scheduler.suspend();
      return name;
    } finally {
      scheduler.shielded(() -> {
        assertThrows(TimedOutException.class, () -> scheduler.await(Waitable.never(), SECOND));
        return null;
      });
      trace(name + "-cleaned");
    }
  }

  /// Runs a block in a group, and returns the failure that the group throws.
  static TaskFailedException failureOf(TaskGroup<?> group, TaskAction<?> block) {
    return assertThrows(TaskFailedException.class, () -> group.run(block));
  }

  /// [#failureOf] for a block with a result.
  static TaskFailedException failureOfCall(TaskGroup<?> group, TaskCall<?, ?> block) {
    return assertThrows(TaskFailedException.class, () -> group.run(block));
  }
}
