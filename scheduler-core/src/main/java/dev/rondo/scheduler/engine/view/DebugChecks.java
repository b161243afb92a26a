package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks that a task which gives way holds no lock of the JDK and has no `ScopedValue` binding on
/// its stack. The checks are for backends where tasks share a thread. A lock would belong to the
/// thread, and so to all tasks, and a binding would be visible to all tasks. Each check takes about
/// 0.1 ms, so the checks are for debugging: see [SchedulerBuilder#debug()].
///
/// To find locks other than monitors, the JVM searches its heap. So each place in the program that
/// gives way is checked for such locks once, and again only while these checks take less than a
/// tenth of the time.
public final class DebugChecks implements Rooms.Checks {

  /// The class whose frame begins a coroutine.
  private static final String ENTRY = "jdk.internal.vm.Continuation";

  /// The class below that frame if the coroutine was entered directly.
  private static final String DIRECT = "dev.rondo.scheduler.coroutine.DirectSwitch";

  private static final String BINDING = "java.lang.ScopedValue$Carrier";

  /// Classes on top of the stack when a check is made.
  private static final List<String> OWN =
      List.of("sun.", "java.", "dev.rondo.scheduler.engine.", "dev.rondo.scheduler.Scheduler.");

  private static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  /// Repeated checks of places for locks take at most one part in this many of the time.
  private static final int TIME_PER_RECHECK = 10;

  /// The maximum number of places that are remembered.
  private static final int MOST_PLACES = 10_000;

  /// Hashes of the stacks that were checked for locks.
  private final Set<Integer> checkedPlaces = new HashSet<>();

  /// Identities of the locks that the thread holds outside of its tasks.
  private final Set<Integer> heldOutside = new HashSet<>();

  private final long startNanos = System.nanoTime();
  private long spentNanos;

  @Override
  public void beforeGivingWay(TaskCore<?> task) {
    ThreadInfo here = inspect();
    StackTraceElement[] stack = here.getStackTrace();
    int entry = depthOfEntry(stack);
    refuseForeignContinuation(task, stack, entry);
    for (MonitorInfo monitor : here.getLockedMonitors()) {
      if (monitor.getLockedStackDepth() < entry) {
        throw new IllegalStateException(
            "task '%s' may give way while it holds the monitor of %s, locked at %s: other tasks could enter it meanwhile, or hang. Leave synchronized first, use a Mutex, or the BOUND backend"
                .formatted(task.name(), named(monitor), monitor.getLockedStackFrame()));
      }
    }
    if (isDueForLocks(Arrays.hashCode(Arrays.copyOf(stack, entry)))) {
      for (LockInfo lock : heldLocks()) {
        if (!heldOutside.contains(lock.getIdentityHashCode())) {
          throw new IllegalStateException(
              "task '%s' may give way while it holds a lock, %s, at %s: the lock belongs to the thread, and excludes no other task. Unlock it first, use a Mutex, or the BOUND backend"
                  .formatted(task.name(), lock, caller(stack)));
        }
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

  /// Refuses a task that would give way inside a continuation which is not its coroutine. This
  /// applies if coroutines are entered directly, because the JVM would then suspend that
  /// continuation.
  ///
  /// @param entry the frame with which the innermost continuation begins
  private static void refuseForeignContinuation(
      TaskCore<?> task, StackTraceElement[] stack, int entry) {
    int below = entry;
    boolean byPublicMethods = false;
    while (below < stack.length && stack[below].getClassName().equals(ENTRY)) {
      byPublicMethods |= stack[below].getMethodName().equals("run");
      below++;
    }
    if (byPublicMethods && hasDirectEntry(stack, below)) {
      throw new IllegalStateException(
          "task '%s' may give way inside a jdk.internal.vm.Continuation that is run at %s: the JVM would suspend that continuation, and not the task. Give way outside of it, or start the JVM with --add-exports for jdk.internal.vm and not with --add-opens"
              .formatted(task.name(), stack[below]));
    }
  }

  private static boolean hasDirectEntry(StackTraceElement[] stack, int from) {
    return Arrays.stream(stack, from, stack.length)
        .anyMatch(frame -> frame.getClassName().equals(DIRECT));
  }

  @Override
  public void beforeDriving(String call) {
    ThreadInfo here = inspect();
    if (isDueForLocks(Arrays.hashCode(here.getStackTrace()))) {
      for (LockInfo lock : heldLocks()) {
        heldOutside.add(lock.getIdentityHashCode());
      }
    }
    for (MonitorInfo monitor : here.getLockedMonitors()) {
      throw new IllegalStateException(
          "%s while the caller holds the monitor of %s, locked at %s: it would be lost while a task is suspended. Leave synchronized first"
              .formatted(call, named(monitor), monitor.getLockedStackFrame()));
    }
  }

  /// @param place hash of the stack
  private boolean isDueForLocks(int place) {
    return (checkedPlaces.size() < MOST_PLACES && checkedPlaces.add(place))
        || spentNanos * TIME_PER_RECHECK < System.nanoTime() - startNanos;
  }

  /// The locks other than monitors that this thread owns.
  private List<LockInfo> heldLocks() {
    if (!threads.isSynchronizerUsageSupported()) {
      return List.of();
    }
    long begin = System.nanoTime();
    long[] self = {Thread.currentThread().threadId()};
    LockInfo[] held = threads.getThreadInfo(self, false, true)[0].getLockedSynchronizers();
    spentNanos += System.nanoTime() - begin;
    return List.of(held);
  }

  private static ThreadInfo inspect() {
    long[] self = {Thread.currentThread().threadId()};
    return threads.getThreadInfo(self, true, false)[0];
  }

  /// The number of frames from the top that belong to the running task.
  private static int depthOfEntry(StackTraceElement[] stack) {
    int depth = 0;
    while (depth < stack.length && !stack[depth].getClassName().equals(ENTRY)) {
      depth++;
    }
    return depth;
  }

  /// The caller of the engine.
  private static StackTraceElement caller(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .filter(frame -> OWN.stream().noneMatch(frame.getClassName()::startsWith))
        .findFirst()
        .orElse(stack[0]);
  }

  private static String named(MonitorInfo monitor) {
    return monitor.getClassName() + '@' + Integer.toHexString(monitor.getIdentityHashCode());
  }

  /// The frame of the code that made the binding.
  private static StackTraceElement maker(StackTraceElement[] stack, int binding) {
    int depth = binding;
    while (depth < stack.length - 1
        && stack[depth].getClassName().startsWith("java.lang.ScopedValue")) {
      depth++;
    }
    return stack[depth];
  }
}
