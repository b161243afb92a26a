package dev.rondo.cluster.internal.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jgroups.Address;
import org.jgroups.blocks.cs.BaseServer;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.logging.Log;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;

/// What JGroups logs, and which connections a view closes.
final class JGroupsTransportTest {

  private final Log log = mock(Log.class);

  @Test
  void log_ofAConnectionThatThisSideCloses_isQuiet() {
    Log quiet = JGroupsTransport.quiet(log);
    quiet.warn("%s: failed handling message: %s", "a", "Stream closed");
    quiet.error("%s: failed sending graceful close to %s: %s", "a", "b", "Socket closed");
    quiet.error("%s: failed sending graceful close to %s: %s", "a", "b", "Broken pipe");
    verifyNoMoreInteractions(log);
  }

  @Test
  void log_ofAnotherFailure_passes() {
    Log quiet = JGroupsTransport.quiet(log);
    quiet.warn("%s: failed handling message: %s", "a", "no such header");
    quiet.warn("Stream closed");
    quiet.error("%s: cannot listen: %s", "a", "Socket closed");
    verify(log).warn("%s: failed handling message: %s", "a", "no such header");
    verify(log).warn("Stream closed");
    verify(log).error("%s: cannot listen: %s", "a", "Socket closed");
  }

  /// A member may be back, with a new connection, before the old one is closed.
  @Test
  void closeOthers_addressIsConnectedAgain_closesOnlyTheOldConnection() throws Exception {
    BaseServer server = mock(BaseServer.class);
    Address stays = new IpAddress("127.0.0.1", 1);
    Address leaves = new IpAddress("127.0.0.1", 2);
    Connection old = mock(Connection.class);
    Map<Address, Connection> connections = new HashMap<>();
    connections.put(stays, mock(Connection.class));
    connections.put(leaves, old);
    doAnswer(
            call -> {
              connections.forEach(call.<BiConsumer<Address, Connection>>getArgument(0));
              return null;
            })
        .when(server)
        .forAllConnections(any());
    var closings = new ArrayList<Runnable>();
    Future<?> late = mock(Future.class);
    var limited = new ArrayList<Connection>();

    JGroupsTransport.closeOthers(
        server,
        stays::equals,
        closings::add,
        connection -> {
          limited.add(connection);
          return late;
        });
    connections.put(leaves, mock(Connection.class));
    closings.forEach(Runnable::run);

    verify(server).forAllConnections(any());
    verify(server).removeConnectionIfPresent(leaves, old);
    verifyNoMoreInteractions(server);
    assertEquals(List.of(old), limited);
    verify(late).cancel(false);
  }

  /// As of a cut that is over, after which TCP would pause.
  @Test
  void aMemberThatBeginsToBeSilent_isConnectedAnew() throws Exception {
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var a = new JGroupsEngine(ClusterConfig.of("a").at(loopback), new Deaf());
    a.join();
    try {
      var b =
          new JGroupsEngine(
              ClusterConfig.of("b").at(loopback).with(List.of(a.address())), new Deaf());
      b.join();
      try {
        String before = connections(a);
        JGroupsStack.Silence silence =
            a.channel().getProtocolStack().findProtocol(JGroupsStack.Silence.class);
        silence.suspect(List.of(b.channel().getAddress()));
        awaitOther(a, before);
        assertEquals(2, a.view().size());
      } finally {
        b.leave();
      }
    } finally {
      a.leave();
    }
  }

  /// The ports of the connection of an engine; empty if there is none.
  private static String connections(JGroupsEngine engine) {
    JGroupsTransport transport =
        (JGroupsTransport) engine.channel().getProtocolStack().getTransport();
    return transport.printConnections().replaceAll("\\(.*", "");
  }

  private static void awaitOther(JGroupsEngine engine, String before) throws InterruptedException {
    for (String now = before; now.equals(before) || !now.contains("127.0.0.1"); ) {
      if (Thread.interrupted()) {
        throw new InterruptedException(); // by JUnit's time limit
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      now = connections(engine);
    }
  }

  /// It is in all that JGroups logs.
  @Test
  void address_ofAMember_hasItsName_andNoControlCharacters() throws Exception {
    ClusterConfig config =
        ClusterConfig.of("anna").at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    var engine = new JGroupsEngine(config, new Deaf());
    engine.join();
    try {
      String shown = engine.channel().getAddress().toString();
      assertTrue(shown.startsWith("anna("), shown);
      assertEquals(0, shown.chars().filter(Character::isISOControl).count(), shown);
    } finally {
      engine.leave();
    }
  }

  private static final class Deaf implements Engine.Listener {
    @Override
    public void membersChanged() {}

    @Override
    public void received(Member from, List<Frame> frames) {}

    @Override
    public void leaderChanged(boolean leads) {}

    @Override
    public void failed(ClusterException failure) {}
  }
}
