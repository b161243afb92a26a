package dev.rondo.benchmarks.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class GrainTest {

  @Test
  void backward_noCycle_isZero() {
    var graph = graph(Map.of("a", Set.of("b", "c"), "b", Set.of("c"), "c", Set.of()));
    assertEquals(List.of("a", "b", "c"), Grain.order(graph));
    assertEquals(0, Grain.backward(graph, Grain.order(graph)));
    assertEquals(1, Grain.largestCycle(graph));
  }

  @Test
  void backward_oneCycleOfThree_isOne() {
    var graph =
        graph(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("a", "d"), "d", Set.of()));
    assertEquals(1, Grain.backward(graph, Grain.order(graph)));
    assertEquals(3, Grain.largestCycle(graph));
  }

  @Test
  void backward_twoTypesThatNameEachOther_isOne() {
    var graph = graph(Map.of("a", Set.of("b"), "b", Set.of("a")));
    assertEquals(1, Grain.backward(graph, Grain.order(graph)));
    assertEquals(2, Grain.largestCycle(graph));
  }

  @Test
  void references_ownClasses_findsTheNamedOnesAndNotItself() throws Exception {
    Path folder =
        Path.of(GrainTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> named = Grain.references(folder).get("dev/rondo/benchmarks/house/GrainTest");
    assertTrue(named.contains("dev/rondo/benchmarks/house/GrainNeighbour"), named.toString());
    assertTrue(GrainNeighbour.EXISTS);
    assertEquals(1, named.size(), named.toString());
  }

  private static SortedMap<String, Set<String>> graph(Map<String, Set<String>> edges) {
    return new TreeMap<>(edges);
  }
}
