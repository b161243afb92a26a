package dev.rondo.examples.replicatedlog;

import dev.rondo.condition.sync.Promise;
import dev.rondo.examples.replicatedlog.Command.Nothing;
import dev.rondo.examples.replicatedlog.Message.Answer;
import dev.rondo.examples.replicatedlog.Message.AppendReply;
import dev.rondo.examples.replicatedlog.Message.AppendRequest;
import dev.rondo.examples.replicatedlog.Message.Found;
import dev.rondo.examples.replicatedlog.Message.InstallRequest;
import dev.rondo.examples.replicatedlog.Message.NotLeader;
import dev.rondo.examples.replicatedlog.Message.PeerReply;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import dev.rondo.time.Deadline;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// The role of the leader: takes commands, and brings the logs of the peers up to date.
final class Leadership implements Role {

  private final Raft raft;
  private final Storage storage;
  private final Map<Integer, Progress> peers = new TreeMap<>();
  private final Set<Integer> heard = new TreeSet<>();

  /// The entry with which the term begins.
  private final long start;

  /// The commands that are not applied yet, by their index.
  private final Map<Long, Promise<Answer>> proposed = new TreeMap<>();

  private final Queue<PendingRead> reads = new ArrayDeque<>();

  /// Counts the rounds of reads. A peer that answers a request of a round accepted this replica as
  /// the leader at that time.
  private long round;

  /// A peer, as the leader sees it.
  private static final class Progress {
    long next;
    long agreed;
    long toldCommit;
    long askedRound;
    long confirmedRound;
    @Nullable Deadline asked;

    Progress(long next) {
      this.next = next;
    }
  }

  /// @param index that must be applied before
  private record PendingRead(String key, long round, long index, Promise<Answer> answer) {}

  Leadership(Raft raft) {
    this.raft = raft;
    this.storage = raft.storage();
    this.start = storage.log().last().index() + 1;
    for (int peer : raft.members().peersOf(raft.self())) {
      peers.put(peer, new Progress(start));
    }
    append(new Nothing());
  }

  private long append(Command command) {
    long index = storage.log().last().index() + 1;
    storage.append(List.of(new Entry(new Position(index, raft.term()), command)));
    raft.announce();
    return index;
  }

  // Requests of clients.

  /// {@return the answer when the command is applied}
  Promise<Answer> propose(Command command) {
    Promise<Answer> answer = new Promise<>(raft.scheduler(), "proposed command");
    proposed.put(append(command), answer);
    return answer;
  }

  /// {@return the value, when this replica is sure that it was the leader after the call} By then
  /// it has applied all entries that were committed at the call (thesis, 6.4).
  Promise<Answer> read(String key) {
    Promise<Answer> answer = new Promise<>(raft.scheduler(), "read of '" + key + "'");
    round++;
    reads.add(new PendingRead(key, round, raft.readableFrom(start), answer));
    raft.announce();
    answerReads();
    return answer;
  }

  private void answerReads() {
    long confirmed =
        reachedBy(
            raft.members().majority(),
            round,
            peers.values().stream().mapToLong(p -> p.confirmedRound));
    while (!reads.isEmpty()
        && raft.mayRead(reads.element().round(), confirmed)
        && reads.element().index() <= raft.commit()) {
      PendingRead read = reads.remove();
      var _ = read.answer().fulfill(new Found(raft.store().get(read.key())));
    }
  }

  @Override
  public void applied(Entry entry, Answer answer) {
    Promise<Answer> promise = proposed.remove(entry.index());
    if (promise != null) {
      var _ = promise.fulfill(answer);
    }
  }

  @Override
  public void left() {
    var sorry = new NotLeader(Members.NONE);
    proposed.values().forEach(promise -> promise.fulfill(sorry));
    reads.forEach(read -> read.answer().fulfill(sorry));
  }

  // Requests to peers.

  @Override
  public @Nullable PeerRequest requestFor(int peer) {
    Progress to = progress(peer);
    Log log = storage.log();
    Deadline asked = to.asked;
    boolean due =
        asked == null
            || raft.now().minus(asked).compareTo(raft.settings().heartbeat()) >= 0
            || to.next <= log.last().index()
            || to.toldCommit < Math.min(to.agreed, raft.commit())
            || to.confirmedRound < round;
    if (!due) {
      return null;
    }
    to.asked = raft.now();
    to.askedRound = round;
    if (to.next <= log.base().index()) {
      return new InstallRequest(raft.term(), raft.self(), storage.snapshot());
    }
    to.toldCommit = raft.commit();
    return new AppendRequest(
        raft.term(),
        raft.self(),
        log.position(to.next - 1),
        raft.commit(),
        log.entries(to.next, raft.settings().batch()));
  }

  @Override
  public void received(int peer, PeerRequest request, PeerReply reply) {
    if (!(reply instanceof AppendReply answer)) {
      return;
    }
    Progress from = progress(peer);
    from.confirmedRound = from.askedRound;
    if (answer.successful()) {
      from.agreed = Math.max(from.agreed, answer.index());
      from.next = from.agreed + 1;
    } else {
      from.next = Math.min(from.next - 1, answer.index() + 1);
    }
    hear(peer);
    advance();
  }

  private void hear(int peer) {
    heard.add(peer);
    if (heard.size() + 1 >= raft.members().majority()) {
      heard.clear();
      raft.contact();
    }
  }

  /// {@return whether a [#flush()] is needed}
  boolean isDirty() {
    return storage.log().durable() < storage.log().last().index();
  }

  /// Makes new proposals durable, and commits the entries that a majority has.
  void flush() {
    storage.force();
    advance();
  }

  private void advance() {
    long index =
        reachedBy(
            raft.quorum(),
            storage.log().durable(),
            peers.values().stream().mapToLong(p -> p.agreed));
    if (index > raft.commit() && raft.isCommitted(storage.log().position(index))) {
      raft.commit(index);
      raft.announce();
    }
    answerReads();
  }

  /// {@return the greatest number that a given count of replicas has reached}
  private static long reachedBy(int count, long own, LongStream others) {
    long[] sorted = LongStream.concat(LongStream.of(own), others).sorted().toArray();
    return sorted[sorted.length - count];
  }

  private Progress progress(int peer) {
    return Objects.requireNonNull(peers.get(peer));
  }
}
