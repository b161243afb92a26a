package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.testing.WaitableContract;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/// Tests that [WaitableContract] fails for a waitable that breaks a rule, if another thread posts
/// its events.
final class WaitableContractTest {

  /// Tokens without a value, one for each wait. They are released by posted actions.
  static class Tokens implements Source<@Nullable Void> {

    final Scheduler scheduler;
    final WaitQueue<@Nullable Void> waiting = new WaitQueue<>();
    private int available;

    Tokens(Scheduler scheduler) {
      this.scheduler = scheduler;
    }

    void release() {
      scheduler.post(() -> {
        if (!waiting.fireFirst(null)) {
          available++;
        }
      });
    }

    @Override
    public boolean poll(Waiter<? super @Nullable Void> waiter) {
      if (available == 0 || !waiter.fire(null)) {
        return false;
      }
      available--;
      return true;
    }

    @Override
    public void arm(Waiter<? super @Nullable Void> waiter) {
      waiting.add(waiter);
    }

    @Override
    public void disarm(Waiter<? super @Nullable Void> waiter) {
      waiting.remove(waiter);
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }
  }

  abstract static class Contract extends WaitableContract<@Nullable Void> {

    private Tokens tokens;

    abstract Tokens tokens();

    @Override
    protected Waitable<@Nullable Void> make() {
      tokens = tokens();
      return tokens;
    }

    @Override
    protected Kind kind() {
      return Kind.TAKEN;
    }

    @Override
    protected @Nullable Void happen() {
      tokens.release();
      return null;
    }

    @Override
    protected int registered() {
      return tokens.waiting.size();
    }
  }

  /// Breaks no rule.
  static final class Correct extends Contract {

    @Override
    Tokens tokens() {
      return new Tokens(scheduler);
    }
  }

  /// Says that a wait takes nothing.
  static final class NotEager extends Contract {

    @Override
    Tokens tokens() {
      return new Tokens(scheduler) {
        @Override
        public boolean isEager() {
          return false;
        }
      };
    }
  }

  /// Chooses a waiter when the event is posted, not when it arrives.
  static final class ChoosesEarly extends Contract {

    @Override
    Tokens tokens() {
      return new Tokens(scheduler) {
        @Override
        void release() {
          Waiter<? super @Nullable Void> chosen = waiting.peek();
          if (chosen == null) {
            super.release();
          } else {
            scheduler.post(() -> {
              waiting.remove(chosen);
              chosen.fire(null);
            });
          }
        }
      };
    }
  }

  /// The names of the tests of a contract that fail.
  private static Set<String> failuresOf(Class<? extends WaitableContract<?>> contract) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(contract))
        .execute()
        .testEvents()
        .failed()
        .stream()
        .map(event -> event.getTestDescriptor().getDisplayName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void postedEvents_correctWaitable_passes() {
    assertEquals(Set.of(), failuresOf(Correct.class));
  }

  @Test
  void postedEvents_waitThatTakesIsNotEager_fails() {
    assertEquals(
        Set.of("scheduleOnOrWithAValue_woken_isRefusedAndTheEventIsNotLost()"),
        failuresOf(NotEager.class));
  }

  @Test
  void postedEvents_waiterIsChosenEarly_fails() {
    Set<String> failed = failuresOf(ChoosesEarly.class);
    assertTrue(failed.contains("cancel_eventOnItsWay_isReceivedOrNotLost()"), failed::toString);
  }
}
