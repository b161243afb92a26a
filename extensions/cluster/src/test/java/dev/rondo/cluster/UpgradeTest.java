package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.internal.engine.Wire;
import dev.rondo.cluster.internal.etcd.EtcdEngine;
import dev.rondo.cluster.internal.etcd.OwnThread;
import dev.rondo.cluster.internal.jgroups.JGroupsEngine;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Three nodes are replaced one by one by those of a later release, which speaks one more version
/// of the messages between members. All go on to send messages, and to agree.
final class UpgradeTest extends EtcdRig {

  private static final Wire OLD = new Wire(1, 1);
  private static final Wire NEW = new Wire(1, 2);

  /// Of the release after that one.
  private static final Wire LATER = new Wire(2, 2);

  private static final String BOX = "box";

  private final Map<String, Node> members = new LinkedHashMap<>();
  private long sum;
  private long token;

  private void start(String name, Wire wire) throws Exception {
    List<InetSocketAddress> others = new ArrayList<>();
    for (Node each : members.values()) {
      others.add(each.address());
    }
    Node node =
        node(
            config(name, others),
            (config, listener, machine) ->
                new EtcdEngine(
                    config,
                    requireNonNull(config.etcd()),
                    new JGroupsEngine(config, listener, wire),
                    listener,
                    machine,
                    new OwnThread()));
    Mailbox<String> box = node.call(() -> node.cluster.mailbox(BOX, Codec.utf8()));
    var _ =
        node.begin(() -> {
          while (true) {
            var _ = box.receive();
          }
        });
    node.join();
    members.put(name, node);
  }

  /// Each sends each other a message that is taken, adds to a counter, and has the lease once.
  private void useAll() throws Exception {
    for (Node each : members.values()) {
      each.awaitMembers(seen -> seen.all().size() == members.size());
    }
    for (Node from : members.values()) {
      for (String to : members.keySet()) {
        from.run(() -> from.cluster.to(to, BOX, Codec.utf8()).send("x").awaitTaken());
      }
      assertEquals(++sum, from.call(() -> from.cluster.counter("c").add(1)));
      long before = token;
      token =
          from.call(() -> {
            try (Lease lease = from.cluster.lease("l").acquire(Duration.ofSeconds(5))) {
              return lease.token();
            }
          });
      assertTrue(token > before, () -> token + " after " + before);
    }
  }

  @Test
  void nodes_areUpgradedOneByOne() throws Exception {
    for (String each : List.of("a", "b", "c")) {
      start(each, OLD);
    }
    useAll();
    for (String each : List.of("a", "b", "c")) {
      Node old = members.remove(each);
      old.leave();
      old.close();
      start(each, NEW);
      useAll();
    }
    start("d", LATER);
    useAll();
  }
}
