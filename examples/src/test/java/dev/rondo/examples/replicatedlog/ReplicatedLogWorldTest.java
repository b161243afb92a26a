package dev.rondo.examples.replicatedlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.Nightly;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The replicated log under partitions, crashes, power failures, wrong clocks and broken disks: no
/// world may fail, and worlds with a known mistake must.
///
/// `-Drondo.raft.seeds=10000` runs so many, `-Drondo.raft.first=53` others, and
/// `-Drondo.raft.flaws` looks for rare mistakes, too, and shrinks all that it finds.
@Timeout(value = 2, unit = TimeUnit.HOURS)
final class ReplicatedLogWorldTest {

  private static final long FIRST = Long.getLong("rondo.raft.first", 1);
  private static final int SEEDS = Integer.getInteger("rondo.raft.seeds", 20);
  private static final int LEAST_OPERATIONS_OF_A_SEED = 10;

  private static final int SEEDS_FOR_A_FLAW = 1_000;

  // The limits are in runs, so that the result does not depend on the speed of the machine.

  private static final int FEW_RUNS = 400;
  private static final int MANY_RUNS = 3_000;
  private static final int MOST_EVENTS = 100;

  @Test
  void answers_areLinearizable_nothingIsLost() {
    int operations = 0;
    for (int i = 0; i < SEEDS; i++) {
      operations += ReplicatedLogWorld.run(FIRST + i, Flaw.NONE);
    }
    System.out.printf("replicated log: %,d operations in %,d worlds%n", operations, SEEDS);
    assertTrue(operations > LEAST_OPERATIONS_OF_A_SEED * SEEDS, operations + " operations");
  }

  @Test
  void sameSeed_sameRun() {
    for (long seed = 1; seed <= 3; seed++) {
      assertEquals(
          ReplicatedLogWorld.story(seed, Flaw.NONE), ReplicatedLogWorld.story(seed, Flaw.NONE));
    }
  }

  /// Those that take few seeds.
  @ParameterizedTest
  @EnumSource(
      names = {
        "VOTE_NOT_PERSISTED",
        "ANY_LOG_LEADS",
        "LOG_NOT_FORCED",
        "CONFLICT_KEPT",
        "MINORITY_COMMITS",
        "DUPLICATE_APPLIED"
      })
  void flaw_isFound(Flaw flaw) {
    assertFound(flaw);
  }

  /// Those that take many.
  @ParameterizedTest
  @EnumSource(
      names = {
        "READ_TOO_SOON",
        "VOTES_TWICE",
        "LONGER_LOG_LEADS",
        "UNKNOWN_COMMITTED",
        "SNAPSHOT_WITHOUT_SEQUENCE",
        "OLD_TERM_COMMITTED",
        "READ_UNCONFIRMED",
        "NEWER_TERM_IGNORED",
        "AGREED_REMOVED"
      })
  @Nightly("hundreds of worlds for each mistake")
  void rareFlaw_isFound(Flaw flaw) {
    assertFound(flaw);
  }

  // Simpler runs.

  @Test
  void flaw_isShrunk() {
    assertShrunk(Flaw.MINORITY_COMMITS);
  }

  /// Those that are found soon, and whose runs are short.
  @ParameterizedTest
  @EnumSource(
      names = {"ANY_LOG_LEADS", "LONGER_LOG_LEADS", "UNKNOWN_COMMITTED", "DUPLICATE_APPLIED"})
  @Nightly("hundreds of worlds for each mistake")
  void moreFlaws_areShrunk(Flaw flaw) {
    assertShrunk(flaw);
  }

  private static void assertShrunk(Flaw flaw) {
    var search = new FlawSearch(flaw);
    search.run(FEW_RUNS);
    assertTrue(search.events() < MOST_EVENTS, search::toString);
    assertTrue(search.isFarSimpler(), search::toString);
  }

  /// Prints a row of the table in benchmarks/results/simulation-history.md.
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "NONE",
        "LATE_ANSWER_COUNTS",
        "OLD_SNAPSHOT_TAKEN",
        "READ_WITH_LEASE",
        "SNAPSHOT_WITHOUT_TERM",
        "TERM_NOT_PERSISTED"
      })
  @EnabledIfSystemProperty(named = "rondo.raft.flaws", matches = ".*")
  void anyFlaw_isShrunk(Flaw flaw) {
    var search = new FlawSearch(flaw);
    search.run(MANY_RUNS);
    System.out.println(search);
    assertTrue(search.events() < MOST_EVENTS, search::toString);
  }

  private static void assertFound(Flaw flaw) {
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
