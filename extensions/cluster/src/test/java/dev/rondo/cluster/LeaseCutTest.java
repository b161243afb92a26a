package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Leases of nodes whose commands are lost, over a cluster within the JVM.
final class LeaseCutTest extends HubRig {

  private static final Duration TTL = Duration.ofSeconds(1);

  @Test
  void aHolderThatIsCutOff_losesItsLease_beforeAnotherHasIt() throws Exception {
    Node a = member("a");
    Node b = member("b");
    CompletableFuture<Long> believed =
        b.begin(() -> {
          Lease lease = b.cluster.lease("l").acquire(TTL);
          hub.cut("b", true);
          long last = System.nanoTime();
          try {
            while (true) {
              long now = System.nanoTime();
              lease.check();
              last = now;
              b.scheduler.yield();
            }
          } catch (LeaseLostException e) {
            return last;
          }
        });
    b.await(() -> b.cluster.lease("l").holder().get().isPresent());
    long taken =
        a.call(() -> {
          try (Lease _ = a.cluster.lease("l").acquire(TTL)) {
            return System.nanoTime();
          }
        });
    assertTrue(taken - result(believed) > 0, "two nodes had the lease");
    hub.cut("b", false);
    CompletableFuture<Lease> again = b.begin(() -> b.cluster.lease("l").acquire(TTL));
    a.run(() -> a.cluster.counter("wakes the carrier").add(1));
    b.run(result(again)::close);
  }

  @Test
  void commandsThatWereLost_areProposedAgain_andAppliedOnce() throws Exception {
    Node a = member("a");
    Node b = member("b");
    hub.cut("b", true);
    var sums = new ArrayList<CompletableFuture<Long>>();
    for (int i = 0; i < 10; i++) {
      sums.add(b.begin(() -> b.cluster.counter("c").add(1)));
    }
    a.run(() -> a.cluster.counter("c").add(1));
    hub.cut("b", false);
    for (CompletableFuture<Long> each : sums) {
      assertTrue(result(each) > 1);
    }
    assertEquals(11, a.call(() -> a.cluster.counter("c").get()));
  }

  @Test
  void aWaitingNodeThatIsGone_isPassedOver() throws Exception {
    Node a = member("a");
    Node b = member("b");
    Node c = member("c");
    Lease held = a.call(() -> a.cluster.lease("l").acquire(Duration.ofSeconds(30)));
    var gone = b.begin(() -> b.cluster.lease("l").acquire(Duration.ofSeconds(30)));
    a.await(() -> a.cluster.lease("l").holder().get().isPresent());
    a.run(() -> a.cluster.counter("c").get());
    b.run(() -> b.cluster.counter("c").get()); // after the request
    CompletableFuture<Lease> next =
        c.begin(() -> c.cluster.lease("l").acquire(Duration.ofSeconds(30)));
    c.run(() -> c.cluster.counter("c").get());
    b.leave();
    assertThrows(OutcomeUnknownException.class, () -> result(gone));
    a.awaitMembers(members -> members.all().size() == 2);
    a.run(held::close);
    c.run(result(next)::check); // at once, not after 30 s
  }
}
