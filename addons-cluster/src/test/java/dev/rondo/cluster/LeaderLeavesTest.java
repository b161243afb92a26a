package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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

  /// What takes longer hangs.
  private static final int HANG_SECONDS = 50;

  private static final List<String> NAMES = List.of("a", "b");
  private static final String LAST = "last";

  @TempDir Path folder;
  private final Voter a = new Voter("a");
  private final Voter b = new Voter("b");

  private final class Voter implements Engine.Listener, Engine.Machine {

    private final String name;
    private final BlockingQueue<String> applied = new LinkedBlockingQueue<>();
    private final CompletableFuture<Voter> leads = new CompletableFuture<>();
    private JGroupsEngine engine;

    Voter(String name) {
      this.name = name;
    }

    void join(List<InetSocketAddress> members) throws ClusterException {
      engine =
          new JGroupsEngine(
              ClusterConfig.of(name)
                  .at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                  .with(members)
                  .withVoters(NAMES, folder.resolve(name)),
              this,
              this);
      engine.join();
    }

    void awaitApplied(String command) throws InterruptedException {
      String next;
      do {
        next = applied.poll(HANG_SECONDS, TimeUnit.SECONDS);
      } while (next != null && !next.equals(command));
      assertEquals(command, next, () -> "not applied by " + name);
    }

    @Override
    public void leaderChanged(boolean isThis) {
      if (isThis) {
        leads.complete(this);
      }
    }

    @Override
    public void apply(byte[] command) {
      applied.add(new String(command, StandardCharsets.UTF_8));
    }

    @Override
    public void membersChanged() {}

    @Override
    public void received(Member from, List<Frame> frames) {}

    @Override
    public void failed(ClusterException failure) {
      leads.completeExceptionally(failure);
    }

    @Override
    public byte[] save() {
      return new byte[0];
    }

    @Override
    public void restore(byte[] saved) {}
  }

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

  @AfterEach
  void leave() {
    a.engine.leave();
    b.engine.leave();
  }

  @Test
  @Timeout(3 * HANG_SECONDS)
  void aLeaderThatLeaves_hasInformedTheOthersOfWhatWasAgreedOn() throws Exception {
    a.join(List.of());
    b.join(List.of(a.engine.address()));
    var first =
        (Voter) CompletableFuture.anyOf(a.leads, b.leads).get(HANG_SECONDS, TimeUnit.SECONDS);
    ProtocolStack stack = first.engine.channel().getProtocolStack();
    RAFT raft = stack.findProtocol(RAFT.class);
    stack.insertProtocol(new Loss(raft), ProtocolStack.Position.BELOW, raft.getClass());
    first.engine.propose(LAST.getBytes(StandardCharsets.UTF_8));
    first.awaitApplied(LAST);
    first.engine.leave();
    (first == a ? b : a).awaitApplied(LAST);
  }
}
