package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.internal.rooms.Delay;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PipelineTest extends SchedulerTest {

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  /// Sends 1 to n and closes; counts the sent elements.
  private Channel<Integer> numbers(int n) {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    scheduler.spawn(
        "numbers",
        () -> {
          try (channel) {
            for (int i = 1; i <= n; i++) {
              channel.send(i);
            }
          } catch (ClosedException e) {
            trace("sender failed: " + (e.getCause() == null ? "" : e.getCause().getMessage()));
          }
        });
    return channel;
  }

  private <T> List<T> toList(Receiver<T> receiver) {
    List<T> all = new ArrayList<>();
    runTask(() -> receiver.forEach(all::add));
    return all;
  }

  private void nothingRuns() {
    drive();
    assertEquals(
        List.of(), scheduler.tasks().stream().filter(t -> t.waitingFor() != null).toList());
    assertEquals(1, scheduler.tasks().size(), () -> scheduler.tasks().toString());
  }

  // The elements that come out.

  @Test
  void mapAndFilter_inARow_keepTheOrder() {
    assertEquals(
        List.of("2", "4", "6"), toList(numbers(6).filter(n -> n % 2 == 0).map(n -> "" + n)));
    nothingRuns();
  }

  @Test
  void merge_severalSources_everyElementOnceAndEachSourceInOrder() {
    List<Integer> all = toList(Receiver.merge(List.of(numbers(5), numbers(9).map(n -> -n))));
    assertEquals(14, all.size());
    assertEquals(List.of(1, 2, 3, 4, 5), all.stream().filter(n -> n > 0).toList());
    assertEquals(9, all.stream().filter(n -> n < 0).count());
  }

  @Test
  void batch_byCount_theLastMayBeShort() {
    assertEquals(
        List.of(List.of(1, 2, 3), List.of(4, 5, 6), List.of(7)), toList(numbers(7).batch(3)));
    assertEquals(List.of(List.of(1), List.of(2)), toList(numbers(2).batch(1)));
    assertEquals(List.of(), toList(numbers(0).batch(3)));
    nothingRuns();
  }

  @Test
  void batch_byTime_goesOutWhenItsFirstHasWaitedLongEnough() {
    Channel<Integer> source = Channel.rendezvous(scheduler);
    scheduler.spawn(() -> {
      for (int pause : List.of(5, 4, 4, 4, 30, 0, 0, 0, 0)) {
        scheduler.await(Delay.of(ms(pause)));
        source.send((int) time.elapsed().toMillis());
      }
      source.close();
    });
    List<String> all = new ArrayList<>();
    runTask(() -> {
      for (List<Integer> each : source.batch(4, ms(10))) {
        all.add(each + "@" + time.elapsed().toMillis());
      }
    });
    assertEquals(List.of("[5, 9, 13]@15", "[17]@27", "[47, 47, 47, 47]@47", "[47]@47"), all);
    assertEquals(0, time.alarms());
    nothingRuns();
  }

  @Test
  void batch_byTimeWhileElementsKeepComing_goesOutInTime() {
    Channel<Integer> source = Channel.unbounded(scheduler);
    scheduler.spawn(() -> {
      for (int i = 0; i < 50; i++) {
        for (int n = 0; n < 100; n++) { // more than the stage takes in one turn
          source.send(n);
        }
        time.advance(ms(1));
        scheduler.yield();
      }
      source.close();
    });
    List<Long> goneOutAt = new ArrayList<>();
    runTask(() -> {
      for (List<Integer> _ : source.batch(1_000_000, ms(10))) {
        goneOutAt.add(time.elapsed().toMillis());
      }
    });
    assertEquals(List.of(13L, 24L, 35L, 46L, 50L), goneOutAt); // a turn or two late
    nothingRuns();
  }

  @Test
  void buffer_slowReceiver_senderIsAhead() {
    Channel<Integer> source = Channel.rendezvous(scheduler);
    Receiver<Integer> buffered = source.buffer(3);
    int[] sent = new int[1];
    Task<Void> sender =
        scheduler.spawn(() -> {
          while (true) {
            source.send(1);
            sent[0]++;
          }
        });
    drive();
    assertEquals(4, sent[0]); // one of them is in the stage
    sender.cancel("test");
    assertEquals(List.of(1, 1, 1), buffered.cancel());
    nothingRuns();
  }

  @Test
  void mapConcurrently_slowFunction_severalAtATimeAndAllComeOut() {
    List<Integer> all =
        toList(
            numbers(8)
                .mapConcurrently(
                    4,
                    n -> {
                      scheduler.await(Delay.of(ms(10)));
                      return n * n;
                    }));
    assertEquals(IntStream.rangeClosed(1, 8).mapToObj(n -> n * n).toList(), all);
    assertEquals(ms(20), time.elapsed());
    nothingRuns();
  }

  @Test
  void mapConcurrently_manyMoreWorkersThanElements_makesOnlyThoseThatAreNeeded() {
    var most = new int[1];
    List<Integer> all =
        toList(
            numbers(8)
                .mapConcurrently(
                    10_000,
                    n -> {
                      most[0] = Math.max(most[0], scheduler.tasks().size());
                      scheduler.await(Delay.of(ms(10)));
                      return n;
                    }));
    assertEquals(IntStream.rangeClosed(1, 8).boxed().toList(), all);
    assertEquals(ms(10), time.elapsed());
    assertTrue(most[0] < 20, "tasks: " + most[0]);
    nothingRuns();
  }

  @Test
  void map_ofASubscription_leavesTheBroadcastAtTheEnd() {
    Broadcast<Integer> news = new Broadcast<>(scheduler, 4, Overflow.SUSPEND);
    Receiver<Integer> doubled = news.subscribe().map(n -> n * 2);
    news.trySend(1);
    runTask(() -> assertEquals(2, doubled.receive()));
    doubled.cancel();
    assertEquals(0, news.subscriptions());
    nothingRuns();
  }

  // How it ends.

  @Test
  void cancel_atTheEnd_travelsToTheSource() {
    var cause = new IOException("enough");
    Receiver<List<Integer>> end =
        Receiver.merge(List.of(numbers(100).map(n -> n), numbers(100)))
            .filter(n -> n % 2 == 0)
            .mapConcurrently(2, n -> n)
            .buffer(2)
            .batch(2);
    runTask(() -> {
      assertEquals(2, end.receive().size());
      end.cancel(cause);
    });
    nothingRuns();
    assertTrace("sender failed: enough sender failed: enough");
  }

  @Test
  void cancel_whileNothingMoves_endsEveryStageAtOnce() {
    Channel<Integer> silent = Channel.rendezvous(scheduler);
    Receiver<Integer> end = silent.map(n -> n).filter(n -> true).mapConcurrently(3, n -> n);
    drive();
    assertEquals(1, silent.waitingReceiverCount());
    end.cancel();
    assertEquals(0, silent.waitingReceiverCount());
    assertTrue(silent.isClosedForSend());
    nothingRuns();
  }

  @Test
  void cancel_workersInTheirFunction_areCancelled() {
    Receiver<Integer> end =
        numbers(9)
            .mapConcurrently(
                2,
                n -> {
                  try {
                    return (Integer) scheduler.suspend();
                  } finally {
                    trace("left " + n);
                  }
                });
    drive();
    end.cancel();
    nothingRuns();
    assertTrace("sender failed:  left 1 left 2");
  }

  @Test
  void close_withACause_travelsBehindTheElements() {
    var cause = new IOException("broken");
    Channel<Integer> source = Channel.unbounded(scheduler);
    Receiver<Integer> end = source.map(n -> n * 2).buffer(1).filter(n -> true);
    source.trySend(1);
    source.trySend(2);
    source.close(cause);
    runTask(() -> {
      assertEquals(2, end.receive());
      assertEquals(4, end.receive());
      assertSame(cause, assertThrows(ClosedException.class, end::receive).getCause());
    });
    nothingRuns();
  }

  @Test
  void batch_closedWithACause_lastBatchGoesOutBefore() {
    var cause = new IOException("broken");
    Channel<Integer> source = Channel.unbounded(scheduler);
    Receiver<List<Integer>> end = source.batch(3);
    List.of(1, 2, 3, 4, 5).forEach(source::trySend);
    source.close(cause);
    runTask(() -> {
      assertEquals(List.of(1, 2, 3), end.receive());
      assertEquals(List.of(4, 5), end.receive());
      assertSame(cause, assertThrows(ClosedException.class, end::receive).getCause());
    });
    nothingRuns();
  }

  @Test
  void mapConcurrently_closedWithACause_whatWasSentBeforeComesOut() {
    var cause = new IOException("broken");
    Channel<Integer> source = Channel.unbounded(scheduler);
    Receiver<Integer> end =
        source.mapConcurrently(
            3,
            n -> {
              scheduler.await(Delay.of(ms(10 * n)));
              return n;
            });
    List.of(1, 2).forEach(source::trySend);
    source.close(cause);
    runTask(() -> {
      assertEquals(1, end.receive());
      assertEquals(2, end.receive());
      assertSame(cause, assertThrows(ClosedException.class, end::receive).getCause());
    });
    assertEquals(ms(20), time.elapsed());
    nothingRuns();
  }

  @Test
  void map_throws_bothEndsFail() {
    var failure = new IOException("on purpose");
    for (boolean concurrently : List.of(true, false)) {
      Mapper<Integer, Integer> mapper =
          n -> {
            if (n == 3) {
              throw failure;
            }
            return n;
          };
      Receiver<Integer> source = numbers(9).filter(n -> true);
      Receiver<Integer> end =
          (concurrently ? source.mapConcurrently(1, mapper) : source.map(mapper)).map(n -> n);
      runTask(() -> {
        assertEquals(1, end.receive());
        assertEquals(2, end.receive());
        var thrown = assertThrows(ClosedException.class, end::receive);
        assertSame(failure, thrown.getCause());
        assertEquals("receive from " + end + ", which has failed: " + failure, thrown.getMessage());
      });
      nothingRuns();
      assertTrace("sender failed: on purpose");
    }
  }

  @Test
  void map_answersNullOrSuspends_failsWithWhatToDo() {
    Receiver<Integer> nothing = numbers(9).map(n -> null);
    Receiver<Integer> suspending =
        numbers(9)
            .map(n -> {
              scheduler.yield();
              return n;
            });
    runTask(() -> {
      assertEquals(
          "the mapper returned null: to leave out elements use filter, or return an Optional",
          assertThrows(ClosedException.class, nothing::receive).getCause().getMessage());
      assertTrue(
          assertThrows(ClosedException.class, suspending::receive).getCause()
              instanceof IllegalStateException);
    });
    nothingRuns();
    assertTrace(
        "sender failed: the mapper returned null: to leave out elements use filter, or return an"
            + " Optional sender failed: yield in step task 'map', which has no stack to leave:"
            + " spawn a task for code that waits; the body of a step task can return"
            + " self.await(..)");
  }

  @Test
  void map_error_isReportedToo() {
    var error = new AssertionError("on purpose");
    Receiver<Integer> end =
        numbers(1)
            .map(n -> {
              throw error;
            });
    runTask(() -> assertSame(error, assertThrows(ClosedException.class, end::receive).getCause()));
    assertEquals(List.of(error), takeReported().stream().map(Reported::failure).toList());
  }

  @Test
  void merge_oneSourceFails_theOthersAreGivenUp() {
    var cause = new IOException("broken");
    Channel<Integer> failing = Channel.rendezvous(scheduler);
    Receiver<Integer> end = Receiver.merge(List.of(numbers(9), failing));
    runTask(() -> {
      assertEquals(1, end.receive());
      failing.close(cause);
      scheduler.yield();
      assertSame(cause, assertThrows(ClosedException.class, end::receive).getCause());
    });
    nothingRuns();
    assertTrace("sender failed: broken");
  }

  @Test
  void start_onlyStagesLeft_ends() {
    Channel<Integer> source = Channel.rendezvous(scheduler);
    Receiver<Integer> end = source.map(n -> n);
    runTask(() -> {
      source.send(1);
      assertEquals(1, end.receive());
    });
    end.cancel();
    nothingRuns();
  }

  @Test
  void anyStage_badArgument_saysSo() {
    Channel<Integer> source = Channel.rendezvous(scheduler);
    assertThrows(NullPointerException.class, () -> source.map(null));
    assertThrows(NullPointerException.class, () -> source.filter(null));
    assertThrows(NullPointerException.class, () -> source.mapConcurrently(1, null));
    assertThrows(NullPointerException.class, () -> source.batch(1, null));
    assertThrows(IllegalArgumentException.class, () -> source.batch(0));
    assertThrows(IllegalArgumentException.class, () -> source.batch(1, ms(-1)));
    assertThrows(IllegalArgumentException.class, () -> source.buffer(0));
    assertThrows(IllegalArgumentException.class, () -> source.mapConcurrently(0, n -> n));
    assertThrows(IllegalArgumentException.class, () -> Receiver.merge(List.of()));
    nothingRuns();
  }

  // Whole pipelines, cancelled or closed at any point.

  @Test
  void anyPipeline_endedAnywhere_leavesNothing() {
    Random random = Seeds.random("pipelines");
    for (int i = 0; i < 60; i++) {
      Channel<Integer> source = Channel.bounded(scheduler, 1 + random.nextInt(3));
      int elements = random.nextInt(40);
      int ends = random.nextInt(40);
      int how = random.nextInt(4);
      List<Integer> sent = new ArrayList<>();
      scheduler.spawn(() -> {
        try {
          for (int n = 1; n <= elements; n++) {
            source.send(n);
            sent.add(n);
          }
          source.close();
        } catch (ClosedException e) {
          // the receiver has enough
        }
      });
      Receiver<Integer> at = source;
      for (int stages = random.nextInt(6); stages > 0; stages--) {
        at =
            switch (random.nextInt(4)) {
              case 0 -> at.map(n -> n);
              case 1 -> at.filter(n -> true);
              case 2 -> at.buffer(1 + random.nextInt(4));
              default -> at.mapConcurrently(1, n -> n);
            };
      }
      Receiver<Integer> end = at;
      List<Integer> got = new ArrayList<>();
      runTask(() -> {
        try {
          for (int each : end) {
            got.add(each);
            if (got.size() == ends) {
              switch (how) {
                case 0 -> {
                  end.cancel();
                  return;
                }
                case 1 -> source.close();
                case 2 -> source.close(new IOException("broken"));
                default -> {}
              }
            }
          }
        } catch (ClosedException e) {
          assertEquals(2, how, Seeds::hint);
        }
      });
      assertEquals(
          IntStream.rangeClosed(1, got.size()).boxed().toList(), got, Seeds::hint); // none missing
      if (how == 3) {
        assertEquals(elements, got.size(), Seeds::hint);
      } else if (how != 0) {
        assertEquals(sent, got, Seeds::hint); // elements sent before the close came out
      }
      nothingRuns();
    }
  }
}
