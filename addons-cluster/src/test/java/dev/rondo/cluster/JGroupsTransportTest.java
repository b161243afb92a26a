package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import java.util.List;
import org.jgroups.logging.Log;
import org.junit.jupiter.api.Test;

/// What JGroups logs.
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

  /// It is in all that JGroups logs.
  @Test
  void address_ofAMember_hasItsName_andNoControlCharacters() throws Exception {
    ClusterConfig config = ClusterConfig.of("anna").at(ClusterRig.anyPort());
    var engine = new JGroupsEngine(config, new Deaf(), new Replica(applied -> {}));
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
