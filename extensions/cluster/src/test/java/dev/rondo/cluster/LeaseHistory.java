package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What nodes have done with leases, by the lines `act lease token nanos .` that they print: at
/// that instant of the system's monotonic clock, which all processes of the machine share, the node
/// held the lease.
final class LeaseHistory {

  private record Act(String node, String lease, long token, long nanos) {}

  private final List<Act> acts = new ArrayList<>();

  /// Takes in a line, if it is one of these, and whole.
  void add(String node, String line) {
    List<String> words = Arrays.asList(line.split(" ", -1));
    if (words.getFirst().equals("act") && words.getLast().equals(".")) {
      acts.add(
          new Act(node, words.get(1), Long.parseLong(words.get(2)), Long.parseLong(words.get(3))));
    }
  }

  int size() {
    return acts.size();
  }

  /// Fails if two nodes have held a lease at the same time, or have had the same token.
  void requireOneHolderAtATime() {
    acts.sort(Comparator.comparingLong(Act::nanos));
    Map<String, Act> last = new HashMap<>();
    Map<Long, String> nodes = new HashMap<>();
    for (Act each : acts) {
      Act before = last.put(each.lease(), each);
      assertTrue(
          before == null || before.token() <= each.token(),
          () -> each + " comes after " + before + ": two nodes have held the lease");
      assertEquals(
          each.node(),
          nodes.computeIfAbsent(each.token(), token -> each.node()),
          () -> "two nodes have the token of " + each);
    }
  }
}
