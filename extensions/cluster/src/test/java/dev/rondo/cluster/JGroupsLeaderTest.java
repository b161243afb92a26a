package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.raft.AppendEntriesRequest;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.protocols.raft.RaftHeader;
import org.jgroups.stack.Protocol;
import org.jgroups.util.Bits;
import org.jgroups.util.ExtendedUUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A leader whose term ends while it sends. It has been elected in term 1, and in no other one.
final class JGroupsLeaderTest {

  private static final List<String> NAMES = List.of("a", "b", "c");

  /// A response to a request for votes, whose class is not exported.
  private static final short RESPONSE = 3_001;

  private static final byte[] COMMAND = Command.of(Command.Kind.NOTHING, "", 0, 0).bytes();

  private final Address self = address("a");
  private final Address second = address("b");
  private final Address third = address("c");
  private final Wire wire = new Wire();

  @TempDir Path folder;
  private JGroupsLog log;
  private JGroupsRaft raft;
  private JGroupsElection election;

  /// Keeps what is sent, and lets something happen while a message to one member is sent.
  private static final class Wire extends Protocol {

    private final List<Message> sent = new ArrayList<>();
    private Runnable meanwhile = () -> {};

    @Override
    public Object down(Message message) {
      sent.add(message);
      if (message.dest() != null) {
        Runnable once = meanwhile;
        meanwhile = () -> {};
        once.run();
      }
      return null;
    }
  }

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

  private static Address address(String name) {
    return ExtendedUUID.randomUUID(name)
        .put(RAFT.raft_id_key, name.getBytes(StandardCharsets.UTF_8));
  }

  @BeforeEach
  void lead() throws Exception {
    ClusterConfig config =
        ClusterConfig.of("a")
            .at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .withVoters(NAMES, folder.resolve("a"));
    log = new JGroupsLog(folder.resolve("a"), failure -> {});
    log.open();
    raft = new JGroupsRaft(config, log, new NoMachine(), () -> {});
    raft.addr(self);
    raft.log(log);
    election = new JGroupsElection(raft, () -> true);
    election.addr(self);
    raft.setDownProtocol(election);
    election.setUpProtocol(raft);
    election.setDownProtocol(wire);
    raft.init();
    election.init();
    show(1, second, self, third); // who is first begins elections
    var _ = raft.trySetLeaderAndTerm(self, 1);
    raft.processQueue(); // its first entry
    wire.sent.clear();
  }

  @AfterEach
  void close() {
    log.close();
  }

  private void show(long id, Address... members) {
    View view = View.create(members[0], id, members);
    raft.handleView(view);
    election.handleView(view);
  }

  /// Begins a term on another thread. Returns when that has ended, or waits for the lock.
  private void onAnotherThread(Runnable begin) {
    Thread other = Thread.ofPlatform().daemon().start(begin);
    while (other.isAlive() && !raft.voting.hasQueuedThread(other)) {
      Thread.onSpinWait();
    }
  }

  private List<Long> termsSpokenIn() {
    return wire.sent.stream()
        .filter(each -> each.getHeader(raft.getId()) instanceof AppendEntriesRequest)
        .map(each -> ((RaftHeader) each.getHeader(raft.getId())).currTerm())
        .toList();
  }

  @Test
  void whatFollowersLack_isNotSentInATermThatAnotherBegins() {
    wire.meanwhile = () -> onAnotherThread(() -> raft.currentTerm(2));
    raft.processQueue(); // an empty one: sends each follower what it lacks
    assertEquals(1, termsSpokenIn().stream().distinct().count(), () -> "" + wire.sent);
    assertEquals(1, termsSpokenIn().getFirst());
  }

  @Test
  void whatFollowersLack_isNotSentInATermThatItBegins() {
    wire.meanwhile = () -> onAnotherThread(raft::createNewTerm);
    raft.processQueue();
    assertEquals(1, termsSpokenIn().stream().distinct().count(), () -> "" + wire.sent);
    assertEquals(1, termsSpokenIn().getFirst());
  }

  /// The command has come while it led, and is read together with the entry of its successor.
  @Test
  void aCommand_thatTheEntryOfANextLeaderFollows_isNotWrittenBehindIt() {
    var _ = raft.setAsync(COMMAND, 0, COMMAND.length, null);
    var entries = new LogEntries().add(new LogEntry(2, COMMAND));
    raft.up(
        new ObjectMessage(self, entries)
            .setSrc(second)
            .putHeader(raft.getId(), new AppendEntriesRequest(second, 2, 1, 1, 2, 0)));
    raft.processQueue();
    List<Long> terms =
        LongStream.rangeClosed(1, log.lastAppended()).mapToObj(i -> log.get(i).term()).toList();
    assertEquals(terms.stream().sorted().toList(), terms);
    assertEquals(2, terms.getLast());
  }

  /// It would go on with what it knew of its followers, and without an entry of its term.
  @Test
  void aTermThatItIsElectedInAgain_beginsAnew() {
    var before = raft.commitTable();
    var _ = raft.trySetLeaderAndTerm(self, 2);
    assertNotSame(before, raft.commitTable());
  }

  private void vote(Address voter, long lastIndex) throws Exception {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    for (long each : new long[] {raft.currentTerm(), 1, lastIndex}) {
      Bits.writeLongCompressed(each, out);
    }
    RaftHeader response = ClassConfigurator.create(RESPONSE);
    response.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    election.handleMessage(new EmptyMessage(self).setSrc(voter), response);
  }

  /// The second voter has most, and leaves after its vote: the third may have what the first lacks.
  @Test
  void votes_ofVotersThatHaveLeft_electNobody() throws Exception {
    election.getVotes().reset(self, second, third);
    vote(self, 1);
    vote(second, 2);
    assertEquals(second, election.determineLeader());
    show(2, third, self);
    assertEquals(null, election.determineLeader());
    vote(third, 2);
    assertEquals(third, election.determineLeader());
  }
}
