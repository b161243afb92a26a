package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.Loops;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import dev.rondo.scheduler.internal.rooms.AddOnInfo.Figure;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// What a node says of its cluster in dumps and figures.
final class ClusterReportTest extends HubRig {

  private static final Duration TTL = Duration.ofSeconds(30);
  private static final String LEASE = "nightly";

  private static AddOnInfo report(Node node) throws Exception {
    return node.call(() ->
        LoopView.of(node.scheduler).addOns().stream()
            .filter(addOn -> addOn.name().equals("WaitForCluster"))
            .findFirst()
            .orElseThrow());
  }

  private static long figure(AddOnInfo report, String name) {
    return report.figures().stream()
        .filter(figure -> figure.name().equals(name))
        .mapToLong(Figure::value)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no figure '" + name + "' in " + report));
  }

  private static void assertLine(AddOnInfo report, String pattern) {
    assertTrue(report.lines().stream().anyMatch(line -> line.matches(pattern)), report::toString);
  }

  @Test
  void aNodeThatIsAlone_saysSo() throws Exception {
    Node alone = node(ClusterConfig.of("alone"));
    AddOnInfo report = report(alone);
    assertEquals(1, figure(report, "cluster.members"));
    assertEquals(0, figure(report, "cluster.joined"));
    assertEquals(List.of("node 'alone' of cluster 'rondo', alone"), report.lines());
  }

  @Test
  void members_areCountedAndNamed() throws Exception {
    Node a = member("a");
    Node b = member("b");
    a.awaitMembers(members -> members.all().size() == 2);
    AddOnInfo report = report(a);
    assertEquals(2, figure(report, "cluster.members"));
    assertEquals(1, figure(report, "cluster.joined"));
    assertLine(report, "node 'a' of cluster 'rondo', joined at .+:\\d+.*");
    assertLine(report, "members: a, b");
    b.leave();
    assertLine(report(b), "node 'b' of cluster 'rondo', alone");
    a.awaitMembers(members -> members.all().size() == 1);
    assertEquals(1, figure(report(a), "cluster.members"));
  }

  @Test
  void leases_heldAndAwaited_areShownWithTheirHolder() throws Exception {
    Node a = member("a");
    Node b = member("b");
    Lease held = a.call(() -> a.cluster.lease(LEASE).acquire(TTL));
    CompletableFuture<Lease> awaited = b.begin(() -> b.cluster.lease(LEASE).acquire(TTL));
    b.await(() -> b.cluster.lease(LEASE).holder().get().isPresent());

    AddOnInfo ofA = report(a);
    assertEquals(1, figure(ofA, "cluster.leases"));
    assertEquals(0, figure(ofA, "cluster.leases.awaited"));
    assertLine(ofA, "lease 'nightly': held, token \\d+, .+ left");
    AddOnInfo ofB = report(b);
    assertEquals(0, figure(ofB, "cluster.leases"));
    assertEquals(1, figure(ofB, "cluster.leases.awaited"));
    assertLine(ofB, "lease 'nightly': held by 'a', tasks that wait: 1");

    a.run(held::close);
    b.run(result(awaited)::close);
    assertEquals(0, figure(report(b), "cluster.leases.awaited"));
  }

  @Test
  void messages_thatWait_areCountedOnBothSides() throws Exception {
    Node a = member("a");
    Node b = member("b");
    a.awaitMembers(members -> members.all().size() == 2);
    Mailbox<String> box = b.call(() -> b.cluster.mailbox("box", Codec.utf8()));
    CompletableFuture<Void> taken =
        a.begin(() -> {
          var _ = a.cluster.to("b", "box", Codec.utf8()).send("1");
          a.cluster.to("b", "box", Codec.utf8()).send("2").awaitTaken();
          return null;
        });
    b.await(() -> box.size() == 2);
    AddOnInfo ofA = report(a);
    assertEquals(2, figure(ofA, "cluster.unconfirmed"));
    assertLine(
        ofA,
        "to mailbox 'box' of 'b': 2 messages, 2 bytes sent and not confirmed, tasks that wait: 0");
    AddOnInfo ofB = report(b);
    assertEquals(2, figure(ofB, "cluster.received"));
    assertLine(ofB, "mailbox 'box': messages that wait: 2");
    assertTrue(
        b.call(
                () -> {
                  var dump = new StringBuilder();
                  Loops.dump(b.scheduler, DumpFormat.TEXT, dump, HANG);
                  return dump.toString();
                })
            .contains("mailbox 'box': messages that wait: 2"));

    assertEquals("1", b.call(box::receive));
    assertEquals("2", b.call(box::receive));
    result(taken);
    assertEquals(0, figure(report(a), "cluster.unconfirmed"));
    assertEquals(0, figure(report(b), "cluster.received"));
  }
}
