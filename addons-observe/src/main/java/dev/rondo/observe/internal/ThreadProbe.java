package dev.rondo.observe.internal;

/// Observes a thread from another thread. Tests have an implementation of their own.
interface ThreadProbe {

  /// {@return the CPU time of a thread in nanoseconds; negative if it is not known}
  long cpuNanos(Thread thread);

  /// {@return whether a thread with this stack waits for something other than a processor}
  default boolean isBlocked(Thread thread, StackTraceElement[] stack) {
    return switch (thread.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING -> true;
      case RUNNABLE -> stack.length > 0 && stack[0].isNativeMethod(); // for instance in a read
      case NEW, TERMINATED -> false;
    };
  }
}
