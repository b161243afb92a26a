package dev.rondo.observe.internal;

import java.lang.management.ManagementFactory;

/// Measures how much one thread has allocated on the heap.
class AllocationMeter {

  /// Measures nothing.
  static final AllocationMeter NONE = new AllocationMeter();

  private AllocationMeter() {}

  /// {@return a meter for a loop's thread, to be read on that thread} What a virtual thread
  /// allocates while it is mounted on that thread counts too.
  static AllocationMeter of(Thread thread) {
    if (thread.isVirtual()) {
      return NONE; // the JVM counts for platform threads only
    }
    try {
      return OfHotSpot.find();
    } catch (LinkageError _) {
      return NONE; // the JVM does not have the module jdk.management
    }
  }

  boolean isKnown() {
    return false;
  }

  /// {@return the bytes allocated so far; zero if they are not known}
  long bytes() {
    return 0;
  }

  private static final class OfHotSpot extends AllocationMeter {

    private final com.sun.management.ThreadMXBean bean;

    private OfHotSpot(com.sun.management.ThreadMXBean bean) {
      this.bean = bean;
    }

    static AllocationMeter find() {
      return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean bean
              && bean.isThreadAllocatedMemorySupported()
              && bean.isThreadAllocatedMemoryEnabled()
          ? new OfHotSpot(bean)
          : NONE;
    }

    @Override
    boolean isKnown() {
      return true;
    }

    @Override
    long bytes() {
      return bean.getCurrentThreadAllocatedBytes();
    }
  }
}
