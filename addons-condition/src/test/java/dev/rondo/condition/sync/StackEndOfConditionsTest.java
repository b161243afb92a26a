package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.condition.Signal;
import dev.rondo.condition.channel.Channel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.LastFrames;
import dev.rondo.scheduler.testing.Nightly;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/// Conditions that are met where the stack ends: the call fails and changes nothing, or all that
/// waited are woken.
@Nightly("exhausts the stack at each of its last frames")
final class StackEndOfConditionsTest extends OnEveryBackend {

  private static final int MOST = 400;

  /// Recursions begin with so many frames of another size, so that the stack does not always end at
  /// the same place of a call.
  private static final int ROUNDS = 3;

  /// A condition with a task that waits for it.
  ///
  /// @param meet meets it
  /// @param isMet whether that has had an effect
  private record Case(Task<?> waiter, Runnable meet, BooleanSupplier isMet) {}

  private void assertMeetsOrFails(IntFunction<Case> cases) {
    List<String> wrong = new ArrayList<>();
    int[] woken = {0};
    run(() -> {
      for (int round = 0; round < ROUNDS; round++) {
        List<Case> all = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
          all.add(cases.apply(i));
        }
        scheduler.yield();
        Iterator<Case> each = all.iterator();
        startDeeper(
            round,
            1,
            () -> {
              if (each.hasNext()) {
                each.next().meet.run();
              }
            });
        giveWay();
        for (Case met : all) {
          woken[0] += met.waiter.isDone() ? 1 : 0;
          if (met.isMet.getAsBoolean() != met.waiter.isDone()) {
            wrong.add("round " + round + ", " + met.waiter);
          }
          met.waiter.cancel("the round is over");
        }
        giveWay();
      }
    });
    assertEquals(List.of(), wrong);
    assertTrue(woken[0] > 0);
  }

  private void giveWay() {
    for (int i = 0; i < 3; i++) {
      scheduler.yield();
    }
  }

  private static long startDeeper(int frames, long other, Operation operation) throws Exception {
    if (frames == 0) {
      return new LastFrames(MOST).run(operation::run);
    }
    return startDeeper(frames - 1, other + frames, operation) + other;
  }

  @FunctionalInterface
  private interface Operation {
    void run();
  }

  @Test
  void latch_countedDownAtTheEndOfTheStack_opensOrFails() {
    assertMeetsOrFails(i -> {
      var latch = Latch.create(scheduler, "l" + i, 1);
      return new Case(
          scheduler.spawn("w" + i, () -> latch.await()),
          latch::countDown,
          () -> latch.count() == 0);
    });
  }

  @Test
  void promise_fulfilledAtTheEndOfTheStack_isFulfilledOrFails() {
    assertMeetsOrFails(i -> {
      var promise = Promise.<String>create(scheduler, "p" + i);
      return new Case(
          scheduler.spawn("w" + i, promise::claim),
          () -> promise.fulfill("value"),
          promise::isDone);
    });
  }

  @Test
  void channel_closedAtTheEndOfTheStack_closesOrFails() {
    assertMeetsOrFails(i -> {
      var channel = Channel.<String>unbounded(scheduler);
      return new Case(
          scheduler.spawn("w" + i, () -> channel.iterator().hasNext()),
          channel::close,
          channel::isClosedForSend);
    });
  }

  @Test
  void signal_sentAtTheEndOfTheStack_isReceivedOrFails() {
    assertMeetsOrFails(i -> {
      var signal = Signal.<String>create(scheduler, "s" + i);
      var sent = new boolean[1];
      return new Case(
          scheduler.spawn("w" + i, () -> scheduler.await(signal)),
          () -> {
            signal.signalAll("sent");
            sent[0] = true;
          },
          () -> sent[0]);
    });
  }
}
