package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.util.ExtendedUUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a voter has written when it answers.
final class JGroupsRaftTest {

  private static final class NoMachine implements Engine.Machine {
    @Override
    public void apply(byte[] command) {}

    @Override
    public byte[] save() {
      return new byte[0];
    }

    @Override
    public void restore(byte[] state) {}
  }

  /// As if the thread that has begun the term had not come to write it.
  @Test
  void aVote_isWrittenWithItsTerm(@TempDir Path folder) throws Exception {
    Address member = ExtendedUUID.randomUUID("m");
    ClusterConfig config =
        ClusterConfig.of("a")
            .at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .withVoters(List.of("a"), folder);
    try (var log = new JGroupsLog(folder, failure -> {})) {
      log.open();
      var raft = new JGroupsRaft(config, log, new NoMachine(), () -> {});
      raft.addr(ExtendedUUID.randomUUID("a"));
      assertEquals(1, raft.currentTerm(7)); // before it has the log
      raft.log(log);
      raft.votedFor(member);
      assertEquals(List.of(7L, member), List.of(log.currentTerm(), log.votedFor()));
    }
  }
}
