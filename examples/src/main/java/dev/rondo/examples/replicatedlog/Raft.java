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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The algorithm, as one replica sees it. No method suspends, and each returns when what it answers
/// is on the disk.
class Raft {

  private final int self;
  private final Members members;
  private final Settings settings;
  private final Storage storage;
  private final Store store;
  private final Scheduler scheduler;
  private final Signal<@Nullable Void> news;

  private Role role = new Follower(Members.NOBODY);

  /// Up to where all that is committed is known; it is applied, too.
  private long commit;

  /// When a leader was last heard, or by a leader a majority; or when this replica voted.
  private Deadline contact;

  Raft(
      Scheduler scheduler,
      int self,
      Members members,
      Settings settings,
      Storage storage,
      Store store) {
    this.scheduler = scheduler;
    this.self = self;
    this.members = members;
    this.settings = settings;
    this.storage = storage;
    this.store = store;
    this.news = Signal.create(scheduler, "news of replica " + self);
    store.restore(storage.snapshot());
    commit = store.applied().index();
    contact = now();
  }

  // What others ask.

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
    return new VoteReply(
        term(),
        !content && request.term() > term() && request.last().isUpToDateWith(storage.log().last()));
  }

  private VoteReply vote(VoteRequest request) {
    observe(request.term());
    boolean free =
        storage.votedFor() == Members.NOBODY || storage.votedFor() == request.candidate();
    boolean granted =
        free && request.term() == term() && request.last().isUpToDateWith(storage.log().last());
    if (granted) {
      if (storage.votedFor() == Members.NOBODY) {
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
    List<Entry> missing = new ArrayList<>();
    for (Entry entry : request.entries()) {
      boolean there =
          missing.isEmpty() && (entry.index() <= commit || log.contains(entry.position()));
      if (!there) {
        missing.add(entry);
      }
    }
    if (!missing.isEmpty()) {
      if (missing.getFirst().index() <= log.last().index()) {
        storage.truncate(missing.getFirst().index());
      }
      storage.append(missing);
    }
    storage.force();
    long agreed = previous.index() + request.entries().size();
    commit(Math.min(request.commit(), agreed));
    return new AppendReply(term(), true, agreed);
  }

  private AppendReply install(InstallRequest request) {
    if (request.term() < term()) {
      return new AppendReply(term(), false, 0);
    }
    follow(request.term(), request.leader());
    Snapshot snapshot = request.snapshot();
    if (snapshot.last().index() > commit) {
      storage.install(snapshot);
      store.restore(snapshot);
      commit = snapshot.last().index();
    }
    return new AppendReply(term(), true, snapshot.last().index());
  }

  // What this replica asks.

  Role role() {
    return role;
  }

  /// Takes an answer.
  ///
  /// @param asked the role in which the peer was asked
  void received(Role asked, int peer, PeerRequest request, PeerReply reply) {
    observe(reply.term());
    if (role == asked) {
      role.received(peer, request, reply);
    }
  }

  /// {@return until when this replica waits for the others}
  ///
  /// @param patience at least the settings' for an election
  Deadline patientUntil(Duration patience) {
    return contact.plus(patience);
  }

  /// For too long nothing was heard: a leader gives up, another replica wants to become the leader.
  void lostContact() {
    contact();
    if (role instanceof Leadership) {
      become(new Follower(Members.NOBODY));
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
      storage.vote(newTerm, Members.NOBODY);
      become(new Follower(Members.NOBODY));
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

  // For the roles.

  /// Commits, and applies, the entries up to an index, if they are not.
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

  /// Overridden by a test.
  ///
  /// @return whether an entry that a majority has is committed (5.4.2: that of an earlier term may
  ///   still be replaced)
  boolean isCommitted(Position position) {
    return position.term() == term();
  }

  /// There is something to do for the tasks of this replica.
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

  /// {@return the present leader, if known, or [Members#NOBODY]}
  int leader() {
    return switch (role) {
      case Follower(int leader) -> leader;
      case Campaign _ -> Members.NOBODY;
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
