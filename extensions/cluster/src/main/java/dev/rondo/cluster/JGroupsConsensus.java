package dev.rondo.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.stack.Protocol;

/// The replicated log of a member: proposes commands to the leader, which may be another member.
final class JGroupsConsensus {

  private final JGroupsRaft raft;
  private final JGroupsElection election;

  /// Makes one.
  ///
  /// @param mayVote whether this node is the only one of its name
  /// @param onFailure called if the log cannot be written or read
  JGroupsConsensus(
      ClusterConfig config,
      Path folder,
      Engine.Listener listener,
      Engine.Machine machine,
      BooleanSupplier mayVote,
      Consumer<Throwable> onFailure) {
    this.raft =
        new JGroupsRaft(
            config, new JGroupsLog(folder, onFailure), machine, () -> changed(listener));
    this.election = new JGroupsElection(raft, mayVote);
  }

  private void changed(Engine.Listener listener) {
    listener.leaderChanged(raft.isLeader());
  }

  List<Protocol> protocols() {
    return List.of(election, raft);
  }

  /// Whether the others know all that this member has applied, if it leads. Any thread.
  boolean hasInformedAll() {
    return raft.hasInformedAll();
  }

  /// Sends a command to the leader, if one is known. May block.
  void propose(JChannel channel, byte[] command) throws Exception {
    Address leader = raft.leader();
    if (leader == null) {
      return;
    }
    if (leader.equals(channel.getAddress())) {
      accept(command);
    } else {
      var _ = channel.send(JGroupsFrames.command(leader, command));
    }
  }

  /// Has the log take a command, if this member leads.
  void accept(byte[] command) {
    try {
      var _ = raft.setAsync(command, 0, command.length, null);
    } catch (IllegalStateException e) {
      // Another leads now, and the command is proposed again.
    }
  }
}
