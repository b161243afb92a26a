package dev.rondo.scheduler.engine.util;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the frames on a stack that tell something about a task. The room `engine.view` has the
/// implementation. Any thread.
public interface StackFilter {

  StackFilter ALL = RoomClass.STACKS.make(StackFilter.class);

  /// {@return the frames below the call that parks the task, without those of the engine}
  List<StackTraceElement> useful(List<StackTraceElement> stack);

  /// {@return the frame that called the engine; null if there is none on the stack}
  ///
  /// @param site of the call
  @Nullable StackTraceElement callerIn(Throwable site);
}
