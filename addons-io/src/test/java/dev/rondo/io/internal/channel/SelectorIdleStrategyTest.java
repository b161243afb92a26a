package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.verify;

import com.google.common.base.Ticker;
import dev.rondo.io.Reactors;
import dev.rondo.io.WaitForIO;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.mockito.Answers;

/// The loop's blocking wait, and its ends.
class SelectorIdleStrategyTest {

  /// More than the number of returns without a reason after which a selector is replaced.
  private static final int MANY = 600;

  private static final Ticker STOPPED =
      new Ticker() {
        @Override
        public long read() {
          return 0;
        }
      };

  @Test
  void idle_wokenAgainAndAgain_isNoReasonToReplaceTheSelector() {
    try (Scheduler scheduler = Scheduler.create()) {
      Reactor reactor = Reactors.of(scheduler);
      SelectorIdleStrategy strategy = reactor.idleStrategy();
      for (int i = 0; i < MANY; i++) {
        strategy.wakeup();
        strategy.idle();
      }
      assertEquals(0, reactor.selector().replacements());
    }
  }

  /// A broken selector does not remember the wakeup.
  @Test
  void idle_wokenBeforeAndTheSelectorIsBroken_doesNotPark() {
    try (Scheduler scheduler = Scheduler.builder().failureHandler((where, e) -> {}).build()) {
      Selector broken =
          Selectors.whoseSelects(call -> {
            throw new IOException("out of order");
          });
      Reactor reactor = Reactors.of(Reactors.io(scheduler, broken, Selector::open));
      SelectorIdleStrategy strategy = reactor.idleStrategy();
      strategy.idle();
      assertNotNull(reactor.selector().broken);
      strategy.wakeup();
      strategy.idle();
    }
  }

  /// One wakeup must not excuse a selector that spins later.
  @Test
  void idle_selectorSpinsAfterAWakeup_isReplaced() {
    try (Scheduler scheduler = Scheduler.builder().failureHandler((where, e) -> {}).build()) {
      Reactor reactor = Reactors.of(Reactors.io(scheduler, spinning(), Selector::open));
      SelectorIdleStrategy strategy = reactor.idleStrategy();
      strategy.wakeup();
      for (int i = 0; i < MANY && reactor.selector().replacements() == 0; i++) {
        strategy.idle();
      }
      assertEquals(1, reactor.selector().replacements());
    }
  }

  /// The thread that wakes the loop knows only the old selector.
  @Test
  void idle_wokenWhileTheSelectorIsReplaced_isNotLost() throws IOException {
    try (Scheduler scheduler = Scheduler.builder().failureHandler((where, e) -> {}).build()) {
      var waker = new AtomicReference<SelectorIdleStrategy>();
      Selector old = spinning();
      Reactor reactor =
          Reactors.of(
              Reactors.io(
                  scheduler,
                  old,
                  () -> {
                    waker.get().wakeup();
                    return Selector.open();
                  }));
      waker.set(reactor.idleStrategy());
      for (int i = 0; i < MANY && reactor.selector().replacements() == 0; i++) {
        reactor.idleStrategy().idle();
      }
      assertEquals(1, reactor.selector().replacements());
      verify(old).close(); // or its descriptors leak
      reactor.idleStrategy().idle(); // returns, because it was woken
    }
  }

  private static Selector spinning() {
    return Selectors.whoseSelects(Answers.RETURNS_DEFAULTS); // at once, with nothing
  }

  /// A deadline that is near must not make events late: the loop blocks where it sees them. A
  /// select counts in milliseconds, so something else ends this one.
  @Test
  void idleUntil_lessThanAMillisecondAndATaskWaits_blocksInTheSelectorUntilThen() {
    try (Scheduler scheduler = Scheduler.create()) {
      Reactor reactor = Reactors.of(scheduler);
      reactor.waitBegun();
      for (int i = 0; i < 10; i++) {
        long before = reactor.selector().selects();
        long deadlineNanos = scheduler.host().nowNanos() + 900_000;
        reactor.idleStrategy().idleUntil(deadlineNanos);
        assertTrue(scheduler.host().nowNanos() - deadlineNanos >= 0);
        assertEquals(1, reactor.selector().selects() - before);
      }
      reactor.waitCount--;
    }
  }

  /// The poll takes the wakeup from the selector.
  @Test
  void blockElsewhere_wokenBeforeTheLook_doesNotBlock() {
    try (Scheduler scheduler = Scheduler.create()) {
      Reactor reactor = Reactors.of(scheduler);
      SelectorIdleStrategy strategy = reactor.idleStrategy();
      strategy.wakeup();
      assertTrue(strategy.lend());
      strategy.blockElsewhere(Long.MAX_VALUE);
      strategy.takeBack();
      assertEquals(0, reactor.selector().replacements());
    }
  }

  /// A loop that only idles in the add-on would wait for nothing. Time stands still, or the add-on
  /// may have had a turn since, because the loop was busy.
  @Test
  void start_theLastWaitWasGivenUpAndNothingCanWakeTheRest_isADeadlock() throws IOException {
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    try (Scheduler scheduler = Scheduler.builder().ticker(STOPPED).build()) {
      WaitForIO io = WaitForIO.on(scheduler);
      Task<?> reader = scheduler.spawn("reader", () -> scheduler.await(io.readable(pipe.source())));
      scheduler.spawn(
          "canceller",
          () -> {
            for (int i = 0; i < 10; i++) {
              scheduler.yield();
            }
            assertEquals(1, ChannelFigures.of(scheduler).waits());
            reader.cancel("enough");
            scheduler.suspend();
          });
      var e = assertThrows(DeadlockException.class, scheduler::start);
      assertTrue(e.getMessage().contains("canceller"), e::getMessage);
      io.close(pipe.source());
    } finally {
      pipe.sink().close();
    }
  }

  /// The same, when the last wait ends while the loop blocks.
  @Test
  void start_theLastWaitIsOverAndNothingCanWakeTheRest_isADeadlock() throws IOException {
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    try (Scheduler scheduler = Scheduler.builder().ticker(STOPPED).build()) {
      WaitForIO io = WaitForIO.on(scheduler);
      scheduler.spawn(
          "reader",
          () -> {
            pipe.sink().write(ByteBuffer.allocate(1));
            scheduler.await(io.readable(pipe.source()));
            scheduler.suspend();
          });
      var e = assertThrows(DeadlockException.class, scheduler::start);
      assertTrue(e.getMessage().contains("reader"), e::getMessage);
      io.close(pipe.source());
    } finally {
      pipe.sink().close();
    }
  }
}
