package dev.rondo.benchmarks.world;

import java.lang.management.ManagementFactory;

/// The processor time of the calling thread, which runs the whole world. Unlike real time it does
/// not depend on other work of the machine. It excludes the compiler and the garbage collector.
final class ThreadTime {

  private ThreadTime() {}

  static long nanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
