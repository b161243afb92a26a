package dev.rondo.cluster;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.raft.AppendEntriesRequest;
import org.jgroups.protocols.raft.AppendEntriesResponse;
import org.jgroups.protocols.raft.AppendResult;
import org.jgroups.protocols.raft.AppendResult.Result;
import org.jgroups.protocols.raft.Follower;
import org.jgroups.protocols.raft.Leader;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.protocols.raft.RaftHeader;
import org.jgroups.protocols.raft.RaftImpl;
import org.jgroups.protocols.raft.Role;
import org.jgroups.raft.Options;
import org.jgroups.raft.StateMachine;
import org.jgroups.raft.util.CommitTable;
import org.jgroups.raft.util.RequestTable;
import org.jspecify.annotations.Nullable;

/// Raft by jgroups-raft, with the checks of the paper that version 1.1.4 leaves out:
///
/// | jgroups-raft 1.1.4 | here |
/// |---|---|
/// | a follower commits what its leader has committed, though its own entries there may be others | it commits up to the last entry that it knows to be the leader's |
/// | a follower answers with its last entry, whosever that is | with the last one that is the leader's |
/// | a leader commits entries of earlier terms when a majority has them (figure 8 of the paper) | together with one of its own term, which it begins with |
/// | a follower that is behind receives what it lacks when no command has arrived for a while | also while commands arrive |
/// | an older snapshot replaces a newer state | is answered, and ignored |
/// | a request of an earlier term is dropped, so a voter whose term is ahead stays behind | it answers with its term: the leader steps down, and an election begins |
/// | a vote and the entry of an older leader may cross in a voter | one after the other |
/// | a vote may be on the disk before its term | its term is there before |
/// | a leader that sends while the next term begins speaks in that term | it looks at its role and sends under one lock, as each term begins |
/// | the commands of a batch are written behind what it has of the next leader | before that |
///
/// Section numbers: D. Ongaro, J. Ousterhout, *In Search of an Understandable Consensus Algorithm*
/// (2014).
final class JGroupsRaft extends RAFT {

  /// How often a follower that is behind receives what it lacks. The default of a second makes a
  /// change of leader take many seconds.
  private static final long RESEND_MILLIS = 100;

  /// Whether this voter led and has learned of a later term: its members have no leader, and
  /// nothing but a change of their view would begin an election.
  private volatile boolean deposed;

  /// Begins an election if this is the coordinator. Not under the lock `voting`.
  private Runnable election = () -> {};

  /// Held while a vote is given, while entries are taken in, while a term begins, and while a
  /// leader sends. Fair, because the thread of the queue takes it again and again.
  final ReentrantLock voting = new ReentrantLock(true);

  private final JGroupsLog file;
  private final Runnable leaderChanged;

  /// The last entry that this voter has begun to apply, and those before it.
  private volatile long agreed;

  /// When followers that are behind last received what they lack. Of the thread of the queue.
  private long resentNanos = System.nanoTime();

  /// Makes one.
  ///
  /// @param leaderChanged called on any thread; must not block
  @SuppressWarnings("this-escape") // nothing runs before start()
  JGroupsRaft(
      ClusterConfig config, JGroupsLog file, Engine.Machine machine, Runnable leaderChanged) {
    this.file = file;
    this.leaderChanged = leaderChanged;
    var _ = setId(ClassConfigurator.getProtocolId(RAFT.class));
    var _ = raftId(config.node());
    var _ = members(config.voters());
    var _ = resendInterval(RESEND_MILLIS);
    var _ = sendCommitsImmediately(false); // see commitLogTo
    var _ = maxLogCacheSize(0);
    var _ = logUseFsync(true);
    var _ = stateMachine(new Commands(machine));
    impl = new CheckedFollower();
  }

  @Override
  public void start() throws Exception {
    file.open();
    var _ = log(file);
    super.start();
  }

  @Override
  public void stop() {
    file.leaving();
    super.stop();
  }

  /// Terms and votes are read from the log, and what it has is applied.
  private record Commands(Engine.Machine machine) implements StateMachine {

    @Override
    public byte @Nullable [] apply(byte[] data, int offset, int length, boolean serializes) {
      machine.apply(Arrays.copyOfRange(data, offset, offset + length));
      return null;
    }

    @Override
    public void readContentFrom(DataInput in) throws IOException {
      byte[] saved = Saved.read(in);
      machine.restore(saved == null ? new byte[0] : saved);
    }

    @Override
    public void writeContentTo(DataOutput out) throws IOException {
      Saved.write(out, machine.save());
    }
  }

  private <T> T locked(Supplier<T> action) {
    voting.lock();
    try {
      return action.get();
    } finally {
      voting.unlock();
    }
  }

  // Roles.

  @Override
  public int currentTerm(long term) {
    return locked(() -> super.currentTerm(term));
  }

  @Override
  public long createNewTerm() {
    return locked(super::createNewTerm);
  }

