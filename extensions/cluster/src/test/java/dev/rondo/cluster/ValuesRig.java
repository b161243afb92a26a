package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Voters with processes of their own, on which clients use registers and a counter, and compete
/// for a lease. What they print is taken in while a test waits.
abstract class ValuesRig extends VotersRig {

  private static final int CLIENTS = 2;

  /// How many operations are answered between two faults.
  private static final int OPERATIONS = 100;

  /// How many of them by each node that a test looks at.
  private static final int OPERATIONS_OF_A_NODE = 20;

  final ValueHistory history = new ValueHistory();
  final LeaseHistory leases = new LeaseHistory();
  private final Map<String, Integer> answers = new HashMap<>();

  /// Answers that were printed earlier are not counted: there may be many that no test has read
  /// yet.
  private long sinceNanos = System.nanoTime();

  @Override
  Line next() throws InterruptedException {
    Line line = super.next();
    take(line);
    return line;
  }

  void take(Line line) {
    history.add(line.text());
    leases.add(line.node(), line.text());
    if (line.text().startsWith("done ") && line.nanos() - sinceNanos >= 0) {
      var _ = answers.merge(line.node(), 1, Integer::sum);
    }
  }

  void followOperations() throws InterruptedException {
    int enough = history.answers() + OPERATIONS;
    while (history.answers() < enough) {
      var _ = next();
    }
  }

  /// Waits until the clients of each node have had some answers from now on: more than were under
  /// way.
  void followOperationsOf(Collection<String> names) throws InterruptedException {
    answers.clear();
    sinceNanos = System.nanoTime();
    while (names.stream().anyMatch(name -> answers.getOrDefault(name, 0) < OPERATIONS_OF_A_NODE)) {
      var _ = next();
    }
  }

  /// Has clients use the values, and compete for a lease.
  void use(Collection<String> names) throws Exception {
    for (String each : names) {
      node(each).tell("use " + CLIENTS);
      node(each).tell("contend");
    }
  }

  void startAndUse(String... names) throws Exception {
    startAll(names);
    use(List.of(names));
    followOperations();
  }

  void restart(List<String> names) throws Exception {
    for (String each : names) {
      var _ = start(each);
    }
    for (String _ : names) {
      var _ = await("joined");
    }
    use(names);
    followOperations();
  }

  /// Reads all values, ends all processes, and checks all that was answered and done. The lines of
  /// a process may arrive later than what comes of them in another one: a history that was cut off
  /// while processes run has reads of values that no client has set.
  void requireRight() throws Exception {
    node(nodes.keySet().iterator().next()).tell("read");
    var _ = await("read");
    killAllAndRead();
    while (!lines.isEmpty()) {
      take(lines.take());
    }
    history.requireLinearizable();
    leases.requireOneHolderAtATime();
    assertTrue(leases.size() > 0, "no node has had the lease");
  }
}
