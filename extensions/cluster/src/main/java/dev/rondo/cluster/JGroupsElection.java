package dev.rondo.cluster;

import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.raft.ELECTION;
import org.jgroups.protocols.raft.RaftHeader;
import org.jspecify.annotations.Nullable;

/// Elections by jgroups-raft, with checks that version 1.1.4 leaves out. A node votes only while it
/// is the only one of its name, and not after its log has failed. It does not vote while it takes
/// in entries, and counts no vote of an earlier term, or of a voter that has left.
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
    ofRaft.onDeposed(this::beginIfMajority);
    var _ = setId(ClassConfigurator.getProtocolId(ELECTION.class));
  }

  /// After a merge the nodes may disagree on whether there is a leader, and on the term:
  /// jgroups-raft begins an election only where the majority is new, and only if the coordinator
  /// sees that.
  ///
  /// A leader informs those that join of its term, which must not be the next one.
  @Override
  protected void handleView(View view) {
    ofRaft.voting.lock();
    try {
      super.handleView(view);
    } finally {
      ofRaft.voting.unlock();
    }
    if (view instanceof MergeView) {
      beginIfMajority();
    }
  }

  private void beginIfMajority() {
    if (isMajorityAvailable()) {
      boolean _ = runVotingThread(); // on the coordinator
    }
  }

  /// Chooses among the voters that are here by now, if they are a majority: one that has voted and
  /// left may have had entries that they lack.
  ///
  /// @return null if there is none to choose
  @Override
  protected @Nullable Address determineLeader() {
    ofRaft.voting.lock(); // the view stays
    try {
      long votes = getVotes().getValidResults().stream().filter(view::containsMember).count();
      return votes < ofRaft.majority() ? null : super.determineLeader();
    } finally {
      ofRaft.voting.unlock();
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
