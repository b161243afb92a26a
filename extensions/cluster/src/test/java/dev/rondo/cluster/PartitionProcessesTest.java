package dev.rondo.cluster;

import dev.rondo.scheduler.testing.Nightly;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Voters that cannot send to each other, and what clients of all of them are answered.
@Execution(ExecutionMode.SAME_THREAD)
@Nightly("processes behind cut connections, two minutes of real time")
final class PartitionProcessesTest extends CutsRig {

  private static final List<String> ALL = List.of("a", "b", "c");

  private static final long CUT_NANOS = TimeUnit.SECONDS.toNanos(6);

  private static List<String> without(String name) {
    return ALL.stream().filter(each -> !each.equals(name)).toList();
  }

  private void followFor(long nanos) throws InterruptedException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < nanos) {
      Line line = lines.poll(nanos, TimeUnit.NANOSECONDS);
      if (line != null) {
        take(line);
      }
    }
  }

  @Test
  @Timeout(10 * HANG_SECONDS)
  void aLeaderThatIsNotHeard_isReplaced() throws Exception {
    startAndUse("a", "b", "c");
    String leader = leader();
    for (String each : without(leader)) {
      cut(leader, each);
    }
    followOperationsOf(without(leader));
    healAll(2);
    followOperationsOf(ALL);
    requireRight();
  }

  @Test
  @Timeout(10 * HANG_SECONDS)
  void aLeaderThatIsCutOffBothWays_isReplaced_andComesBack() throws Exception {
    startAndUse("a", "b", "c");
    String leader = leader();
    cutOff(leader, without(leader));
    followOperationsOf(without(leader));
    healAll(4);
    followOperationsOf(ALL);
    requireRight();
  }

  /// Nothing is agreed on while the others hear it.
  @Test
  @Timeout(10 * HANG_SECONDS)
  void aLeaderThatHearsNothing_losesNothing_andAllGoesOnAfterIt() throws Exception {
    startAndUse("a", "b", "c");
    String leader = leader();
    for (String each : without(leader)) {
      cut(each, leader);
    }
    followFor(CUT_NANOS);
    healAll(2);
    followOperationsOf(ALL);
    requireRight();
  }

  @Test
  @Timeout(10 * HANG_SECONDS)
  void aFollowerThatIsCutOff_andTwoThatDoNotHearEachOther() throws Exception {
    startAndUse("a", "b", "c");
    String leader = leader();
    List<String> followers = without(leader);
    String cutOff = followers.getFirst();
    cutOff(cutOff, without(cutOff));
    followOperationsOf(without(cutOff));
    healAll(4);
    followOperationsOf(ALL);
    cut(followers.getFirst(), followers.getLast());
    cut(followers.getLast(), followers.getFirst());
    followFor(CUT_NANOS);
    healAll(2);
    followOperationsOf(ALL);
    requireRight();
  }
}
