package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.SetMultimap;
import dev.rondo.scheduler.testing.Nightly;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Keys that are spread over processes, one of which is killed and comes back: only its keys move,
/// and no two processes serve a key at the same time.
@Nightly("processes, in real time")
final class SpreadProcessesTest extends VotersRig {

  private static final List<String> KEYS = IntStream.range(0, 12).mapToObj(i -> "k" + i).toList();

  private static final Set<String> NODES = Set.of("a", "b", "c");

  /// The node to which each key belongs while all nodes take part.
  private static final Map<String, String> BELONGS =
      KEYS.stream()
          .collect(
              Collectors.toMap(
                  Function.identity(), key -> ClusterSpread.owner(NODES, key).orElseThrow()));

  private final LeaseHistory leases = new LeaseHistory();

  /// The node of each key, as far as it is known to be served.
  private final Map<String, String> serving = new HashMap<>();

  /// The nodes that have ended to serve a key.
  private final SetMultimap<String, String> ended = HashMultimap.create();

  /// Takes in lines until it is enough. Lines of different processes may come in another order than
  /// they were printed in: that a key has ended on one node after it began on another.
  private void follow(BooleanSupplier enough) throws InterruptedException {
    while (!enough.getAsBoolean()) {
      Line line = next();
      leases.add(line.node(), line.text());
      if (line.text().startsWith("began ")) {
        serving.put(word(line), line.node());
      } else if (line.text().startsWith("ended ")) {
        ended.put(word(line), line.node());
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

  private static Set<String> keysOf(String node) {
    return KEYS.stream().filter(key -> BELONGS.get(key).equals(node)).collect(Collectors.toSet());
  }

  /// Returns the keys that the node they belong to has ended to serve.
  private Set<String> moved() {
    return KEYS.stream()
        .filter(key -> ended.containsEntry(key, BELONGS.get(key)))
        .collect(Collectors.toSet());
  }

  @Test
  @Timeout(3 * HANG_SECONDS)
  void keysOfAProcessThatIsKilled_areServedByTheOthers_andComeBack() throws Exception {
    startAll("a", "b", "c");
    for (String each : NODES) {
      spread(each);
    }
    follow(() -> serving.equals(BELONGS));
    ended.clear();

    String victim = BELONGS.get("k0");
    Set<String> its = keysOf(victim);
    node(victim).signal("KILL");
    long killed = System.nanoTime();
    its.forEach(serving::remove);
    follow(() -> serving.size() == KEYS.size() && !serving.containsValue(victim));
    System.out.printf(
        "%d of %d keys: %d ms until others serve them%n",
        its.size(), KEYS.size(), (System.nanoTime() - killed) / 1_000_000);
    assertEquals(Set.of(), moved(), "keys of others have moved");
    Map<String, String> without = Map.copyOf(serving);

    var _ = start(victim);
    var _ = await("joined");
    spread(victim);
    follow(() -> serving.equals(BELONGS));
    follow(() -> its.stream().allMatch(key -> ended.containsEntry(key, without.get(key))));
    assertEquals(Set.of(), moved(), "keys of others have moved");
    leases.requireOneHolderAtATime();
    assertTrue(leases.size() > KEYS.size());
  }
}
