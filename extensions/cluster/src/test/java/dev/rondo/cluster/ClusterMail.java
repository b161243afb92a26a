package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.simulation.WorldHost;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The messages of a [ClusterWorld], and what holds for them: one that was received was sent, comes
/// once, and in order; one that was confirmed was received, unless the process that had it ended.
final class ClusterMail {

  static final String BOX = "box";

  private static final int MOST_TOGETHER = 4;

  private final Map<String, Integer> processes = new HashMap<>();
  private final Set<String> sent = new HashSet<>();

  /// Where messages were received.
  private final Map<String, String> received = new HashMap<>();

  /// The last number from a process at a process.
  private final Map<String, Long> last = new HashMap<>();

  /// Confirmed messages, by the hosts that had to have received them.
  private final Map<String, Set<String>> owed = new HashMap<>();

  private long number;

  /// A process of a host begins.
  ///
  /// @return which of them
  int begin(WorldHost host) {
    var _ = owed.remove(host.name());
    return processes.merge(host.name(), 1, Integer::sum);
  }

  private String process(WorldHost host) {
    return host.name() + processes.get(host.name());
  }

  /// Sends messages to a host, and waits until they are taken.
  void send(WorldHost from, int process, String to, RemoteMailbox<String> box) {
    Integer taking = processes.get(to);
    Map<String, Delivery> deliveries = new LinkedHashMap<>();
    for (int left = 1 + from.random().nextInt(MOST_TOGETHER); left > 0; left--) {
      String message = "%s%d %d %s".formatted(from.name(), process, ++number, to);
      sent.add(message);
      deliveries.put(message, box.send(message));
    }
    deliveries.forEach((message, delivery) -> {
      delivery.awaitTaken();
      if (processes.get(to).equals(taking)) {
        var _ = owed.computeIfAbsent(to, it -> new HashSet<>()).add(message);
      }
    });
  }

  void received(WorldHost by, String message) {
    assertTrue(sent.contains(message), () -> "nobody has sent " + message);
    String before = received.put(message, process(by));
    assertEquals(null, before, () -> "received twice: " + message);
    String[] words = message.split(" ", -1);
    Long earlier = last.put(words[0] + " " + process(by), Long.valueOf(words[1]));
    assertTrue(
        earlier == null || earlier < Long.parseLong(words[1]),
        () -> "received after number %d: %s".formatted(earlier, message));
  }

  void requireNoneLost() {
    owed.forEach((host, messages) -> {
      messages.removeAll(received.keySet());
      assertEquals(Set.of(), messages, () -> "confirmed, and not received by " + host);
    });
  }
}
