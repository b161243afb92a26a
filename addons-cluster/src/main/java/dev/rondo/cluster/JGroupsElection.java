package dev.rondo.cluster;

import java.util.function.BooleanSupplier;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.raft.ELECTION;
import org.jgroups.protocols.raft.RaftHeader;

/// Elections by jgroups-raft, with three checks that version 1.1.4 leaves out. A node votes only
/// while it is the only one of its name, and not after its log has failed. It does not vote while
/// it takes in entries, and counts no vote of an earlier term.
final class JGroupsElection extends ELECTION {

  /// The headers of its messages, whose classes are not exported.
  private static final short REQUEST = 3_000;

  private static final short RESPONSE = 3_001;

  private final JGroupsRaft ofRaft;
  private final BooleanSupplier mayVote;

  @SuppressWarnings("this-escape") // nothing runs before start()
  JGroupsElection(JGroupsRaft ofRaft, BooleanSupplier mayVote) {
    this.ofRaft = ofRaft;
    this.mayVote = mayVote;
    var _ = setId(ClassConfigurator.getProtocolId(ELECTION.class));
  }

  /// After a merge the nodes may disagree on whether there is a leader, and on the term:
  /// jgroups-raft begins an election only where the majority is new, and only if the coordinator
  /// sees that.
  @Override
  protected void handleView(View view) {
    super.handleView(view);
    if (view instanceof MergeView && isMajorityAvailable()) {
      boolean _ = runVotingThread(); // on the coordinator
    }
  }

  @Override
  protected void handleMessage(Message message, RaftHeader header) {
    ofRaft.voting.lock();
    try {
      boolean counts =
          switch (header.getMagicId()) {
            case REQUEST -> mayVote.getAsBoolean();
            case RESPONSE -> header.currTerm() == ofRaft.currentTerm();
            default -> true;
          };
      if (counts && !ofRaft.hasFailed()) {
        super.handleMessage(message, header);
      }
    } finally {
      ofRaft.voting.unlock();
    }
  }
}
