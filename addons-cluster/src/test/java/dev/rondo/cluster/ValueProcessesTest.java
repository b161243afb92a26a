package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients in several processes, of which some are killed and come back: what they were answered is
/// linearizable, so nothing that was acknowledged is lost.
///
/// The longer run: `-Dcluster.histories=30` kills so often.
final class ValueProcessesTest extends VotersRig {

  private static final int KILLS = Integer.getInteger("cluster.histories", 2);
  private static final int CLIENTS = 2;

  /// How many operations are answered between two faults.
  private static final int OPERATIONS = 100;

  private final Random random = new Random();
  private final ValueHistory history = new ValueHistory();

  /// Takes in what is printed until a line comes.
  private void follow(String until) throws InterruptedException {
    Line line;
    do {
      line = next();
      history.add(line.text());
    } while (!line.text().equals(until));
  }

  private void followOperations() throws InterruptedException {
    int enough = history.answers() + OPERATIONS;
    while (history.answers() < enough) {
      history.add(next().text());
    }
  }

  private void begin(List<String> names) throws Exception {
    for (String _ : names) {
      follow("joined");
    }
    for (String each : names) {
      node(each).tell("use " + CLIENTS);
    }
    followOperations();
  }

  private void kill(List<String> names) throws Exception {
    for (String each : names) {
      node(each).signal("KILL");
    }
    for (String each : names) {
      assertTrue(node(each).process().waitFor() != 0);
    }
  }

  private void restart(List<String> names) throws Exception {
    for (String each : names) {
      var _ = start(each);
    }
    begin(names);
  }

  @Test
  @Timeout(60 * HANG_SECONDS)
  void answers_areLinearizable_whileMembersAreKilled() throws Exception {
    List<String> all = List.of("a", "b", "c");
    startAll("a", "b", "c");
    for (String each : all) {
      node(each).tell("use " + CLIENTS);
    }
    followOperations();
    for (int i = 0; i < KILLS; i++) {
      var victims = List.of(all.get(random.nextInt(all.size())));
      kill(victims);
      followOperations();
      restart(victims);
    }
    kill(all);
    restart(all);
    node("a").tell("read");
    follow("read");
    history.requireLinearizable();
    System.out.printf(
        "%d kills, %d operations answered: linearizable%n", KILLS + all.size(), history.answers());
  }
}