  /// Begins each term as a follower, also one that follows a term of its own.
  @Override
  public int trySetLeaderAndTerm(@Nullable Address leader, long term) {
    return locked(() -> super.currentTerm(term) < 0 ? -1 : super.trySetLeaderAndTerm(leader, term));
  }

  /// Term 0 stands for the present one, in which to step down: without the lock, because the thread
  /// that asks for votes does so with a monitor that holders of the lock wait for.
  @Override
  public RAFT setLeaderAndTerm(@Nullable Address leader, long term) {
    if (term == 0) {
      return super.setLeaderAndTerm(leader, term);
    }
    var _ = trySetLeaderAndTerm(leader, term);
    return this;
  }

  @Override
  protected RAFT changeRole(Role role) {
    boolean leads = role == Role.Leader;
    RaftImpl before = impl;
    if (leads != before instanceof Leader) {
      deposed = !leads;
      before.destroy();
      RaftImpl next = leads ? new Leader(this) : new CheckedFollower();
      next.init();
      impl = next;
      if (leads) {
        byte[] nothing = Command.of(Command.Kind.NOTHING, "", 0, 0).bytes();
        var _ = setAsync(nothing, 0, nothing.length, null);
      }
    }
    leaderChanged.run();
    return this;
  }

  /// Gives a vote in the present term. The thread that has begun that term may not have written it
  /// yet, and a vote without it would be one of the term before.
  @Override
  public RAFT votedFor(Address member) {
    var _ = file.currentTerm(currentTerm());
    return super.votedFor(member);
  }

  /// Requests to a voter whose log has failed are dropped until the node has left: each would fail,
  /// and jgroups-raft would log each.
  @Override
  public void handleUpRequest(Message message, RaftHeader header) {
    voting.lock();
    try {
      if (hasFailed()) {
        return;
      }
      if (header instanceof AppendEntriesRequest && header.currTerm() < currentTerm()) {
        refuse(message.src());
      }
      super.handleUpRequest(message, header);
    } finally {
      voting.unlock();
    }
  }

  /// Answers a leader of an earlier term with the present one, in which it steps down (5.1).
  private void refuse(Address leader) {
    var result = new AppendResult(Result.FAIL_ENTRY_NOT_FOUND, commit_index);
    var _ =
        down_prot.down(
            new EmptyMessage(leader)
                .putHeader(getId(), new AppendEntriesResponse(currentTerm(), result)));
  }

  /// @param begins an election; called by the thread of the queue after this voter was deposed
  void onDeposed(Runnable begins) {
    election = begins;
  }

  boolean hasFailed() {
    return file.hasFailed();
  }

  // The leader.

  /// Commands of a leader whose log has failed are dropped as well, and proposed to the next one.
  @Override
  public CompletableFuture<byte[]> setAsync(
      byte[] data, int offset, int length, boolean internal, @Nullable Options options) {
    return hasFailed()
        ? CompletableFuture.failedFuture(new IllegalStateException("the log has failed"))
        : super.setAsync(data, offset, length, internal, options);
  }

  /// Sends followers what they lack while commands arrive, too: jgroups-raft does so only when none
  /// has arrived for a while, so a follower that is behind would stay behind.
  @Override
  protected void processQueue() {
    long now = System.nanoTime();
    if (now - resentNanos >= TimeUnit.MILLISECONDS.toNanos(RESEND_MILLIS)) {
      resentNanos = now;
      CommitTable followers = commit_table;
      if (followers != null) {
        // From what a follower has compared all is known to be right: no need to try one entry.
        followers.forEach(
            (member, has) -> sendAppendEntriesMessage(member, has.sendSingleMessage(false)));
      }
    }
    if (deposed) {
      deposed = false;
      if (leader() == null) {
        election.run();
      }
    }
    super.processQueue();
  }

  /// Sends a follower what it lacks, unless the term that this was found in has ended.
  @Override
  protected void sendAppendEntriesMessage(Address member, CommitTable.Entry has) {
    voting.lock();
    try {
      CommitTable followers = commit_table;
      if (impl instanceof Leader && followers != null && followers.get(member) == has) {
        super.sendAppendEntriesMessage(member, has);
      }
    } finally {
      voting.unlock();
    }
  }

  /// Handles what has queued up: commands that follow each other together, and all else one by one.
  /// jgroups-raft looks at the role and the term once, and writes the commands at the end.
  @Override
  protected void process(List<Request> queued) {
    for (int begin = 0, end; begin < queued.size(); begin = end) {
      end = begin + 1;
      while (end < queued.size()
          && queued.get(begin) instanceof DownRequest
          && queued.get(end) instanceof DownRequest) {
        end++;
      }
      voting.lock();
      try {
        super.process(queued.subList(begin, end));
      } finally {
        voting.unlock();
      }
    }
  }

