package dev.rondo.examples.replicatedlog;

import dev.rondo.condition.Signal;
import dev.rondo.examples.replicatedlog.Message.Answer;
import dev.rondo.examples.replicatedlog.Message.AppendReply;
import dev.rondo.examples.replicatedlog.Message.AppendRequest;
import dev.rondo.examples.replicatedlog.Message.InstallRequest;
import dev.rondo.examples.replicatedlog.Message.PeerReply;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import dev.rondo.examples.replicatedlog.Message.VoteReply;
import dev.rondo.examples.replicatedlog.Message.VoteRequest;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.Deadline;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The algorithm, as one replica sees it. No method suspends. Each returns when the state behind
/// its answer is on the disk. Tests override methods of the section *Decisions* with known
/// mistakes.
class Raft {

  private final int self;
  private final Members members;
  private final Settings settings;
  private final Storage storage;
  private final Store store;
  private final Scheduler scheduler;
  private final Signal<@Nullable Void> news;

  private Role role = new Follower(Members.NONE);

  /// The index up to which entries are known to be committed. They are applied too.
  private long commit;

  /// When this replica last heard of a leader, or as the leader of a majority, or when it last
  /// voted.
  private Deadline contact;

  /// The parts of a replica.
  record Parts(
      Scheduler scheduler,
      int self,
      Members members,
      Settings settings,
      Storage storage,
      Store store) {}

  Raft(Parts parts) {
    this.scheduler = parts.scheduler();
    this.self = parts.self();
    this.members = parts.members();
    this.settings = parts.settings();
    this.storage = parts.storage();
    this.store = parts.store();
    this.news = new Signal<>(scheduler, "news of replica " + self);
    store.restore(storage.snapshot());
    commit = store.applied().index();
    contact = now();
  }

  // Requests of other replicas.

  Message answer(PeerRequest request) {
    return switch (request) {
      case VoteRequest vote when vote.trial() -> onTrial(vote);
      case VoteRequest vote -> vote(vote);
      case AppendRequest append -> append(append);
      case InstallRequest install -> install(install);
    };
  }

  private VoteReply onTrial(VoteRequest request) {
    boolean content =
        role instanceof Leadership || now().minus(contact).compareTo(settings.election()) < 0;
    return new VoteReply(term(), !content && request.term() > term() && isUpToDate(request.last()));
  }

  private VoteReply vote(VoteRequest request) {
    observe(request.term());
    boolean granted =
        request.term() == term() && mayVoteFor(request.candidate()) && isUpToDate(request.last());
    if (granted) {
      if (storage.votedFor() == Members.NONE) {
        storage.vote(term(), request.candidate());
      }
      contact();
    }
    return new VoteReply(term(), granted);
  }

  private AppendReply append(AppendRequest request) {
    if (request.term() < term()) {
      return new AppendReply(term(), false, 0);
    }
    follow(request.term(), request.leader());
    Log log = storage.log();
    Position previous = request.previous();
    if (previous.index() > commit && !log.contains(previous)) {
      return new AppendReply(term(), false, Math.min(log.last().index(), commit));
    }
    List<Entry> missing = missing(request.entries());
    if (!missing.isEmpty()) {
      if (missing.getFirst().index() <= log.last().index()) {
        storage.truncate(missing.getFirst().index());
      }
      storage.append(missing);
    }
    storage.force();
    long agreed = previous.index() + request.entries().size();
    commit(Math.min(request.commit(), known(agreed)));
    return new AppendReply(term(), true, agreed);
  }

  private AppendReply install(InstallRequest request) {
    if (request.term() < term()) {
      return new AppendReply(term(), false, 0);
    }
    follow(request.term(), request.leader());
    Snapshot snapshot = request.snapshot();
    if (isNews(snapshot)) {
      storage.install(snapshot);
      store.restore(snapshot);
      commit = snapshot.last().index();
    }
    return new AppendReply(term(), true, snapshot.last().index());
  }

  // Requests of this replica.

  Role role() {
    return role;
  }

  /// Takes an answer.
  ///
  /// @param asked the role in which the peer was asked
  void received(Role asked, int peer, PeerRequest request, PeerReply reply) {
    observe(reply.term());
    if (isPresent(asked)) {
      role.received(peer, request, reply);
    }
  }

  /// {@return the time up to which this replica waits for the others}
  ///
  /// @param patience at least the settings' for an election
  Deadline patientUntil(Duration patience) {
    return contact.plus(patience);
  }

