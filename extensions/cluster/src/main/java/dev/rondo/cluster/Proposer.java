package dev.rondo.cluster;

import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Command.Kind;
import dev.rondo.cluster.internal.agreement.LeaseTable;
import dev.rondo.cluster.internal.agreement.Result;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.time.WaitForTime;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The commands of this node that have no answer yet. A command that may be lost is proposed again;
/// its number keeps it from being applied twice.
///
/// Confined to the scheduler's thread.
final class Proposer {

  /// Proposes the bytes of a command to the leader; they may be lost.
  interface Way {
    void propose(byte[] command);
  }

  /// How long a command waits for its answer until it is proposed again. A change of the leader is
  /// known earlier.
  static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /// How many bytes are proposed again at a time, the oldest command in any case. A leader that
  /// stands still receives all of them when it goes on, and each becomes an entry of the log.
  private static final int REPEATED_BYTES = 1 << 16;

  private final Scheduler scheduler;
  private final WaitForTime time;
  private final String member;
  private final Way way;
  private final NavigableMap<Long, Proposal> pending = new TreeMap<>();
  private String session;
  private long sessions;
  private boolean open;
  private boolean ended;
  private long lastId;
  private @Nullable TimerHandle again;

  Proposer(Scheduler scheduler, String member, Way way) {
    this.scheduler = scheduler;
    this.time = WaitForTime.on(scheduler);
    this.member = member;
    this.way = way;
    this.session = newSession();
  }

  /// The id of a member is that of one stay.
  private String newSession() {
    return LeaseTable.session(member, Long.toString(++sessions));
  }

  /// The session that commands are proposed in now.
  String session() {
    return session;
  }

  int pendingCount() {
    return pending.size();
  }

  void open() {
    sendOpen();
    repeatLater();
  }

  Proposal propose(Command command) {
    return propose(command, result -> {});
  }

  Proposal propose(Command command, Consumer<Result> then) {
    var proposal = new Proposal(scheduler, ++lastId, command, then);
    if (ended) {
      proposal.fail(new OutcomeUnknownException("this node has left the cluster"));
      return proposal;
    }
    pending.put(proposal.id, proposal);
    if (open) {
      var _ = send(proposal);
    }
    repeatLater();
    return proposal;
  }

  /// Stops proposing a command, which may have been applied or not.
  void abandon(Proposal proposal) {
    var _ = pending.remove(proposal.id);
  }

  /// Returns how many bytes that were.
  private int send(Proposal proposal) {
    long completed = pending.firstKey() - 1;
    byte[] bytes = proposal.command.numbered(session, proposal.id, completed).bytes();
    way.propose(bytes);
    return bytes.length;
  }

  private void sendOpen() {
    way.propose(Command.of(Kind.OPEN, "", 0, 0).numbered(session, 0, 0).bytes());
  }

  private void repeatLater() {
    if (again == null && !ended && (!open || !pending.isEmpty())) {
      again = time.at(scheduler.host().nowNanos() + AGAIN_NANOS, this::repeat);
    }
  }

  private void repeatNoLonger() {
    if (again != null) {
      var _ = again.cancel();
      again = null;
    }
  }

  private void repeat() {
    again = null;
    repeatOldest();
    repeatLater();
  }

  /// Proposes again what has no answer: the leader is another one.
  void repeatAll() {
    repeat(Long.MAX_VALUE);
  }

  /// Proposes again what has waited longest for its answer: it may be lost, or late.
  void repeatOldest() {
    repeat(REPEATED_BYTES);
  }

  private void repeat(long mostBytes) {
    if (!open) {
      sendOpen();
      return;
    }
    long bytes = 0;
    for (Proposal each : List.copyOf(pending.values())) {
      if (bytes >= mostBytes) {
        return;
      }
      bytes += send(each);
    }
  }

  void answered(String client, long id, Result result) {
    if (!client.equals(session)) {
      return;
    }
    if (result.status() == Result.Status.UNKNOWN_SESSION) {
      session = newSession();
      open = false;
      sendOpen();
      failAll("was away for too long");
      repeatLater();
    } else if (id == 0) {
      if (!open) {
        open = true;
        repeatAll();
      }
    } else {
      Proposal proposal = pending.remove(id);
      if (proposal != null) {
        proposal.succeed(result);
      }
      if (pending.isEmpty()) {
        repeatNoLonger();
      }
    }
  }

  private void failAll(String why) {
    List<Proposal> failed = List.copyOf(pending.values());
    pending.clear();
    for (Proposal each : failed) {
      each.fail(
          new OutcomeUnknownException(
              "this node %s before the cluster answered: %s of '%s'"
                  .formatted(why, each.command.kind(), each.command.name())));
    }
  }

  void end() {
    ended = true;
    repeatNoLonger();
    failAll("has left");
  }
}
