package dev.rondo.scheduler.coroutine.handoff;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import jdk.management.VirtualThreadSchedulerMXBean;

/// Provides a carrier for each loop of HANDOFF, so that no loop waits for a virtual thread of
/// another loop that computes. The JDK provides the carriers of one loop. Each further loop adds a
/// carrier.
///
/// The number does not fall when loops end, but a carrier without work ends after some seconds. On
/// a JVM without the module `jdk.management` the number does not change.
final class Carriers {

  /// The threads that have built a scheduler. Guarded by the class.
  private static final Set<Thread> LOOPS = Collections.newSetFromMap(new WeakHashMap<>());

  /// The number of carriers for one loop; 0 until there are two loops. Guarded by the class.
  private static int forOne;

  private Carriers() {}

  /// Provides the carrier of another loop, unless the loop runs on a thread that has a carrier
  /// already. Any thread.
  static synchronized void provideFor(Thread loop) {
    LOOPS.removeIf(each -> !each.isAlive());
    LOOPS.add(loop);
    if (LOOPS.size() > 1) {
      try {
        provide(LOOPS.size() - 1);
      } catch (LinkageError | RuntimeException _) {
        // This JVM lacks the module, or has the largest possible number of carriers.
      }
    }
  }

  private static void provide(int further) {
    var carriers = ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    int now = carriers.getParallelism();
    if (forOne == 0) {
      forOne = now;
    }
    if (now < forOne + further) {
      carriers.setParallelism(forOne + further);
    }
  }
}
