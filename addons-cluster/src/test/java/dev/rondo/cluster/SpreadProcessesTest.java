package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Keys that are spread over processes, one of which is killed and comes back: only its keys move,
/// and no two processes serve a key at the same time.
final class SpreadProcessesTest extends VotersRig {

  private static final List<String> KEYS = IntStream.range(0, 12).mapToObj(i -> "k" + i).toList();

  private final LeaseHistory leases = new LeaseHistory();

  /// The node of each key, as far as it is known to be served.
  private final Map<String, String> serving = new HashMap<>();

  /// The keys that have moved away from a node that lives.
  private final Set<String> ended = new HashSet<>();

  private void follow(BooleanSupplier enough) throws InterruptedException {
    while (!enough.getAsBoolean()) {
      Line line = next();
      leases.add(line.node(), line.text());
      if (line.text().startsWith("began ")) {
        serving.put(word(line), line.node());
      } else if (line.text().startsWith("ended ")) {
        ended.add(word(line));
        var _ = serving.remove(word(line), line.node());
      }
    }
  }

  private static String word(Line line) {
    return line.text().substring(line.text().indexOf(' ') + 1);
  }

  private void spread(String node) throws Exception {
    node(node).tell("spread " + String.join(",", KEYS));
  }

  private Set<String> servedBy(String node) {
    return KEYS.stream().filter(key -> node.equals(serving.get(key))).collect(Collectors.toSet());
  }

  @Test
  @Timeout(3 * HANG_SECONDS)
  void keysOfAProcessThatIsKilled_areServedByTheOthers_andComeBack() throws Exception {
    var all = List.of("a", "b", "c");
    startAll("a", "b", "c");
    for (String each : all) {
      spread(each);
    }
    follow(() ->
        all.stream().allMatch(each -> servedBy(each).size() >= 2) && serving.size() == KEYS.size());
    ended.clear();
    Map<String, String> before = Map.copyOf(serving);
    String victim = before.get("k0");
    Set<String> its = servedBy(victim);

    node(victim).signal("KILL");
    long killed = System.nanoTime();
    its.forEach(serving::remove);
    follow(() -> serving.size() == KEYS.size() && servedBy(victim).isEmpty());
    System.out.printf(
        "%d of %d keys: %d ms until others serve them%n",
        its.size(), KEYS.size(), (System.nanoTime() - killed) / 1_000_000);
    assertEquals(Set.of(), ended, "keys of others have moved");

    var _ = start(victim);
    var _ = await("joined");
    spread(victim);
    follow(() -> serving.equals(before));
    assertEquals(its, ended);
    leases.requireOneHolderAtATime();
    assertTrue(leases.size() > KEYS.size());
  }
}
