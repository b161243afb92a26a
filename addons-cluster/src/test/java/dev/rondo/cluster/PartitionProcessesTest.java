package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Voters in a network namespace of the test, with an address each in 127.0.0.0/8: the system drops
/// what one sends to another, so that connections stay open and are silent. Needs root, and
/// iproute2; takes about two minutes: `-Dcluster.partitions=true`.
@EnabledIfSystemProperty(named = "cluster.partitions", matches = "true")
@Execution(ExecutionMode.SAME_THREAD)
final class PartitionProcessesTest extends ValuesRig {

  private static final List<String> ALL = List.of("a", "b", "c");

  /// Before the rule that finds local addresses, which is moved behind it.
  private static final String FIRST = "10";

  private static final String LOCAL = "100";
  private static final long CUT_NANOS = TimeUnit.SECONDS.toNanos(6);

  private final String namespace = "rondo-" + ProcessHandle.current().pid();

  @BeforeEach
  void makeNetwork() throws Exception {
    assumeTrue(run("ip", "netns", "add", namespace) == 0, "root only can make a network namespace");
    inside("ip", "link", "set", "lo", "up");
    inside("ip", "rule", "add", "pref", LOCAL, "lookup", "local");
    inside("ip", "rule", "del", "pref", "0");
  }

  @Override
  @AfterEach
  void endAll() throws InterruptedException {
    super.endAll();
    try {
      run("ip", "netns", "del", namespace);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void inside(String... command) throws Exception {
    var whole = new ArrayList<>(prefix());
    whole.addAll(List.of(command));
    assertEquals(0, run(whole.toArray(String[]::new)), whole::toString);
  }

  @Override
  List<String> prefix() {
    return List.of("ip", "netns", "exec", namespace);
  }

  private void cut(String from, String to) throws Exception {
    inside("ip", "rule", "add", "pref", FIRST, "from", host(from), "to", host(to), "blackhole");
  }

  private void healAll(int cuts) throws Exception {
    for (int i = 0; i < cuts; i++) {
      inside("ip", "rule", "del", "pref", FIRST);
    }
  }

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
    for (String each : without(leader)) {
      cut(leader, each);
      cut(each, leader);
    }
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
    for (String each : without(cutOff)) {
      cut(cutOff, each);
      cut(each, cutOff);
    }
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
