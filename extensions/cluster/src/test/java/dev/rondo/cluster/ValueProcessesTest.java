package dev.rondo.cluster;

import dev.rondo.scheduler.testing.Nightly;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients in several processes, of which some are killed and come back, and so is their etcd: what
/// they were answered is linearizable, so nothing that was acknowledged is lost.
///
/// The longer run: `-Dcluster.histories=30` kills so often.
@Nightly("processes that are killed, in real time")
final class ValueProcessesTest extends ValuesRig {

  private static final int KILLS = Integer.getInteger("cluster.histories", 2);

  private final Random random = new Random();

  @Test
  @Timeout(60 * HANG_SECONDS)
  void answers_areLinearizable_whileMembersAreKilled() throws Exception {
    List<String> all = List.of("a", "b", "c");
    startAndUse("a", "b", "c");
    for (int i = 0; i < KILLS; i++) {
      var victims = List.of(all.get(random.nextInt(all.size())));
      kill(victims);
      followOperations();
      restart(victims);
      etcd.kill();
      etcd.start();
      followOperationsOf(all);
    }
    kill(all);
    restart(all);
    requireRight();
    System.out.printf(
        "%d kills, %d operations answered: linearizable%n", KILLS + all.size(), history.answers());
  }
}
