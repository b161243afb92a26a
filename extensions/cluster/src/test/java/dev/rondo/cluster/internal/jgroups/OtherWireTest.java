package dev.rondo.cluster.internal.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.protocols.TransferQueueBundler;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;

/// A member that speaks a later version of the messages than this one.
final class OtherWireTest {

  private static final class Silent implements Engine.Listener {

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

  @Test
  void join_whereAMemberSpeaksALaterVersion_fails_andNamesIt() throws Exception {
    String later = Integer.toString(Frame.VERSION + 1);
    ClusterConfig old = config("a");
    try (var a = new JChannel(JGroupsStack.of(old, new TransferQueueBundler()))) {
      var _ = a.addAddressGenerator(() -> JGroupsEngine.newAddress(old, later, "nothing"));
      var _ = a.connect(old.cluster());
      var there = (IpAddress) a.down(new Event(Event.GET_PHYSICAL_ADDRESS, a.getAddress()));
      ClusterConfig joining =
          config("b").with(List.of(new InetSocketAddress(there.getIpAddress(), there.getPort())));
      var b = new JGroupsEngine(joining, new Silent());
      assertEquals(
          "node 'b' speaks version 1 of the messages between members, but member 'a' of cluster"
              + " 'rondo' speaks 2",
          assertThrows(ClusterException.class, b::join).getMessage());
    }
  }
}
