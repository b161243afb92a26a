package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.jgroups.JGroupsEngine;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.DeliveryException;
import dev.rondo.cluster.members.DeliveryException.Reason;
import dev.rondo.cluster.members.Member;
import dev.rondo.cluster.members.MembersChange;
import dev.rondo.condition.channel.Subscription;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.JChannel;
import org.jgroups.MergeView;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// Members over real sockets on loopback.
final class MembersTest extends ClusterRig {

  private static final Duration SHORT = Duration.ofMillis(300);

  @Test
  void threeMembers_joinLeaveAndRejoin_eachSeesTheSame() throws Exception {
    Node a = founder("a");
    Subscription<MembersChange> changes = a.call(() -> a.cluster.changes());
    Node b = acquainted("b", a);
    b.join();
    Node c = acquainted("c", a);
    c.join();
    for (Node each : List.of(a, b, c)) {
      each.awaitMembers(members -> members.all().size() == 3);
      assertEquals(List.of("a", "b", "c"), names(each.members()));
      assertEquals("a", each.members().all().getFirst().name());
    }
    String first = b.members().self().id();

    b.leave();
    assertEquals(List.of("b"), names(b.members()));
    assertFalse(b.call(() -> b.cluster.isJoined()));
    a.awaitMembers(members -> members.all().size() == 2);
    assertEquals(List.of("a", "c"), names(a.members()));

    b.join();
    for (Node each : List.of(a, b, c)) {
      each.awaitMembers(members -> members.all().size() == 3);
      assertEquals(List.of("a", "c", "b"), names(each.members()));
    }
    assertNotEquals(first, b.members().self().id());

    var seen = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      MembersChange change = a.call(changes::receive);
      seen.add("+" + change.joined() + " -" + change.left());
    }
    assertEquals(List.of("+[b] -[]", "+[c] -[]", "+[] -[b]", "+[b] -[]"), seen);
  }

  @Test
  void close_ofAScheduler_leaves() throws Exception {
    Node a = founder("a");
    Node b = acquainted("b", a);
    b.join();
    a.awaitMembers(members -> members.all().size() == 2);
    b.close();
    a.awaitMembers(members -> members.all().size() == 1);
  }

  @Test
  void join_withATakenName_fails_andSucceedsWhenItIsFree() throws Exception {
    Node a = founder("a");
    Node b = acquainted("b", a);
    b.join();
    Node second =
        node(
            ClusterConfig.of("b")
                .at(anyPort())
                .with(List.of(a.address()))
                .limited(ClusterLimits.USUAL.with(Time.JOIN, SHORT)));
    var taken = assertThrows(ClusterException.class, second::join);
    assertEquals("cluster 'rondo' has a member with the name 'b' already", taken.getMessage());
    assertEquals(List.of("b"), names(second.members()));
    assertEquals(List.of("a", "b"), names(a.members()));
    b.leave();
    second.join();
    Member joined = second.members().self();
    a.awaitMembers(members -> members.find("b").equals(Optional.of(joined)));
  }

  @Test
  void join_byAName_isResolvedWhenItJoins() throws Exception {
    Node a = founder("a");
    var named = InetSocketAddress.createUnresolved("localhost", a.address().getPort());
    Node b = node(ClusterConfig.of("b").at(anyPort()).with(List.of(named)).withAtLeast(2));
    b.join();
    assertEquals(2, b.call(() -> b.cluster.members().get().all().size()));
  }

  /// As with a file that names the members, which is not there at first, and then changes.
  @Test
  void aFinder_isAskedAgain_andItsNewMembersAreFound() throws Exception {
    var found = new AtomicReference<@Nullable List<InetSocketAddress>>();
    Node a = node(ClusterConfig.of("a").at(anyPort()).with(() -> requireNonNull(found.get())));
    a.join();
    Node b = founder("b");
    found.set(List.of(b.address()));
    a.awaitMembers(members -> members.all().size() == 2);
  }

  /// The parts of b and c both know a, and not each other: each had a in turn, for minutes.
  @RepeatedTest(2)
  void aNodeThatJoins_whileTwoPartsBecomeOne_isAMemberOfIt() throws Exception {
    Node a = founder("a");
    var found = new CopyOnWriteArrayList<InetSocketAddress>();
    Node b = node(ClusterConfig.of("b").at(anyPort()).with(() -> found));
    b.join();
    found.add(a.address());
    a.awaitMembers(members -> members.all().size() == 2);
    Node c = acquainted("c", a);
    c.join();
    for (Node each : List.of(a, b, c)) {
      each.awaitMembers(members -> members.all().size() == 3);
    }
  }

  @Test
  void join_withATakenAddress_fails() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());
      Node a = node(ClusterConfig.of("a").at(address));
      var failure = assertThrows(ClusterException.class, a::join);
      assertTrue(
          failure.getMessage().startsWith("node 'a' cannot listen on " + address),
          failure::getMessage);
      assertFalse(a.call(() -> a.cluster.isJoined()));
    }
  }

  @Test
  void join_withoutEnoughMembers_fails_andNamesTheMissing() throws Exception {
    InetSocketAddress unused;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      unused = new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
    }
    Node a =
        node(
            ClusterConfig.of("a")
                .at(anyPort())
                .with(List.of(unused))
                .withAtLeast(2)
                .limited(ClusterLimits.USUAL.with(Time.JOIN, SHORT)));
    var failure = assertThrows(ClusterException.class, a::join);
    assertEquals(
        "node 'a' needs 2 members, but after 300 ms there are only [a]; no member at [%s]"
            .formatted(unused),
        failure.getMessage());
  }

  @Test
  void aClusterOfOne_needsNothing() throws Exception {
    Node a =
        node(
            ClusterConfig.of("a"),
            (config, listener, machine) -> {
              throw new AssertionError("a node without an address makes an engine");
            });
    a.join();
    a.leave();
    assertEquals(List.of("a"), names(a.members()));
    assertTrue(a.call(() -> a.cluster.address()).isEmpty());
    a.run(() -> {
      try (Mailbox<String> box = a.cluster.mailbox("box", Codec.utf8())) {
        Delivery delivery = a.cluster.to("a", "box", Codec.utf8()).send("hello");
        assertEquals("hello", box.receive());
        delivery.awaitTaken();
      }
    });
  }

  @Test
  void aJoinedCluster_doesNotKeepTheSchedulerRunning() throws Exception {
    Node a = founder("a");
    a.end(false);
  }

  @Test
  void messagesAndSignals_overSockets() throws Exception {
    Node a = founder("a");
    Node b = acquainted("b", a);
    b.join();
    a.awaitMembers(members -> members.all().size() == 2);
    Mailbox<String> box = b.call(() -> b.cluster.mailbox("box", Codec.utf8()));
    ClusterSignal<String> heard = b.call(() -> b.cluster.signal("news", Codec.utf8()));
    ClusterSignal<String> news = a.call(() -> a.cluster.signal("news", Codec.utf8()));
    int count = 500;
    String large = "x".repeat(700_000);
    var sent =
        a.begin(() -> {
          RemoteMailbox<String> to = a.cluster.to("b", "box", Codec.utf8());
          for (int i = 0; i < count; i++) {
            var _ = to.send("m" + i);
          }
          to.send(large).awaitTaken();
          return news.signalAll("done");
        });
    var signalled = b.begin(() -> b.scheduler.await(heard));
    b.run(() -> {
      for (int i = 0; i < count; i++) {
        assertEquals("m" + i, box.receive());
      }
      assertEquals(large, box.receive());
    });
    assertEquals(2, result(sent));
    assertEquals("done", result(signalled));
  }

  /// As when a stood still: b has lost sight of it, and it has seen b all the time. What b
  /// confirmed meanwhile was not sent.
  @Test
  void aMemberThatHadLostSightOfThisOne_hasLeft_andIsBack() throws Exception {
    var engines = new ConcurrentHashMap<String, JGroupsEngine>();
    Engine.Maker maker =
        (config, listener, machine) -> {
          var made = new JGroupsEngine(config, listener);
          engines.put(config.node(), made);
          return made;
        };
    Node a = node(ClusterConfig.of("a").at(anyPort()), maker);
    a.join();
    Node b = node(ClusterConfig.of("b").at(anyPort()).with(List.of(a.address())), maker);
    b.join();
    a.awaitMembers(members -> members.all().size() == 2);
    Mailbox<String> box = b.call(() -> b.cluster.mailbox("box", Codec.utf8()));
    Mailbox<String> later = b.call(() -> b.cluster.mailbox("later", Codec.utf8()));
    RemoteMailbox<String> toBox = a.call(() -> a.cluster.to("b", "box", Codec.utf8()));
    Delivery first = a.call(() -> toBox.send("first"));
    a.run(() -> {
      var _ = a.cluster.to("b", "later", Codec.utf8()).send("first has arrived");
    });
    assertEquals("first has arrived", b.call(later::receive));

    JChannel ofB = requireNonNull(engines.get("b").channel());
    View both = ofB.getView();
    long id = both.getViewId().getId();
    View part = View.create(ofB.getAddress(), id + 1, ofB.getAddress());
    ofB.getReceiver().viewAccepted(part);
    b.awaitMembers(members -> members.all().size() == 1);
    assertEquals("first", b.call(box::receive));
    var merged = new MergeView(ofB.getAddress(), id + 2, both.getMembers(), List.of(both, part));
    for (JGroupsEngine each : engines.values()) {
      requireNonNull(each.channel()).getReceiver().viewAccepted(merged);
    }

    var failure = assertThrows(DeliveryException.class, () -> a.run(first::awaitTaken));
    assertEquals(Reason.MEMBER_LEFT, failure.reason());
    var second =
        a.begin(() -> {
          toBox.send("second").awaitTaken();
          return null;
        });
    assertEquals("second", b.call(box::receive));
    assertNull(result(second));
  }
}
