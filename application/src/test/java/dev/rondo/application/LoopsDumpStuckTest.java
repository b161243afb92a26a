package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.Loops;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// The dump of all loops when one loop does not answer. On one backend, because the dump waits two
/// seconds for the answer.
final class LoopsDumpStuckTest {

  @Test
  void dump_oneLoopIsStuck_hasItsStackAndTheTasksOfTheOthers() throws Exception {
    var stuck = new CountDownLatch(1);
    var open = new CountDownLatch(1);
    try (LoopGroup group = Application.builder().loops("dumped", 2)) {
      group.start(loop -> {
        if (loop.index() == 0) {
          LoopControl.of(loop.app().scheduler().host())
              .configureThread(() -> {
                stuck.countDown();
                waitUninterruptibly(open);
              });
        }
        loop.app().await(loop.app().shutdownRequested());
      });
      stuck.await();
      var out = new StringBuilder();
      Loops.dump(DumpFormat.TEXT, out);
      String text = out.toString();
      open.countDown();
      assertTrue(text.contains("the loop does not answer"), text);
      assertTrue(text.contains("waitUninterruptibly"), text);
      assertTrue(text.contains("scheduler of thread 'dumped-1'"), text);
    }
  }

  private static void waitUninterruptibly(CountDownLatch latch) {
    Uninterruptibles.awaitUninterruptibly(latch);
  }
}
