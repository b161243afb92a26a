package dev.rondo.observe.internal;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Measures the CPU time of platform threads, if the JVM has the module `java.management` and
/// counts that time.
final class CpuMeter implements ThreadProbe {

  private final @Nullable ThreadMXBean bean = find();

  private static @Nullable ThreadMXBean find() {
    try {
      ThreadMXBean found = ManagementFactory.getThreadMXBean();
      return found.isThreadCpuTimeSupported() && found.isThreadCpuTimeEnabled() ? found : null;
    } catch (LinkageError _) {
      return null;
    }
  }

  /// {@return the arguments of the JVM; empty if they are not known}
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
