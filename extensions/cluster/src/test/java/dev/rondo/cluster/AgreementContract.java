package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What leases, counters, registers, jobs and keys promise on each engine, while its nodes see each
/// other.
///
/// A test has several *parts*. Each is a task: of a node of its own, or of one that all share if
/// the engine is that of a node that is alone. What the parts note of each other is in objects that
/// several threads use.
interface AgreementContract {

  int PARTS = 3;

  /// No lease ends by its time, however busy the machine is.
  Duration TTL = Duration.ofMinutes(10);

  /// What takes longer hangs.
  Duration HANG = Duration.ofMinutes(1);

  /// Runs code in all parts. Returns when all have ended, or fails as the first that fails.
  void inAllParts(Code code) throws Exception;

  interface Code {
    void run(Part part) throws Exception;
  }

  /// One of several tasks.
  ///
  /// @param index 0 for the first one
  /// @param isFirst whether it is the first one of its node
  record Part(int index, boolean isFirst, Scheduler scheduler, WaitForCluster cluster) {

    void run(Code code) throws Exception {
      scheduler.within(HANG, () -> code.run(this));
    }

    void sleep() {
      WaitForTime.on(scheduler).sleep(Duration.ofMillis(10));
    }

    void until(BooleanSupplier condition) {
      while (!condition.getAsBoolean()) {
        sleep();
      }
    }

    /// Waits until all parts have come here.
    void meet(String where) {
      ClusterCounter here = cluster.counter("meet " + where);
      var _ = here.add(1);
      until(() -> here.get() == PARTS);
    }
  }

  private static <T> List<T> shared() {
    return Collections.synchronizedList(new ArrayList<>());
  }

  private static void requireGrowing(List<Long> tokens, long count) {
    assertEquals(count, tokens.size());
    assertEquals(tokens.stream().sorted().distinct().toList(), tokens);
  }

  // Values.

  @Test
  default void aCounter_countsEachAdditionOnce_andEachSumIsOfOne() throws Exception {
    long each = 5;
    List<Long> sums = shared();
    inAllParts(part -> {
      ClusterCounter counter = part.cluster().counter("c");
      var own = new ArrayList<Long>();
      for (int i = 0; i < each; i++) {
        own.add(counter.add(1));
      }
      sums.addAll(own);
      requireGrowing(own, each);
      part.meet("end");
      assertEquals(each * PARTS, counter.get());
    });
    assertEquals(
        LongStream.rangeClosed(1, each * PARTS).boxed().toList(), sums.stream().sorted().toList());
  }

  @Test
  default void compareAndSet_ofACounter_succeedsForOne() throws Exception {
    var winner = new AtomicLong();
    inAllParts(part -> {
      ClusterCounter counter = part.cluster().counter("c");
      long own = 1L + part.index();
      if (counter.compareAndSet(0, own)) {
        assertEquals(0, winner.getAndSet(own));
      }
      part.meet("tried");
      assertEquals(winner.get(), counter.get());
    });
    assertTrue(winner.get() > 0);
  }

  @Test
  default void compareAndSet_ofARegister_succeedsForOne_whoseValueAllRead() throws Exception {
    List<String> winners = shared();
    inAllParts(part -> {
      ClusterRegister<String> register = part.cluster().register("r", Codec.utf8());
      String own = "part " + part.index();
      assertEquals(Optional.empty(), register.get().filter(own::equals));
      boolean wins = register.compareAndSet(Optional.empty(), Optional.of(own));
      if (wins) {
        winners.add(own);
      }
      part.meet("tried");
      assertEquals(winners, register.get().stream().toList());
      part.meet("read");
      if (wins) {
        assertTrue(register.compareAndSet(Optional.of(own), Optional.empty()));
      }
      part.meet("emptied");
      assertEquals(Optional.empty(), register.get());
      part.meet("empty");
      if (part.index() == 0) {
        register.set("last");
      }
      part.meet("set");
      assertEquals(Optional.of("last"), register.get());
    });
    assertEquals(1, winners.size());
  }

  // Leases.

  @Test
  default void aLease_hasOneHolderAtATime_whoseTokensGrow() throws Exception {
    long each = 3;
    var holders = new AtomicInteger();
    List<Long> tokens = shared();
    inAllParts(part -> {
      for (int i = 0; i < each; i++) {
        try (Lease lease = part.cluster().lease("l").acquire(TTL)) {
          lease.run(() -> {
            assertEquals(1, holders.incrementAndGet());
            tokens.add(lease.token());
            part.sleep();
            assertEquals(0, holders.decrementAndGet());
          });
        }
      }
    });
    requireGrowing(tokens, each * PARTS);
  }

