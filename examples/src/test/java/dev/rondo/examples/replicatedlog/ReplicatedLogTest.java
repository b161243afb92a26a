package dev.rondo.examples.replicatedlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// The replicated log without faults of network and disk: what the worlds of the other test do not
/// show one by one.
@EveryBackend
final class ReplicatedLogTest {

  @Parameter(0)
  CoroutineBackend backend;

  private void run(OneLoopCluster.Scenario scenario) {
    OneLoopCluster.run(backend, scenario);
  }

  @Test
  void putAndGet_threeReplicas_elect() {
    run(cluster -> {
      try (Client client = cluster.client()) {
        client.put("a", "1");
        assertEquals("1", client.get("a"));
        assertNull(client.get("b"));
      }
    });
  }

  @Test
  void compareAndSet_changesOnlyWhatIsExpected() {
    run(cluster -> {
      try (Client client = cluster.client()) {
        assertTrue(client.compareAndSet("a", null, "1"));
        assertFalse(client.compareAndSet("a", null, "2"));
        assertFalse(client.compareAndSet("a", "2", "3"));
        assertTrue(client.compareAndSet("a", "1", "4"));
        assertEquals("4", client.get("a"));
      }
    });
  }

  @Test
  void leaderStops_anotherLeads_nothingIsLost() {
    run(cluster -> {
      try (Client client = cluster.client()) {
        client.put("a", "1");
        int first = client.leader();
        cluster.stop(first);
        client.put("b", "2");
        assertNotEquals(first, client.leader());
        assertEquals("1", client.get("a"));
      }
    });
  }

  @Test
  void oneOfThree_answersNothing_untilASecondIsBack() {
    run(cluster -> {
      try (Client client = cluster.client()) {
        client.put("a", "1");
        int leader = client.leader();
        int other = leader % 3 + 1;
        cluster.stop(leader);
        cluster.stop(other);
        cluster.scheduler.spawn(
            "later",
            () -> {
              cluster.time.sleep(Duration.ofSeconds(30));
              cluster.start(other);
            });
        Deadline asked = cluster.time.now();
        assertEquals("1", client.get("a"));
        Duration waited = cluster.time.now().minus(asked);
        assertTrue(waited.compareTo(Duration.ofSeconds(30)) >= 0, waited::toString);
      }
    });
  }

  @Test
  void allRestart_nothingIsLost() {
    run(cluster -> {
      try (Client client = cluster.client()) {
        for (int i = 0; i < 20; i++) {
          client.put("key " + i, "value " + i);
        }
        cluster.members.numbers().forEach(cluster::stop);
        cluster.members.numbers().forEach(cluster::start);
        for (int i = 0; i < 20; i++) {
          assertEquals("value " + i, client.get("key " + i));
        }
      }
    });
  }

  @Test
  void replicaThatWasAway_catchesUp_bySnapshotToo() {
    run(cluster -> {
      try (Client client = cluster.client()) {
        client.put("a", "0");
        int away = client.leader() % 3 + 1;
        cluster.stop(away);
        for (int i = 1; i <= 350; i++) {
          client.put("a", "" + i);
        }
        cluster.start(away);
        cluster.time.sleep(Duration.ofSeconds(2));
        cluster.stop(away);
        try (Storage storage = cluster.storage(away)) {
          assertTrue(
              storage.snapshot().last().index() >= 300, () -> "" + storage.snapshot().last());
          var store = new Store();
          store.restore(storage.snapshot());
          Log log = storage.log();
          for (long i = store.applied().index() + 1; i <= log.last().index(); i++) {
            store.apply(log.entry(i));
          }
          assertEquals("350", store.get("a"));
        }
        for (int each : cluster.members.numbers()) {
          if (each != away) {
            cluster.stop(each);
          }
        }
        cluster.members.numbers().forEach(cluster::start);
        assertEquals("350", client.get("a"));
      }
    });
  }
}
