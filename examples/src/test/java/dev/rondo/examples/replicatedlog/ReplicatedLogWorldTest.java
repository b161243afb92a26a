package dev.rondo.examples.replicatedlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The replicated log under partitions, crashes, power failures, wrong clocks and broken disks: no
/// world may fail, and worlds with a known mistake must.
///
/// `-Drondo.raft.seeds=1000` runs more of them, and `-Drondo.raft.first=53` others.
final class ReplicatedLogWorldTest {

  private static final long FIRST = Long.getLong("rondo.raft.first", 1);
  private static final int SEEDS = Integer.getInteger("rondo.raft.seeds", 100);

  /// Each flaw was found before.
  private static final int SEEDS_FOR_A_FLAW = 300;

  @Test
  void answers_areLinearizable_nothingIsLost() {
    int operations = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      operations += ReplicatedLogWorld.run(seed, Flaw.NONE);
    }
    int least = 10 * SEEDS;
    assertTrue(operations > least, operations + " operations");
  }

  @Test
  void sameSeed_sameRun() {
    for (long seed = 1; seed <= 3; seed++) {
      assertEquals(
          ReplicatedLogWorld.story(seed, Flaw.NONE), ReplicatedLogWorld.story(seed, Flaw.NONE));
    }
  }

  /// Not [Flaw#OLD_TERM_COMMITTED], which 200 seeds do not find: see [RaftTest].
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "OLD_TERM_COMMITTED"})
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
