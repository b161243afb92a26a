package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.internal.ArmedTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pages of the armed timers: a search finds some at a time.
final class TimerSearchTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /// How many timers one look may see.
  private static final int LOOK = 1_024;

  private long now = 7 * SECOND;

  private final Scheduler scheduler =
      Scheduler.builder()
          .ticker(
              new Ticker() {
                @Override
                public long read() {
                  return now;
                }
              })
          .build();

  private final WaitForTime time = WaitForTime.on(scheduler);

  @AfterEach
  void close() {
    scheduler.close();
  }

  private void arm(long deadlineNanos) {
    var _ = time.at(deadlineNanos, () -> {});
  }

  private static List<ArmedTimer> end(TimerSearch search) {
    while (search.look()) {
      // there are more
    }
    return search.found();
  }

  private static long deadline(ArmedTimer timer) {
    return timer.place().deadlineNanos();
  }

  /// All timers, page by page.
  private List<ArmedTimer> pages(int most) {
    var all = new ArrayList<ArmedTimer>();
    ArmedTimer.Place next = null;
    do {
      TimerSearch search = time.alarms().search(next, most);
      List<ArmedTimer> page = end(search);
      assertTrue(page.size() <= most);
      all.addAll(page);
      next = search.next();
    } while (next != null);
    return all;
  }

  @Test
  void pages_haveEachTimerOnce_inTheOrderTheyAreDue() {
    var random = new Random(42);
    long[] deadlines =
        LongStream.range(0, 5_000)
            .map(i -> now + 1 + (random.nextLong() >>> (3 + random.nextInt(58))))
            .sorted()
            .toArray();
    LongStream.of(deadlines).forEach(this::arm);
    for (int most : List.of(1_000, 77)) {
      List<ArmedTimer> all = pages(most);
      assertEquals(
          LongStream.of(deadlines).boxed().toList(),
          all.stream().map(TimerSearchTest::deadline).toList());
    }
    assertEquals(deadlines.length, time.waiterCount());
  }

  @Test
  void pages_ofTimersThatAreDueAtTheSameInstant_haveEachOnce() {
    for (int i = 0; i < 3_000; i++) {
      arm(now + SECOND);
    }
    List<ArmedTimer> all = pages(100);
    assertEquals(3_000, all.stream().map(ArmedTimer::place).distinct().count());
    assertEquals(3_000, all.size());
    assertEquals(Duration.ofSeconds(1), all.getFirst().dueIn());
  }

  @Test
  void look_aCrowd_seesSomeOfItAtATime() {
    int many = 100_000;
    for (int i = 0; i < many; i++) {
      arm(now + 3_600 * SECOND + i);
    }
    TimerSearch search = time.alarms().search(null, 10);
    int looks = 1;
    while (search.look()) {
      looks++;
    }
    assertTrue(looks >= many / LOOK, "looks=" + looks);
    List<Long> expected = LongStream.range(0, 10).mapToObj(i -> now + 3_600 * SECOND + i).toList();
    assertEquals(expected, search.found().stream().map(TimerSearchTest::deadline).toList());
  }

  @Test
  void look_manyThatAreDueLater_areNotLookedAt() {
    for (int i = 0; i < 100_000; i++) {
      arm(now + 3_600 * SECOND + i);
    }
    for (int i = 0; i < 200; i++) {
      arm(now + SECOND + i * SECOND / 1_000);
    }
    TimerSearch search = time.alarms().search(null, 100);
    for (int looks = 1; search.look(); looks++) {
      assertTrue(looks < 10, "all are looked at");
    }
    assertEquals(now + SECOND, deadline(search.found().getFirst()));
    assertEquals(100, search.found().size());
  }

  /// Groups move on while a search is under way.
  @Test
  void look_timersMoveAndFireMeanwhile_findsAllThatAreLeft() {
    var random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      arm(now + Math.abs(random.nextLong() % (2 * SECOND)));
    }
    TimerSearch search = time.alarms().search(null, Integer.MAX_VALUE);
    while (search.look()) {
      now += SECOND / 100;
      int _ = time.step();
    }
    int left = time.waiterCount();
    assertTrue(left > 10_000, "left=" + left);
    List<ArmedTimer> found = search.found();
    assertEquals(left, found.size());
    for (int i = 1; i < found.size(); i++) {
      assertTrue(deadline(found.get(i)) - deadline(found.get(i - 1)) >= 0);
    }
  }

  @Test
  void found_firedMeanwhile_isLeftOut_andThereIsANextPage() {
    arm(now + 1);
    arm(now + SECOND);
    arm(now + 2 * SECOND);
    TimerSearch search = time.alarms().search(null, 2);
    assertEquals(2, end(search).size());
    now += 2;
    assertEquals(1, time.step());
    assertEquals(1, search.found().size());
    TimerSearch last = time.alarms().search(search.next(), 2);
    assertEquals(now - 2 + 2 * SECOND, deadline(end(last).getFirst()));
    assertNull(last.next());
  }

  @Test
  void search_withoutTimersOrForNone_findsNone() {
    TimerSearch search = time.alarms().search(null, 10);
    assertFalse(search.look());
    assertEquals(List.of(), search.found());
    arm(now + 1);
    assertEquals(List.of(), end(time.alarms().search(null, 0)));
    assertThrows(IllegalArgumentException.class, () -> time.alarms().search(null, -1));
  }
}