  /// The contact was lost for too long. A leader gives up. Another replica wants to become the
  /// leader.
  void lostContact() {
    contact();
    if (role instanceof Leadership) {
      become(new Follower(Members.NONE));
    } else {
      campaign(term() + 1, true);
    }
  }

  /// A majority would vote for this replica.
  void stand() {
    storage.vote(term() + 1, self);
    contact();
    campaign(term(), false);
  }

  private void campaign(long forTerm, boolean trial) {
    var campaign = new Campaign(this, new VoteRequest(forTerm, self, storage.log().last(), trial));
    become(campaign);
    campaign.count();
  }

  /// A majority has voted for this replica.
  void lead() {
    contact();
    become(new Leadership(this));
  }

  private void observe(long newTerm) {
    if (newTerm > term()) {
      storage.vote(newTerm, Members.NONE);
      become(new Follower(Members.NONE));
    }
  }

  private void follow(long itsTerm, int leader) {
    observe(itsTerm);
    if (role instanceof Leadership) {
      throw new IllegalStateException(
          "two leaders in term %d: replicas %d and %d".formatted(itsTerm, self, leader));
    }
    if (!(role instanceof Follower follower && follower.leader() == leader)) {
      become(new Follower(leader));
    }
    contact();
  }

  private void become(Role next) {
    role.left();
    role = next;
    announce();
  }

  // Decisions.

  /// {@return whether this replica has not voted in this term, or has voted for this candidate}
  boolean mayVoteFor(int candidate) {
    return storage.votedFor() == Members.NONE || storage.votedFor() == candidate;
  }

  /// {@return whether a candidate with this last entry has all committed entries (5.4.1)}
  boolean isUpToDate(Position last) {
    return last.isUpToDateWith(storage.log().last());
  }

  /// {@return the leader's entries that the log lacks, or has other entries in place of}
  List<Entry> missing(List<Entry> entries) {
    int there = 0;
    while (there < entries.size() && has(entries.get(there))) {
      there++;
    }
    return entries.subList(there, entries.size());
  }

  private boolean has(Entry entry) {
    return entry.index() <= commit || storage.log().contains(entry.position());
  }

  /// {@return the index up to which the log is known to agree with the leader}
  ///
  /// @param agreed that index by the leader's last request
  long known(long agreed) {
    return agreed;
  }

  /// {@return whether a snapshot of the leader is ahead of the applied entries}
  boolean isNews(Snapshot snapshot) {
    return snapshot.last().index() > commit;
  }

  /// {@return whether this replica still has the role in which it asked}
  boolean isPresent(Role asked) {
    return role == asked;
  }

  /// {@return whether an entry that a majority has is committed (5.4.2: an entry of an earlier term
  /// may still be replaced)}
  boolean isCommitted(Position position) {
    return position.term() == term();
  }

  /// {@return the number of replicas that must have an entry}
  int quorum() {
    return members.majority();
  }

  /// {@return whether this replica was the leader when it was asked to read}
  ///
  /// @param round of the read
  /// @param confirmed the last round in which a majority accepted this replica as the leader
  boolean mayRead(long round, long confirmed) {
    return round <= confirmed;
  }

  /// {@return the index that a new leader must have applied before it reads}
  ///
  /// @param start the first entry of its term; earlier committed entries may be unknown here
  long readableFrom(long start) {
    return Math.max(start, commit);
  }

  // For the roles.

  /// Commits and applies the entries up to an index, if this has not been done.
  void commit(long index) {
    while (commit < index) {
      commit++;
      Entry entry = storage.log().entry(commit);
      Answer answer = store.apply(entry);
      role.applied(entry, answer);
    }
    if (commit - storage.snapshot().last().index() >= settings.snapshotEvery()) {
      storage.save(store.snapshot());
    }
  }

  /// Tells the tasks of this replica that there is work.
  void announce() {
    var _ = news.signalAll(null);
  }

  void contact() {
    contact = now();
  }

  final Deadline now() {
    return WaitForTime.on(scheduler).now();
  }

  long term() {
    return storage.term();
  }

  long commit() {
    return commit;
  }

  int self() {
    return self;
  }

  /// {@return the present leader, if known, or [Members#NONE]}
  int leader() {
    return switch (role) {
      case Follower(int leader) -> leader;
      case Campaign _ -> Members.NONE;
      case Leadership _ -> self;
    };
  }

  Members members() {
    return members;
  }

  Settings settings() {
    return settings;
  }

  Storage storage() {
    return storage;
  }

  Store store() {
    return store;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Signal<@Nullable Void> news() {
    return news;
  }
}
