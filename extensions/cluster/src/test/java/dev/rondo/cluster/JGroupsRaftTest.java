package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.protocols.raft.AppendEntriesRequest;
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

  private static ClusterConfig config(Path folder) {
    return ClusterConfig.of("a")
        .at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .withVoters(List.of("a"), folder);
  }

  /// As if the thread that has begun the term had not come to write it.
  @Test
  void aVote_isWrittenWithItsTerm(@TempDir Path folder) throws Exception {
    Address member = ExtendedUUID.randomUUID("m");
    try (var log = new JGroupsLog(folder, failure -> {})) {
      log.open();
      var raft = new JGroupsRaft(config(folder), log, new NoMachine(), () -> {});
      raft.addr(ExtendedUUID.randomUUID("a"));
      assertEquals(1, raft.currentTerm(7)); // before it has the log
      raft.log(log);
      raft.votedFor(member);
      assertEquals(List.of(7L, member), List.of(log.currentTerm(), log.votedFor()));
    }
  }

  /// Each of them would fail, and be logged, until the node has left.
  @Test
  void requestsAndCommands_afterTheLogHasFailed_areDropped(@TempDir Path folder) throws Exception {
    var failures = new ArrayList<Throwable>();
    try (var log = new JGroupsLog(folder, failures::add)) {
      log.open();
      var raft = new JGroupsRaft(config(folder), log, new NoMachine(), () -> {});
      raft.addr(ExtendedUUID.randomUUID("a"));
      raft.log(log);
      var _ = log.contradicted(1, 1, 2);
      Address leader = ExtendedUUID.randomUUID("m");
      var request = new AppendEntriesRequest(leader, 7, 0, 0, 7, 0);
      raft.handleUpRequest(new EmptyMessage(null).setSrc(leader), request);
      assertEquals(0, raft.currentTerm());
      var command = raft.setAsync(new byte[1], 0, 1, null);
      assertEquals("the log has failed", command.exceptionNow().getMessage());
      assertEquals(1, failures.size());
    }
  }
}