  @Test
  default void aHeldLease_isNotFree_andAllKnowItsHolder_untilItIsClosed() throws Exception {
    List<String> holder = shared();
    inAllParts(part -> {
      ClusterLease wanted = part.cluster().lease("l");
      Optional<Lease> lease = Optional.empty();
      if (part.index() == 0) {
        lease = wanted.acquireIfFree(TTL);
        assertTrue(lease.isPresent());
        holder.add(part.cluster().members().get().self().name());
      }
      part.meet("held");
      assertEquals(Optional.of(holder.getFirst()), wanted.holder().get());
      assertTrue(wanted.acquireIfFree(TTL).isEmpty());
      part.meet("seen");
      lease.ifPresent(Lease::close);
      wanted.acquire(TTL).close();
    });
  }

  @Test
  default void aWaiterThatIsCancelled_doesNotGetTheLease() throws Exception {
    inAllParts(part -> {
      ClusterLease wanted = part.cluster().lease("l");
      Optional<Lease> lease =
          part.index() == 0 ? Optional.of(wanted.acquire(TTL)) : Optional.empty();
      part.meet("held");
      if (part.index() == 1) {
        Task<Lease> waits = part.scheduler().spawn("waits", () -> wanted.acquire(TTL));
        part.sleep();
        waits.cancel("enough");
        part.until(waits::isDone);
      }
      part.meet("cancelled");
      lease.ifPresent(Lease::close);
      wanted.acquire(TTL).close();
    });
  }

  @Test
  default void anElection_electsOneAtATime_whoseNameIsKnown() throws Exception {
    var elected = new AtomicInteger();
    List<Long> tokens = shared();
    inAllParts(part -> {
      ClusterLease leadership = part.cluster().lease("e");
      Optional<String> self = Optional.of(part.cluster().members().get().self().name());
      try (Lease lease = leadership.acquire(TTL)) {
        assertEquals(1, elected.incrementAndGet());
        assertEquals(self, leadership.holder().get());
        tokens.add(lease.token());
        part.sleep();
        assertEquals(0, elected.decrementAndGet());
      }
    });
    requireGrowing(tokens, PARTS);
  }

  // Jobs and keys.

  @Test
  default void aJob_runsOnOneNodeAtATime_andEachRunHasANumber() throws Exception {
    int runs = 3;
    var running = new AtomicInteger();
    List<Integer> atOnce = shared();
    List<Long> numbers = shared();
    inAllParts(part -> {
      if (!part.isFirst()) {
        return;
      }
      ClusterJob job =
          part.cluster()
              .periodic(
                  "j",
                  Duration.ofMillis(50),
                  TickPolicy.SKIP,
                  run -> {
                    atOnce.add(running.incrementAndGet());
                    numbers.add(run.number());
                    try {
                      part.sleep();
                    } finally {
                      running.decrementAndGet();
                    }
                  });
      part.until(() -> numbers.size() >= runs);
      job.cancel();
    });
    requireGrowing(numbers, numbers.size());
    assertEquals(Set.of(1), Set.copyOf(atOnce));
  }

  @Test
  default void aKey_isServedByOneNodeAtATime_andAllAreServed() throws Exception {
    List<String> keys = List.of("k", "l", "m", "n", "o");
    Map<String, Long> serving = new ConcurrentHashMap<>();
    Map<String, Long> tokens = new ConcurrentHashMap<>();
    List<String> mistakes = shared();
    inAllParts(part -> {
      if (!part.isFirst()) {
        part.meet("served");
        return;
      }
      ClusterSpread spread =
          part.cluster()
              .spread(
                  "s",
                  keys,
                  (key, lease) -> {
                    long token = lease.token();
                    Long before = tokens.put(key, token);
                    if (serving.put(key, token) != null || (before != null && before >= token)) {
                      mistakes.add("%s with %d after %d".formatted(key, token, before));
                    }
                    try {
                      part.scheduler().suspend();
                    } finally {
                      serving.remove(key);
                    }
                  });
      part.until(() -> serving.keySet().containsAll(keys));
      part.meet("served");
      spread.cancel();
    });
    assertEquals(List.of(), mistakes);
  }
}