  @Override
  protected void createRequestTable() {
    var table = new OwnTermRequests();
    for (long index = commit_index + 1; index <= last_appended; index++) {
      table.create(index, raft_id, null, this::majority);
    }
    request_table = table;
  }

  /// Informs the followers of what the leader has committed, once. That jgroups-raft can do so at
  /// once is of no use: it answers each answer of a follower that cannot commit yet, and while the
  /// two do nothing else the follower never receives what it lacks.
  @Override
  protected RAFT commitLogTo(long index, boolean answers) {
    long before = commit_index;
    agreed = Math.max(agreed, Math.min(index, last_appended));
    var _ = super.commitLogTo(index, answers);
    if (commit_index > before && impl instanceof Leader) {
      var header =
          new AppendEntriesRequest(local_addr, currentTerm(), 0, 0, currentTerm(), commit_index);
      var _ =
          down_prot.down(
              new ObjectMessage(null, null)
                  .putHeader(getId(), header)
                  .setFlag(Message.TransientFlag.DONT_LOOPBACK));
    }
    return this;
  }

  /// Whether each member that is here knows all that this one has applied, if it leads. The leader
  /// repeats it to the others. If it left before, those that stay could be no majority, and would
  /// never learn it. Any thread.
  boolean hasInformedAll() {
    CommitTable followers = commit_table; // null until it first leads
    if (!(impl instanceof Leader) || followers == null) {
      return true;
    }
    var least = new LongAccumulator(Math::min, Long.MAX_VALUE);
    followers.forEach((member, has) -> least.accumulate(has.commitIndex()));
    return least.get() >= agreed;
  }

  /// Counts the voters that have an entry of the present term, and so all before it (5.4.2).
  private final class OwnTermRequests extends RequestTable<String> {

    @Override
    public boolean add(long index, String sender, Supplier<Integer> majority) {
      LogEntry entry = log_impl.get(index);
      return entry != null && entry.term() == currentTerm() && super.add(index, sender, majority);
    }
  }

  // Followers.

  private final class CheckedFollower extends Follower {

    private long term;

    /// The last entry that is known to be that of the leader of this term.
    private long verified;

    CheckedFollower() {
      super(JGroupsRaft.this);
    }

    @Override
    public AppendResult handleAppendEntriesRequest(
        @Nullable LogEntries entries,
        Address leader,
        long previous,
        long previousTerm,
        long entryTerm,
        long leaderCommit) {
      var _ = leader(leader);
      if (term != currentTerm()) {
        term = currentTerm();
        verified = 0;
      }
      verified = Math.max(verified, commit_index);
      if (entries != null && entries.size() > 0) {
        if (!has(previous, previousTerm)) {
          return new AppendResult(Result.FAIL_ENTRY_NOT_FOUND, verified); // goes on from there
        }
        write(previous, entries.toArray());
        verified = Math.max(verified, previous + entries.size());
      }
      if (leaderCommit > commit_index) {
        var _ = commitLogTo(Math.min(leaderCommit, verified), false);
      }
      return new AppendResult(Result.OK, verified);
    }

    /// Whether this log has the leader's entry (5.3). What is committed is the leader's, unless a
    /// voter has lost what it had written.
    private boolean has(long previous, long previousTerm) {
      if (previous <= commit_index) {
        requireAgreed(previous, previousTerm);
        return true;
      }
      LogEntry own = previous > last_appended ? null : log_impl.get(previous);
      return own != null && own.term() == previousTerm;
    }

    /// Requires that what is committed here is what the leader has there. Entries that a snapshot
    /// stands for are not compared.
    private void requireAgreed(long index, long term) {
      LogEntry own = index > 0 ? log_impl.get(index) : null;
      if (own != null && term > 0 && own.term() != term) {
        throw file.contradicted(index, own.term(), term);
      }
    }

    private void write(long previous, LogEntry[] entries) {
      for (int i = 0; i < entries.length; i++) {
        long index = previous + 1 + i;
        if (index <= commit_index) {
          requireAgreed(index, entries[i].term());
          continue;
        }
        LogEntry own = index > last_appended ? null : log_impl.get(index);
        if (own == null || own.term() != entries[i].term()) {
          if (own != null) {
            deleteAllLogEntriesStartingFrom(index);
          }
          LogEntry[] missing = Arrays.copyOfRange(entries, i, entries.length);
          var _ = append(index, new LogEntries().add(missing));
          return;
        }
      }
    }

    @Override
    public void handleInstallSnapshotRequest(
        Message message, Address leader, long lastIndex, long lastTerm) {
      if (lastIndex > commit_index) {
        super.handleInstallSnapshotRequest(message, leader, lastIndex, lastTerm);
      } else {
        AppendResult has = new AppendResult(Result.OK, commit_index).commitIndex(commit_index);
        var _ =
            down_prot.down(
                new EmptyMessage(message.src())
                    .putHeader(getId(), new AppendEntriesResponse(currentTerm(), has)));
      }
    }
  }
}
