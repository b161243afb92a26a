package dev.rondo.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

/// How long it takes until another process has a lease of 2 s whose holder is killed or stopped: a
/// voter that does not lead, and the one that does. `-Dcluster.failovers=10` does each so often.
@EnabledIfSystemProperty(named = "cluster.failovers", matches = "[0-9]+")
@Isolated("it measures")
final class FailoverTest extends VotersRig {

  private static final int TTL_SECONDS = 2;
  private static final List<String> ALL = List.of("a", "b", "c");

  private final Map<String, List<Long>> millis = new LinkedHashMap<>();

  private void failOver(String signal, boolean ofLeader) throws Exception {
    String leader = leader();
    String holder =
        ofLeader
            ? leader
            : ALL.stream().filter(each -> !each.equals(leader)).findFirst().orElseThrow();
    var others = new ArrayList<>(ALL);
    others.remove(holder);
    node(holder).tell("hold " + TTL_SECONDS);
    var _ = await("token");
    for (String each : others) {
      node(each).tell("hold " + TTL_SECONDS);
    }
    node(holder).signal(signal);
    long begin = System.nanoTime();
    Line line;
    do {
      line = await("token");
    } while (line.node().equals(holder));
    String what = "%s of %s".formatted(signal, ofLeader ? "the leader" : "a follower");
    millis
        .computeIfAbsent(what, key -> new ArrayList<>())
        .add(TimeUnit.NANOSECONDS.toMillis(line.nanos() - begin));
    for (String each : others) {
      node(each).tell("drop");
      var _ = await("dropped");
    }
    if (signal.equals("STOP")) {
      node(holder).signal("CONT");
      var _ = await("lost");
    } else {
      var _ = start(holder);
      var _ = await("joined");
    }
    node(holder).tell("add");
    var _ = await("sum");
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void anotherProcessHasTheLease() throws Exception {
    startAll("a", "b", "c");
    for (int i = Integer.getInteger("cluster.failovers"); i > 0; i--) {
      for (String signal : List.of("KILL", "STOP")) {
        failOver(signal, false);
        failOver(signal, true);
      }
    }
    millis.forEach((what, times) -> {
      times.sort(null);
      System.out.printf(
          Locale.ROOT,
          "%s: median %d ms, worst %d ms, of %d%n",
          what,
          times.get(times.size() / 2),
          times.getLast(),
          times.size());
    });
  }
}
