package dev.rondo.scheduler;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Cuts stacks down to what belongs to a task, and that to what a reader wants.
final class Stacks {

  /// Where the code of a task begins: class and method.
  private static final Set<String> ENTRIES =
      Set.of(StackfulTask.class.getName() + ".run", StepTask.class.getName() + ".turn");

  /// Classes of ours whose frames say nothing about a task.
  private static final Set<String> MACHINERY =
      Set.of(
          StackfulTask.class.getName(),
          Stacks.class.getName(),
          TaskInfo.class.getName(),
          TaskDump.class.getName());

  private Stacks() {}

  /// The stack of the task whose turn it is; called in that turn.
  static StackTraceElement[] ofRunningTask() {
    return upToTask(Thread.currentThread().getStackTrace());
  }

  /// The frames of the innermost task on a thread's stack; all frames if there is none.
  static StackTraceElement[] upToTask(StackTraceElement[] all) {
    for (int i = 0; i < all.length; i++) {
      if (ENTRIES.contains(all[i].getClassName() + "." + all[i].getMethodName())) {
        return Arrays.copyOf(all, i);
      }
    }
    return all;
  }

  /// Whether `System.exit` or the like was called there: it does not return.
  static boolean isExitOfTheJvm(StackTraceElement[] stack) {
    return Arrays.stream(stack).anyMatch(each -> each.getClassName().equals("java.lang.Shutdown"));
  }

  /// The frames that are not machinery of the JDK's or ours.
  static Stream<StackTraceElement> useful(List<StackTraceElement> stack) {
    return stack.stream().dropWhile(Stacks::isWayOut).filter(frame -> !isMachinery(frame));
  }

  /// Like [#useful], with the frames at the top: where exactly a task is held up is what matters.
  static Stream<StackTraceElement> held(List<StackTraceElement> stack) {
    return stack.stream().filter(frame -> !isMachinery(frame));
  }

  /// Whether a frame at the top of a stack only leads out of the task.
  private static boolean isWayOut(StackTraceElement frame) {
    return frame.getClassName().startsWith("java.") || isMachinery(frame);
  }

  private static boolean isMachinery(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.startsWith("jdk.internal.vm.")
        || type.startsWith("java.lang.VirtualThread")
        || type.startsWith("dev.rondo.scheduler.coroutine.")
        || MACHINERY.contains(type);
  }
}
