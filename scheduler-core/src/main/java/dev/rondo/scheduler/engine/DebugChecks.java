package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.SchedulerBuilder;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/// Finds what must not be on the stack when control changes hands, where tasks share a thread: a
/// monitor, because it belongs to the thread and so to all of them, and a `ScopedValue` binding,
/// which leaks to the others. Each check takes about 0.1 ms, so they are for debugging: see
/// [SchedulerBuilder#debug()].
final class DebugChecks {

  /// Where a coroutine begins.
  private static final String ENTRY = "jdk.internal.vm.Continuation";

  private static final String BINDING = "java.lang.ScopedValue$Carrier";

  private static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  /// @throws IllegalStateException if the task, which is about to give way, must not
  void beforeGivingWay(TaskCore<?> task) {
    ThreadInfo here = inspect();
    StackTraceElement[] stack = here.getStackTrace();
    int entry = depthOfEntry(stack);
    for (MonitorInfo monitor : here.getLockedMonitors()) {
      if (monitor.getLockedStackDepth() < entry) {
        throw new IllegalStateException(
            "task '%s' may give way while it holds the monitor of %s, locked at %s: other tasks would walk into it, or hang. Leave synchronized first, use a Mutex, or the BOUND backend"
                .formatted(task.name(), named(monitor), monitor.getLockedStackFrame()));
      }
    }
    for (int depth = 0; depth < entry; depth++) {
      if (stack[depth].getClassName().equals(BINDING)) {
        throw new IllegalStateException(
            "task '%s' may give way inside of a ScopedValue binding, made at %s: other tasks would see it. Use a TaskLocal, or the BOUND backend"
                .formatted(task.name(), maker(stack, depth)));
      }
    }
  }

  /// @throws IllegalStateException if the caller must not drive the scheduler
  void beforeDriving(String call) {
    for (MonitorInfo monitor : inspect().getLockedMonitors()) {
      throw new IllegalStateException(
          "%s while the caller holds the monitor of %s, locked at %s: it would be lost while a task is suspended. Leave synchronized first"
              .formatted(call, named(monitor), monitor.getLockedStackFrame()));
    }
  }

  private static ThreadInfo inspect() {
    long[] self = {Thread.currentThread().threadId()};
    return threads.getThreadInfo(self, true, false)[0];
  }

  /// How many frames from the top are the running task's own.
  private static int depthOfEntry(StackTraceElement[] stack) {
    int depth = 0;
    while (depth < stack.length && !stack[depth].getClassName().equals(ENTRY)) {
      depth++;
    }
    return depth;
  }

  private static String named(MonitorInfo monitor) {
    return monitor.getClassName() + '@' + Integer.toHexString(monitor.getIdentityHashCode());
  }

  /// The caller of the binding.
  private static StackTraceElement maker(StackTraceElement[] stack, int binding) {
    int depth = binding;
    while (depth < stack.length - 1
        && stack[depth].getClassName().startsWith("java.lang.ScopedValue")) {
      depth++;
    }
    return stack[depth];
  }
}
