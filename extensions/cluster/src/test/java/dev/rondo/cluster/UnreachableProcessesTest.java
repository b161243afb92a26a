package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.Nightly;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How many commands voters agree on while one of them cannot be reached, because its answers are
/// dropped. Prints the commands of each second, added up over the voters that are left.
@Isolated("it measures")
@Nightly("processes behind cut connections, a minute of real time")
final class UnreachableProcessesTest extends CutsRig {

  private static final List<String> ALL = List.of("a", "b", "c", "d", "e");
  private static final int TASKS = 8;

  /// How many seconds are counted of each part. A cut is noticed within the first of them.
  private static final int SECONDS = 10;

  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  @Timeout(10 * HANG_SECONDS)
  void aVoterThatCannotBeReached_holdsNobodyUp(int voters) throws Exception {
    List<String> all = ALL.subList(0, voters);
    startAll(all.toArray(String[]::new));
    String leader = leader();
    var left = new ArrayList<>(all);
    String lost = all.get(all.getFirst().equals(leader) ? 1 : 0);
    left.remove(lost);
    for (String each : left) {
      node(each).tell("work " + TASKS);
    }
    List<Long> reachable = perSecond(left.size());
    for (String each : left) {
      cut(lost, each); // so connecting to it has no answer; were both ways cut, it would be refused
    }
    List<Long> noticed = perSecond(left.size());
    List<Long> unreachable = perSecond(left.size());
    IO.println(
        "%d voters, commands in each second: all reachable %s, one cut off %s, then %s"
            .formatted(voters, reachable, noticed, unreachable));
    long before = sum(reachable);
    assertTrue(sum(unreachable) > before / 4, () -> unreachable + " after " + reachable);
  }

  private List<Long> perSecond(int nodes) throws InterruptedException {
    var counts = new ArrayList<Long>();
    for (int i = 0; i < SECONDS; i++) {
      long sum = 0;
      for (int j = 0; j < nodes; j++) {
        sum += number(await("worked"));
      }
      counts.add(sum);
    }
    return counts;
  }

  private static long sum(List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }
}
