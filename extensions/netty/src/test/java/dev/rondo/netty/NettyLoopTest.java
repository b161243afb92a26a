package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/// A wakeup of Netty's loop at each point of its way into the system's wait. A lost one blocks the
/// test until its limit.
final class NettyLoopTest {

  private static final List<Consumer<NettyLoop>> WAKEUPS =
      List.of(NettyLoop::wake, loop -> loop.execute(() -> {}));

  /// Another thread wakes the loop right after the loop has found that it may block.
  private static final class Interrupted extends NettyLoop {

    private final Consumer<NettyLoop> wakeup;
    private int questionsLeft;

    /// @param question the number of the look after which the loop is woken
    Interrupted(
        Scheduler scheduler, NettyTransport transport, int question, Consumer<NettyLoop> wakeup) {
      super(
          null,
          Thread.currentThread(),
          transport.parts().handlers(),
          LoopView.of(scheduler).ticker());
      this.questionsLeft = question;
      this.wakeup = wakeup;
    }

    @Override
    protected boolean canBlock() {
      boolean can = super.canBlock();
      if (--questionsLeft == 0) {
        Thread waker = Thread.ofPlatform().daemon().start(() -> wakeup.accept(this));
        try {
          waker.join();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return can;
    }
  }

  /// How often a transport looks whether it may block, before it does.
  private static int questions(NettyTransport transport) {
    return transport == NettyTransport.IO_URING ? 1 : 2;
  }

  @ParameterizedTest
  @Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
  @EnumSource(mode = Mode.EXCLUDE, names = "KQUEUE")
  @SuppressWarnings("deprecation") // a graceful shutdown sleeps until time has passed
  void run_wokenOnItsWayIntoTheWait_returns(NettyTransport transport) {
    assumeTrue(transport.whyNot() == null, () -> transport + ": " + transport.whyNot());
    try (Scheduler scheduler = Scheduler.builder().build()) {
      for (Consumer<NettyLoop> wakeup : WAKEUPS) {
        for (int question = 1; question <= questions(transport); question++) {
          var loop = new Interrupted(scheduler, transport, question, wakeup);
          var _ = loop.run(0);
          assertEquals(0, Math.max(0, loop.questionsLeft), "was not interrupted");
          loop.shutdown();
          while (!loop.isTerminated()) {
            var _ = loop.runNow();
          }
        }
      }
    }
  }
}
