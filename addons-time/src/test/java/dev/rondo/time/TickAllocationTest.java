package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The bytes that a firing timer allocates, as the JVM counts them for the thread. The figures do
/// not depend on the load of the machine.
class TickAllocationTest extends OnEveryBackend {

  private static final int TIMERS = 20_000;

  private int ran;

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /// Bytes for each of many delays of one length, by a scheduler whose tables have grown.
  private long bytesPerFiring() {
    long bytes = 0;
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < TIMERS; i++) {
        var _ = time().delay(Duration.ofSeconds(1), () -> ran++);
      }
      long before = allocated();
      scheduler().start();
      bytes = allocated() - before;
    }
    return bytes / TIMERS;
  }

  @Test
  void delay_firesWithoutSuspending_makesNoTask() {
    assumeTrue(
        LoopControl.of(scheduler().host()).backend().sharesThread(),
        "elsewhere a task has a thread");
    long bytes = bytesPerFiring();
    System.out.println("bytes per firing " + bytes);
    assertEquals(3 * TIMERS, ran);
    assertTrue(bytes < 40, () -> bytes + " bytes");
  }
}
