package dev.rondo.simulation.internal.world;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;

/// Whether a task has a monitor.
public final class HeldMonitors {

  private static final String COROUTINE = "jdk.internal.vm.Continuation";

  private HeldMonitors() {}

  /// {@return whether the calling task, or code below it in the same coroutine, is in a
  /// `synchronized` block or method} Takes about a tenth of a millisecond.
  public static boolean any() {
    long thread = Thread.currentThread().threadId();
    ThreadInfo info =
        ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {thread}, true, false)[0];
    StackTraceElement[] frames = info.getStackTrace();
    int own = 0;
    while (own < frames.length && !frames[own].getClassName().equals(COROUTINE)) {
      own++;
    }
    int depth = own;
    return Arrays.stream(info.getLockedMonitors())
        .anyMatch(monitor -> monitor.getLockedStackDepth() < depth);
  }
}
