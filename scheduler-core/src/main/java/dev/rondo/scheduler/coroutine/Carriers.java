package dev.rondo.scheduler.coroutine;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import jdk.management.VirtualThreadSchedulerMXBean;

/// Provides a carrier for each loop of HANDOFF, so that none waits for a virtual thread of another
/// one that computes. One loop has what the JDK provides; each further one adds a carrier to that.
///
/// The number does not fall when loops end: a carrier without work ends after some seconds. On a
/// JVM without the module `jdk.management` it stays as it is.
final class Carriers {

  /// The threads that have built a scheduler. Guarded by the class.
  private static final Set<Thread> LOOPS = Collections.newSetFromMap(new WeakHashMap<>());

  /// The number of carriers for one loop; 0 until there are two. Guarded by the class.
  private static int forOne;

  private Carriers() {}

  /// Provides the carrier of another loop, unless it runs on a thread that has one. Any thread.
  static synchronized void provideFor(Thread loop) {
    LOOPS.removeIf(each -> !each.isAlive());
    LOOPS.add(loop);
    if (LOOPS.size() > 1) {
      try {
        provide(LOOPS.size() - 1);
      } catch (LinkageError | RuntimeException _) {
        // This JVM lacks the module, or has as many carriers as it can.
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
