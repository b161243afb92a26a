package dev.rondo.benchmarks.world;

import java.lang.management.ManagementFactory;

/// The processor time of the calling thread, which runs all of a world. Unlike real time it does
/// not depend on what else the machine does; it leaves out the compiler and the garbage collector.
final class ThreadTime {

  private ThreadTime() {}

  static long nanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
