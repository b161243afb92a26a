package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.nio.channels.Selector;
import org.junit.jupiter.api.Test;

/// Waking a loop that is about to block.
class PollerTest {

  /// More than the number of returns without a reason after which a selector is replaced.
  private static final int MANY = 600;

  @Test
  void idle_wokenAgainAndAgain_isNoReasonToReplaceTheSelector() {
    try (Scheduler scheduler = Scheduler.create()) {
      var poller = WaitForIO.on(scheduler).poller();
      for (int i = 0; i < MANY; i++) {
        poller.wakeup();
        poller.idle();
      }
      assertEquals(0, poller.replacements());
    }
  }

  /// There is no selector then that would remember it.
  @Test
  void idle_wokenBeforeAndTheSelectorIsBroken_doesNotPark() {
    try (Scheduler scheduler = Scheduler.builder().failureHandler((where, e) -> {}).build()) {
      Selector broken =
          Selectors.whoseSelects(call -> {
            throw new IOException("out of order");
          });
      var poller = new WaitForIO(scheduler, broken, Selector::open).poller();
      poller.idle();
      assertNotNull(poller.broken());
      poller.wakeup();
      poller.idle();
    }
  }
}
