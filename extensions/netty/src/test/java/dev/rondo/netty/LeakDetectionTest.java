package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.LeakDetection;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

/// Whether [LeakDetection], which is with every test of this module, fails one that leaks.
final class LeakDetectionTest {

  private static final int TRIES = 1_000;

  private static void leak() {
    var _ = ByteBufAllocator.DEFAULT.buffer(1);
  }

  /// The detector reports a buffer that the collector has found when it tracks the next one.
  @Test
  void buffer_thatIsNotReleased_failsATest() {
    LeakDetection.print(false);
    leak();
    for (int i = 0; i < TRIES && !LeakDetection.hasFound(); i++) {
      System.gc();
      ByteBufAllocator.DEFAULT.buffer(1).release();
    }
    LeakDetection.print(true);
    AssertionError failure = assertThrows(AssertionError.class, LeakDetection::assertNone);
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("LEAK: ByteBuf.release() was not called"), message);
  }

  @Test
  void buffer_thatIsReleased_failsNone() {
    ByteBufAllocator.DEFAULT.buffer(1).release();
    System.gc();
    ByteBufAllocator.DEFAULT.buffer(1).release();
    LeakDetection.assertNone();
  }
}
