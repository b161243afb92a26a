package dev.rondo.scheduler;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// CPU time of threads, where the module `java.management` is there and the virtual machine counts
/// it: for platform threads.
final class CpuMeter implements Watchdog.Threads {

  private final @Nullable ThreadMXBean bean = find();

  private static @Nullable ThreadMXBean find() {
    try {
      ThreadMXBean found = ManagementFactory.getThreadMXBean();
      return found.isThreadCpuTimeSupported() && found.isThreadCpuTimeEnabled() ? found : null;
    } catch (LinkageError _) {
      return null;
    }
  }

  /// What the JVM was started with; nothing if that is not known.
  static List<String> jvmArguments() {
    try {
      return ManagementFactory.getRuntimeMXBean().getInputArguments();
    } catch (LinkageError _) {
      return List.of();
    }
  }

  @Override
  public long cpuNanos(Thread thread) {
    return bean == null || thread.isVirtual() ? -1 : bean.getThreadCpuTime(thread.threadId());
  }
}
