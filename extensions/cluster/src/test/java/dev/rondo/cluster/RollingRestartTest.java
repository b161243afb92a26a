package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.testing.Nightly;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Each voter in turn leaves, ends, and comes back in a new process, as for a new version of a
/// program: the clients of the others go on, what they were answered is linearizable, and a lease
/// has one holder at a time.
///
/// The longer run: `-Dcluster.rolling=10` goes round so often, with three and with five voters.
@Nightly("processes that are restarted, in real time")
final class RollingRestartTest extends ValuesRig {

  private static final String ROUNDS = "cluster.rolling";

  private void roll(String... names) throws Exception {
    int rounds = Integer.getInteger(ROUNDS, 1);
    startAndUse(names);
    for (int i = 0; i < rounds; i++) {
      for (String each : names) {
        node(each).tell("leave");
        awaitEnd(each);
        assertEquals(0, node(each).process().exitValue());
        var others = new ArrayList<>(List.of(names));
        others.remove(each);
        followOperationsOf(others);
        restart(List.of(each));
      }
    }
    followOperationsOf(List.of(names));
    requireRight();
    System.out.printf(
        "%d restarts of %d voters, %d operations answered, %d acts with a lease%n",
        rounds * names.length, names.length, history.answers(), leases.size());
  }

  @Test
  @Timeout(60 * HANG_SECONDS)
  void threeVoters_areRestartedInTurn() throws Exception {
    roll("a", "b", "c");
  }

  @Test
  @Timeout(60 * HANG_SECONDS)
  @EnabledIfSystemProperty(named = ROUNDS, matches = "[0-9]+")
  void fiveVoters_areRestartedInTurn() throws Exception {
    roll("a", "b", "c", "d", "e");
  }
}
