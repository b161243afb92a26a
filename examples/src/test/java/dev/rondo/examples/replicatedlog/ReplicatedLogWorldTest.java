package dev.rondo.examples.replicatedlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The replicated log under partitions, crashes, power failures, wrong clocks and broken disks: no
/// world may fail, and worlds with a known mistake must.
///
/// `-Drondo.raft.seeds=10000` runs so many, `-Drondo.raft.first=53` others, and
/// `-Drondo.raft.flaws` looks for all flaws.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ReplicatedLogWorldTest {

  private static final long FIRST = Long.getLong("rondo.raft.first", 1);
  private static final @Nullable Integer SEEDS = Integer.getInteger("rondo.raft.seeds");

  /// Without a number of seeds: as many as there is time for, within these bounds.
  private static final int LEAST_SEEDS = 100;

  private static final int MOST_SEEDS = 1_000;
  private static final long TIME_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final int SEEDS_FOR_A_FLAW = 1_000;

  @Test
  void answers_areLinearizable_nothingIsLost(TestReporter reporter) {
    long begin = System.nanoTime();
    int seeds = 0;
    int operations = 0;
    while (seeds < LEAST_SEEDS || isMoreToDo(seeds, begin)) {
      operations += ReplicatedLogWorld.run(FIRST + seeds, Flaw.NONE);
      seeds++;
    }
    reporter.publishEntry("seeds", String.valueOf(seeds));
    int least = 10 * seeds;
    assertTrue(operations > least, operations + " operations");
  }

  private static boolean isMoreToDo(int seeds, long begin) {
    return SEEDS != null
        ? seeds < SEEDS
        : seeds < MOST_SEEDS && System.nanoTime() - begin < TIME_NANOS;
  }

  @Test
  void sameSeed_sameRun() {
    for (long seed = 1; seed <= 3; seed++) {
      assertEquals(
          ReplicatedLogWorld.story(seed, Flaw.NONE), ReplicatedLogWorld.story(seed, Flaw.NONE));
    }
  }

  /// Only those that take few seeds; [RaftTest] has the situation of [Flaw#OLD_TERM_COMMITTED].
  @ParameterizedTest
  @EnumSource(
      names = {
        "VOTE_NOT_PERSISTED",
        "VOTES_TWICE",
        "ANY_LOG_LEADS",
        "LONGER_LOG_LEADS",
        "LATE_ANSWER_COUNTS",
        "LOG_NOT_FORCED",
        "CONFLICT_KEPT",
        "MINORITY_COMMITS",
        "UNKNOWN_COMMITTED",
        "READ_TOO_SOON",
        "DUPLICATE_APPLIED",
        "SNAPSHOT_WITHOUT_SEQUENCE"
      })
  void flaw_isFound(Flaw flaw) {
    long seed = 1;
    while (seed <= SEEDS_FOR_A_FLAW && !fails(seed, flaw)) {
      seed++;
    }
    assertTrue(seed <= SEEDS_FOR_A_FLAW, flaw + " is not found");
  }

  private static boolean fails(long seed, Flaw flaw) {
    try {
      int _ = ReplicatedLogWorld.run(seed, flaw);
      return false;
    } catch (AssertionError _) {
      return true;
    }
  }
}
