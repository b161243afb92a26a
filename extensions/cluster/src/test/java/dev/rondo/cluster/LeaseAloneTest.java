package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.WaitForCondition;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TimedOutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Leases, counters and registers of a node that is alone, in virtual time.
final class LeaseAloneTest extends AloneRig {

  private static final Duration TTL = Duration.ofSeconds(3);

  private void run(TaskAction<?> main) {
    Task<Void> task = scheduler.spawn("main", main);
    scheduler.start();
    task.join();
  }

  private void log(String word) {
    log.add(word + "@" + clock.elapsed().toMillis());
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  void acquire_byTwoTasks_isInTurn_withGrowingTokens() {
    var tokens = new ArrayList<Long>();
    run(() -> {
      for (int i = 0; i < 3; i++) {
        scheduler.spawn(() -> {
          try (Lease lease = cluster.lease("nightly").acquire(TTL)) {
            tokens.add(lease.token());
            log("begin");
            time.sleep(ms(10_000));
            lease.check();
            log("end");
          }
        });
      }
    });
    assertEquals(
        List.of("begin@0", "end@10000", "begin@10000", "end@20000", "begin@20000", "end@30000"),
        log);
    assertEquals(tokens.stream().sorted().distinct().toList(), tokens);
    clock.advanceBy(Duration.ZERO);
    assertEquals(0, time.waiterCount());
  }

  @Test
  void acquire_forEver_isHeldForEver() {
    run(() -> {
      Lease lease = cluster.lease("nightly").acquire(Duration.ofSeconds(Long.MAX_VALUE));
      time.sleep(Duration.ofDays(365));
      lease.check();
      assertTrue(cluster.lease("nightly").acquireIfFree(TTL).isEmpty());
      lease.close();
    });
  }

  @Test
  void acquireIfFree_ofAHeldLease_isEmpty() {
    run(() -> {
      ClusterLease nightly = cluster.lease("nightly");
      assertEquals(Optional.empty(), nightly.holder().get());
      try (Lease _ = nightly.acquireIfFree(TTL).orElseThrow()) {
        assertEquals(Optional.of("here"), nightly.holder().get());
        assertTrue(nightly.acquireIfFree(TTL).isEmpty());
        assertTrue(cluster.lease("other").acquireIfFree(TTL).isPresent());
      }
      nightly.acquireIfFree(TTL).orElseThrow().close();
    });
  }

  @Test
  void check_afterAStall_fails_andTheTokenIsNotGiven() {
    run(() -> {
      Lease lease = cluster.lease("nightly").acquire(TTL);
      clock.skip(ms(2_849));
      lease.check();
      clock.skip(ms(1));
      assertThrows(LeaseLostException.class, lease::check);
      assertThrows(LeaseLostException.class, lease::token);
      assertFalse(lease.isHeld());
      assertEquals(Duration.ZERO, lease.remaining());
      lease.close();
    });
  }

  @Test
  void run_whileTheLoopStalls_isCancelled_beforeAnotherHasTheLease() {
    run(() -> {
      scheduler.spawn(() -> {
        time.sleep(ms(1_000));
        cluster.lease("nightly").acquire(TTL).close();
        log("other");
      });
      Lease lease = cluster.lease("nightly").acquire(TTL);
      assertThrows(
          LeaseLostException.class,
          () ->
              lease.run(() -> {
                try {
                  time.sleep(ms(1_500));
                  clock.skip(ms(20_000));
                  time.sleep(ms(60_000));
                } finally {
                  log("cancelled");
                }
              }));
      log("lost");
    });
    assertEquals(List.of("cancelled", "lost", "other"), words());
  }

  @Test
  void run_ofCodeThatStallsAndReturns_failsNevertheless() {
    run(() -> {
      Lease lease = cluster.lease("nightly").acquire(TTL);
      assertThrows(LeaseLostException.class, () -> lease.run(() -> clock.skip(TTL)));
      assertEquals(7, cluster.lease("other").acquire(TTL).<Integer, RuntimeException>run(() -> 7));
    });
  }

  private List<String> words() {
    return log.stream().map(each -> each.substring(0, each.indexOf('@'))).toList();
  }

  @Test
  void aHolderThatForgetsItsLease_keepsIt_andAnotherWaitsWithALimit() {
    run(() -> {
      Lease lease = cluster.lease("nightly").acquire(TTL);
      assertThrows(
          TimedOutException.class,
          () -> scheduler.within(ms(60_000), () -> cluster.lease("nightly").acquire(TTL)));
      assertTrue(lease.isHeld());
      lease.close();
      cluster.lease("nightly").acquire(TTL).close(); // the one that gave up does not have it
      log("end");
    });
    assertEquals(List.of("end@60000"), log);
  }

  @Test
  void cancel_whileWaiting_leavesTheQueue() {
    run(() -> {
      Lease lease = cluster.lease("nightly").acquire(TTL);
      Task<Void> waits = scheduler.spawn(() -> cluster.lease("nightly").acquire(TTL).close());
      time.sleep(ms(10));
      waits.cancel("enough");
      Task<Void> early = scheduler.spawn(() -> cluster.lease("nightly").acquire(TTL).close());
      scheduler.yield();
      early.cancel("before the answer");
      lease.close();
      time.sleep(ms(1));
      cluster.lease("nightly").acquireIfFree(TTL).orElseThrow().close();
    });
  }

  @Test
  void holder_isACell_thatTasksWatch() {
    run(() -> {
      ClusterLease boss = cluster.lease("boss");
      Task<Void> other =
          scheduler.spawn(
              "other",
              () -> {
                WaitForCondition.on(scheduler).waitFor(() -> boss.holder().get().isPresent());
                log.add("seen");
              });
      try (Lease lease = boss.acquire(TTL)) {
        assertEquals(7, lease.<Integer, RuntimeException>run(() -> 7));
        var _ = other.join();
      }
      assertEquals(List.of("seen"), log);
    });
  }

  @Test
  void counter_andRegister_compareAndSet() {
    run(() -> {
      ClusterCounter counter = cluster.counter("c");
      assertEquals(0, counter.get());
      assertEquals(5, counter.add(5));
      assertFalse(counter.compareAndSet(4, 9));
      assertTrue(counter.compareAndSet(5, 9));
      assertEquals(9, cluster.counter("c").get());

      ClusterRegister<String> register = cluster.register("r", Codec.utf8());
      assertEquals(Optional.empty(), register.get());
      assertTrue(register.compareAndSet(Optional.empty(), Optional.of("a")));
      assertFalse(register.compareAndSet(Optional.empty(), Optional.of("b")));
      assertEquals(Optional.of("a"), register.get());
      register.set("c");
      assertTrue(register.compareAndSet(Optional.of("c"), Optional.empty()));
      assertEquals(Optional.empty(), register.get());
    });
  }

  @Test
  void ttl_tooShort_isRefused() {
    run(() -> {
      var failure =
          assertThrows(IllegalArgumentException.class, () -> cluster.lease("a").acquire(ms(99)));
      assertEquals("ttl must be at least 100 ms, but is 99 ms", failure.getMessage());
    });
  }
}
