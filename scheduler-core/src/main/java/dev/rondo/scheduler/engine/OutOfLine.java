package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import org.jspecify.annotations.Nullable;

/// Calls that the JIT compiler does not inline: of what a task does before it leaves its stack,
/// after it was woken, and at its end.
///
/// The frames of the callers are on the stacks of all tasks that wait. Code that is inlined makes
/// the frame of its caller larger, though most of it is not needed while the task waits: up to half
/// of a stack was room for such code. The JVM copies the stack twice for each wait, and a million
/// sleeping tasks keep a million copies.
///
/// This class is a `Throwable` because HotSpot's optimizing compiler inlines no methods of
/// throwables into methods of other classes, if there is a method between the two and the one that
/// it compiles: hence the small methods in [StackfulTask] that call these. Nothing is thrown. The
/// JDK's annotation against inlining has no effect outside of the JDK. A compiler that inlines
/// these calls makes larger frames, and nothing else changes.
@SuppressWarnings("serial")
final class OutOfLine extends Throwable {

  private OutOfLine() {}

  /// [StackfulTask#beginInline].
  static boolean begin(StackfulTask<?> task, Waitable<?> asked, @Nullable WaitLimit limit) {
    return task.beginInline(asked, limit);
  }

  /// [StackfulTask#parkOrGoOn].
  static boolean parkOrGoOn(StackfulTask<?> task, TaskState whereTo) {
    return task.parkOrGoOn(whereTo);
  }

  /// [StackfulTask#takeDeliveredInline].
  static @Nullable Object takeDelivered(StackfulTask<?> task) {
    return task.takeDeliveredInline();
  }

  /// [StackfulTask#endInline].
  static void end(StackfulTask<?> task, @Nullable Object value, @Nullable Throwable thrown) {
    task.endInline(value, thrown);
  }
}
