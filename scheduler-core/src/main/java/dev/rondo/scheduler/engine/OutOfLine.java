package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/// Calls of what a wait does before the task parks and after it was woken, which the JIT does not
/// inline.
///
/// The frames of the callers are on the stacks of all tasks that wait. Code that the JIT inlines
/// makes the frame of its caller larger, though most of it is not needed while the task waits: up
/// to half of a stack was room for such code. The JVM copies the stack twice for each wait, and a
/// million sleeping tasks keep a million copies.
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
