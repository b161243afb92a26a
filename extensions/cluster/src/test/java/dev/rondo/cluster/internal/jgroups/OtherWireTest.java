package dev.rondo.cluster.internal.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.internal.engine.Wire;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.protocols.TransferQueueBundler;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// A member that speaks a later version of the messages than this one.
final class OtherWireTest {

  private static final int HANG_SECONDS = 200;
  private static final String SAID =
      "node 'b' speaks version 1 of the messages between members, but member 'a' of cluster"
          + " 'rondo' speaks 2";

  private final BlockingQueue<String> met = new LinkedBlockingQueue<>();

  private final class Meeting implements Engine.Listener {

    @Override
    public void met(ClusterException strangers) {
      met.add(strangers.getMessage());
    }

    @Override
    public void membersChanged() {}

    @Override
    public void received(Member from, List<Frame> frames) {}

    @Override
    public void leaderChanged(boolean leads) {}

    @Override
    public void failed(ClusterException failure) {
      throw new AssertionError(failure);
    }
  }

  private static ClusterConfig config(String node) {
    return ClusterConfig.of(node).at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /// A channel as that of a member of the next version.
  private static JChannel later(ClusterConfig config) throws Exception {
    int next = Wire.OURS.newest() + 1;
    Wire wire = new Wire(next, next);
    JChannel made = new JChannel(JGroupsStack.of(config, new TransferQueueBundler()));
    var _ = made.addAddressGenerator(() -> JGroupsEngine.newAddress(config, wire, "nothing"));
    return made.connect(config.cluster());
  }

  private static InetSocketAddress address(JChannel of) {
    var there = (IpAddress) of.down(new Event(Event.GET_PHYSICAL_ADDRESS, of.getAddress()));
    return new InetSocketAddress(there.getIpAddress(), there.getPort());
  }

  @Test
  void join_whereAMemberSpeaksALaterVersion_fails_andNamesIt() throws Exception {
    try (JChannel a = later(config("a"))) {
      var b = new JGroupsEngine(config("b").with(List.of(address(a))), new Meeting());
      assertEquals(SAID, assertThrows(ClusterException.class, b::join).getMessage());
    }
  }

  /// Which of the two takes in the new node is left to chance.
  @RepeatedTest(4)
  void join_whereAStrangerHasAPartOfItsOwn_findsTheOthers() throws Exception {
    var c = new JGroupsEngine(config("c"), new Meeting());
    c.join();
    try (JChannel a = later(config("a"))) {
      ClusterConfig joining = config("b").with(List.of(address(a), c.address()));
      var b = new JGroupsEngine(joining, new Meeting());
      try {
        b.join();
        assertEquals(Set.of(b.self(), c.self()), Set.copyOf(b.view()));
      } finally {
        b.leave();
      }
    } finally {
      c.leave();
    }
  }

  @Test
  void aMemberOfALaterVersion_thatComes_staysApart_andIsNamed() throws Exception {
    var b = new JGroupsEngine(config("b"), new Meeting());
    b.join();
    try (JChannel _ = later(config("a").with(List.of(b.address())))) {
      assertEquals(SAID, met.poll(HANG_SECONDS, TimeUnit.SECONDS));
      assertEquals(List.of(b.self()), b.view());
    } finally {
      b.leave();
    }
  }
}
