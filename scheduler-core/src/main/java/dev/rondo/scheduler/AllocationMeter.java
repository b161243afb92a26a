package dev.rondo.scheduler;

import java.lang.management.ManagementFactory;

/// How much one thread has allocated on the heap.
class AllocationMeter {

  /// Knows nothing.
  static final AllocationMeter NONE = new AllocationMeter();

  private AllocationMeter() {}

  /// For a loop's thread. To be read on that thread; virtual threads that are mounted on it count
  /// as it.
  static AllocationMeter of(Thread thread) {
    if (thread.isVirtual()) {
      return NONE; // the virtual machine counts for platform threads only
    }
    try {
      return OfHotSpot.find();
    } catch (LinkageError _) {
      return NONE; // the module jdk.management is not there
    }
  }

  boolean isKnown() {
    return false;
  }

  /// So far; zero if it is not known.
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
