package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Keys that move from node to node, over a cluster within the JVM.
final class ClusterSpreadTest extends HubRig {

  private static final Set<String> KEYS =
      IntStream.range(0, 30).mapToObj(i -> "k" + i).collect(Collectors.toUnmodifiableSet());

  private record Event(String node, String key, boolean begins, long token) {}

  /// In the order in which actions begin and end.
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  private final Map<String, String> serving = new HashMap<>();
  private final Map<String, Long> tokens = new HashMap<>();

  private ClusterSpread spread(Node node) throws Exception {
    return node.call(
        () -> node.cluster.spread("shards", KEYS, (key, lease) -> serve(node, key, lease)));
  }

  private void serve(Node node, String key, Lease lease) {
    String name = node.cluster.members().get().self().name();
    events.add(new Event(name, key, true, lease.token()));
    try {
      node.scheduler.suspend();
    } finally {
      events.add(new Event(name, key, false, 0));
    }
  }

  /// Follows the actions until the keys are served like this, and checks that no key ever has two
  /// nodes. A lease that is lost because the machine stands still does no harm: its key is served
  /// again.
  private void awaitServed(BooleanSupplier like) throws InterruptedException {
    while (!like.getAsBoolean()) {
      Event next = events.poll(HANG.toSeconds(), TimeUnit.SECONDS);
      assertTrue(next != null, () -> "nothing happens any more, with " + serving);
      if (next.begins()) {
        assertEquals(null, serving.put(next.key(), next.node()), "two nodes serve " + next.key());
        Long before = tokens.put(next.key(), next.token());
        assertTrue(before == null || before < next.token(), () -> "the token of " + next.key());
      } else {
        assertTrue(serving.remove(next.key(), next.node()));
      }
    }
  }

  private boolean allServed() {
    return serving.keySet().equals(KEYS);
  }

  private boolean isSpreadOver(Set<String> nodes) {
    return KEYS.stream()
        .allMatch(
            key -> ClusterSpread.owner(nodes, key).equals(Optional.ofNullable(serving.get(key))));
  }

  private Set<String> servedBy(String node) {
    return serving.entrySet().stream()
        .filter(each -> each.getValue().equals(node))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void keys_moveWithTheMembers_andNoMoreThanNeeded() throws Exception {
    Node a = member("a");
    Node b = member("b");
    Node c = member("c");
    for (Node each : List.of(a, b, c)) {
      each.awaitMembers(members -> members.all().size() == 3);
    }
    ClusterSpread ofA = spread(a);
    var _ = spread(b);
    var _ = spread(c);
    awaitServed(() -> isSpreadOver(Set.of("a", "b", "c")));
    Set<String> hadA = servedBy("a");
    Set<String> hadB = servedBy("b");
    Set<String> hadC = servedBy("c");
    for (Set<String> each : List.of(hadA, hadB, hadC)) {
      assertTrue(each.size() > 2, () -> "no fair share: " + each);
    }
    String key = hadB.iterator().next();
    assertEquals(Optional.of("b"), a.call(() -> ofA.owner(key)));
    assertEquals(Optional.empty(), a.call(() -> ofA.owner("none")));

    b.leave();
    awaitServed(() -> allServed() && servedBy("b").isEmpty());
    assertTrue(servedBy("a").containsAll(hadA), "a has lost a key");
    assertTrue(servedBy("c").containsAll(hadC), "c has lost a key");
    assertNotEquals(Optional.of("b"), a.call(() -> ofA.owner(key)));

    b.join();
    for (Node each : List.of(a, b, c)) {
      each.awaitMembers(members -> members.all().size() == 3);
    }
    var _ = spread(b);
    awaitServed(() -> allServed() && servedBy("b").equals(hadB));
    assertEquals(hadA, servedBy("a"));
    assertEquals(hadC, servedBy("c"));
  }

  /// Each sees other members, but all agree on leases.
  @Test
  void aMemberThatDoesNotSpread_hasNoKeys_andViewsDoNotMatter() throws Exception {
    Node a = member("a");
    Node b = member("b");
    Node c = member("c");
    hub.hide("a", "c");
    a.awaitMembers(members -> members.all().size() == 2);
    ClusterSpread ofA = spread(a);
    awaitServed(() -> allServed() && servedBy("a").equals(KEYS));
    ClusterSpread ofC = spread(c);
    awaitServed(() -> isSpreadOver(Set.of("a", "c")));
    Set<String> hadC = servedBy("c");
    String key = hadC.iterator().next();
    assertEquals(Optional.of("c"), a.call(() -> ofA.owner(key)));
    a.run(ofA::cancel);
    awaitServed(() -> allServed() && servedBy("c").equals(KEYS));
    assertEquals(KEYS, c.call(ofC::served));
    assertEquals(3, b.members().all().size());
    b.leave();
    c.run(ofC::cancel);
    awaitServed(serving::isEmpty);
    c.await(() -> ofC.owner(key).isEmpty());
  }

  @Test
  void aClusterOfOne_servesAll_untilItIsCancelled() throws Exception {
    Node a = node(ClusterConfig.of("a"));
    ClusterSpread spread = spread(a);
    awaitServed(this::allServed);
    assertEquals(KEYS, a.call(spread::served));
    assertEquals("spread 'shards', 30 of 30 keys served by this node", a.call(spread::toString));
    a.run(spread::cancel);
    awaitServed(serving::isEmpty);
    a.run(spread::cancel);
    ClusterSpread second = spread(a);
    awaitServed(this::allServed);
    assertEquals(KEYS, a.call(second::served));
  }

  /// As without etcd: the node has never learned of one that takes part.
  @Test
  void leave_beforeAnyNodeTakesPart_endsTheSpread() throws Exception {
    ClusterLimits limits = ClusterLimits.USUAL.with(Time.LEAVE, Duration.ofMillis(1));
    Node a = node(ClusterConfig.of("a").at(anyPort()).limited(limits), hub::engine);
    a.join();
    hub.cut("a", true);
    var _ = spread(a);
    a.leave();
    a.end(false);
    String reason = failures.remove().getMessage();
    assertTrue(reason.startsWith("node 'a' leaves without having given back all leases"), reason);
  }

  @Test
  void anActionThatFails_isReported_andTheOthersGoOn() throws Exception {
    Node a = node(ClusterConfig.of("a"));
    a.run(() ->
        a.cluster.spread(
            "s",
            List.of("bad", "good"),
            (key, lease) -> {
              if (key.equals("bad")) {
                throw new IllegalStateException(key);
              }
              serve(a, key, lease);
            }));
    awaitServed(() -> serving.containsKey("good"));
    a.close();
    assertEquals(List.of("bad"), failures.stream().map(Throwable::getMessage).toList());
    failures.clear();
  }

  @Test
  void badNames_areRefused() throws Exception {
    Node a = node(ClusterConfig.of("a"));
    SpreadAction action = (key, lease) -> {};
    a.run(() -> {
      assertThrows(
          IllegalArgumentException.class, () -> a.cluster.spread("", List.of("k"), action));
      assertThrows(
          IllegalArgumentException.class, () -> a.cluster.spread("s", List.of(""), action));
    });
    Node b = node(ClusterConfig.of("b").at(anyPort()), hub::engine);
    b.run(() ->
        assertThrows(
            IllegalStateException.class, () -> b.cluster.spread("s", List.of("k"), action)));
  }
}
