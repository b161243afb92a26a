package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/// Calls the two halves of a wait, before the task parks and after it was woken, in a way that the
/// JIT does not inline.
///
/// The frames of the callers are on the stacks of all tasks that wait. Code that the JIT inlines
/// makes the frame of its caller larger, though most of that room is not needed while the task
/// waits: it was up to half of a stack. The JVM copies the stack twice for each wait, and a million
/// sleeping tasks keep a million copies.
///
/// The JDK's annotation against inlining has no effect outside of the JDK. The JIT does not inline
/// the targets of method handles that are not constants.
@SuppressWarnings("FieldMayBeFinal") // a final one is a constant
final class OutOfLine {

  private static MethodHandle begin;
  private static MethodHandle takeDelivered;

  static {
    Lookup own = MethodHandles.lookup();
    try {
      begin =
          own.findVirtual(
              StackfulTask.class,
              "begin",
              MethodType.methodType(boolean.class, Waitable.class, WaitLimit.class));
      takeDelivered =
          own.findVirtual(StackfulTask.class, "takeDelivered", MethodType.methodType(Object.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private OutOfLine() {}

  /// Initializes this class. If the first wait did that on a stack that is exhausted, the class
  /// could never be used.
  static void initialize() {}

  /// [StackfulTask#begin].
  @SuppressWarnings("rawtypes") // the types of the method are erased
  static boolean begin(StackfulTask<?> task, Waitable<?> asked, @Nullable WaitLimit limit) {
    try {
      return (boolean) begin.invokeExact((StackfulTask) task, (Waitable) asked, limit);
    } catch (Throwable e) {
      throw Throwables.rethrow(e);
    }
  }

  /// [StackfulTask#takeDelivered].
  @SuppressWarnings("rawtypes")
  static @Nullable Object takeDelivered(StackfulTask<?> task) {
    try {
      return takeDelivered.invokeExact((StackfulTask) task);
    } catch (Throwable e) {
      throw Throwables.rethrow(e);
    }
  }
}
