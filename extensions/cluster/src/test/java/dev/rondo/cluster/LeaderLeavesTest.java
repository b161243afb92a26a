package dev.rondo.cluster;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jgroups.Message;
import org.jgroups.protocols.raft.AppendEntriesRequest;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A leader that leaves as soon as it has applied a command: those that stay may be too few to find
/// out by themselves that it was agreed on.
final class LeaderLeavesTest {

  private static final List<String> NAMES = List.of("a", "b");
  private static final String LAST = "last";

  @TempDir Path folder;
  private final EngineVoter a = new EngineVoter("a");
  private final EngineVoter b = new EngineVoter("b");

  /// Loses what a leader tells all at once of what it has committed; not what it repeats to each.
  private static final class Loss extends Protocol {

    private final short raft;

    Loss(RAFT raft) {
      this.raft = raft.getId();
    }

    @Override
    public Object down(Message message) {
      boolean isCommit =
          message.dest() == null
              && message.getObject() == null
              && message.getHeader(raft) instanceof AppendEntriesRequest;
      return isCommit ? null : super.down(message);
    }
  }

  private ClusterConfig config(String name, List<InetSocketAddress> members) {
    return EngineVoter.config(name, members, NAMES, folder);
  }

  @AfterEach
  void leave() {
    a.engine.leave();
    b.engine.leave();
  }

  @Test
  @Timeout(3 * EngineVoter.HANG_SECONDS)
  void aLeaderThatLeaves_hasInformedTheOthersOfWhatWasAgreedOn() throws Exception {
    a.join(config("a", List.of()));
    b.join(config("b", List.of(a.engine.address())));
    EngineVoter first = EngineVoter.leader(a, b);
    ProtocolStack stack = first.engine.channel().getProtocolStack();
    RAFT raft = stack.findProtocol(RAFT.class);
    stack.insertProtocol(new Loss(raft), ProtocolStack.Position.BELOW, raft.getClass());
    first.propose(LAST);
    first.awaitApplied(LAST);
    first.engine.leave();
    (first == a ? b : a).awaitApplied(LAST);
  }
}
