package dev.rondo.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// How the voters of a world agree. One of them leads while it sees most of the others. It sends
/// each command to the voters, and adds it to the [WorldLog] when most of them have confirmed it.
/// Then it sends it to all members.
///
/// There is one log, so nothing that was agreed on can be lost, and two voters that both lead can
/// do no harm. So there are no votes. The voter that has been there longest leads, a while after no
/// other one does.
///
/// Confined to the world's thread.
final class WorldAgreement {

  /// How long there is no leader when one has gone.
  private static final long ELECTION_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /// A command that the leader has sent to the voters.
  private static final class Round {
    private final long number;
    private final byte[] command;
    private final Set<String> accepted = new HashSet<>();

    Round(long number, byte[] command) {
      this.number = number;
      this.command = command;
    }
  }

  private final WorldLog log;
  private final WorldMembers members;
  private final Member self;
  private final List<String> voters;
  private final Engine.Machine machine;
  private final Engine.Listener listener;
  private final Deque<Round> rounds = new ArrayDeque<>();
  private long lastRound;
  private int applied;

  /// In which this member leads; 0 if it does not.
  private long term;

  /// The last one that this voter knows of.
  private long lastTerm;

  /// Null if none is known.
  private @Nullable Member leader;

  /// Whether this member is to lead, since `candidateNanos`.
  private boolean isCandidate;

  private long candidateNanos;

  WorldAgreement(
      WorldLog log,
      WorldMembers members,
      Member self,
      ClusterConfig config,
      Engine.Machine machine,
      Engine.Listener listener) {
    this.log = log;
    this.members = members;
    this.self = self;
    this.voters = config.voters();
    this.machine = machine;
    this.listener = listener;
    if (isVoter()) {
      applyTo(log.appliedBy(self.name()));
    }
  }

  private boolean isVoter() {
    return voters.contains(self.name());
  }

  long term() {
    return term;
  }

  int applied() {
    return applied;
  }

  // The log.

  /// Applies what the log has before an index.
  private void applyTo(int end) {
    byte[] state = log.snapshot();
    if (state != null && applied < log.first() && log.first() <= end) {
      restore(log.first(), state);
    }
    while (applied < end && applied >= log.first()) {
      apply(log.command(applied));
    }
  }

  private void apply(byte[] command) {
    machine.apply(command);
    noteApplied(applied + 1);
  }

  private void restore(int index, byte[] state) {
    try {
      machine.restore(state);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it was written by this program
    }
    noteApplied(index);
  }

  private void noteApplied(int end) {
    applied = end;
    if (isVoter()) {
      log.applied(self.name(), end);
    }
  }

  private void compact() {
    if (log.isLong()) {
      try {
        log.compact(machine.save());
      } catch (IOException e) {
        throw new UncheckedIOException(e); // it is written to memory
      }
    }
  }

  // Leading.

  /// Looks who leads. To be called now and then, and when the members have changed.
  void look(long now) {
    List<String> present =
        Members.shown(members.view()).stream()
            .filter(this::isShownVoter)
            .map(Member::name)
            .toList();
    boolean hasMajority = isMajority(present.size());
    WorldPeer best = bestClaim();
    if (term > 0 && (!hasMajority || (best != null && best.term > term))) {
      resign(now);
    }
    boolean isNext =
        term == 0
            && best == null
            && hasMajority
            && present.getFirst().equals(self.name())
            && members.isShown();
    if (!isNext) {
      isCandidate = false;
    } else if (!isCandidate) {
      isCandidate = true;
      candidateNanos = now;
    } else if (now - candidateNanos >= ELECTION_NANOS) {
      isCandidate = false;
      lead(now);
    }
    follow(term > 0 ? self : best == null ? null : best.member);
  }

  private boolean isShownVoter(Member member) {
    return voters.contains(member.name());
  }

  private boolean isMajority(int count) {
    return count > voters.size() / 2;
  }

  /// {@return the member that leads in the last term; null if none does}
  private @Nullable WorldPeer bestClaim() {
    WorldPeer best = null;
    for (WorldPeer each : members.seen()) {
      if (each.term > 0 && (best == null || each.term > best.term)) {
        best = each;
      }
    }
    return best;
  }

  private void follow(@Nullable Member now) {
    if (!Objects.equals(leader, now)) {
      leader = now;
      listener.leaderChanged(self.equals(now));
    }
  }

  private void lead(long now) {
    term = log.nextTerm();
    lastTerm = term;
    applyTo(log.end());
    for (WorldPeer each : members.seen()) {
      each.sentEnd = each.applied;
    }
    members.announce(now);
    members.seen().forEach(each -> inform(each, now));
  }

  private void resign(long now) {
    term = 0;
    rounds.clear();
    members.announce(now);
  }

  /// Both see each other now.
  void seen(WorldPeer peer, long now) {
    peer.sentEnd = peer.applied;
    if (term > 0) {
      inform(peer, now);
      rounds.forEach(each -> ask(peer, each, now));
    }
  }

  /// Sends a member what it lacks of the log.
  private void inform(WorldPeer peer, long now) {
    byte[] state = log.snapshot();
    if (state != null && peer.sentEnd < log.first()) {
      members.send(peer, WorldMessage.snapshot(log.first(), state), now);
      peer.sentEnd = log.first();
    }
    while (peer.sentEnd < log.end()) {
      members.send(peer, WorldMessage.entry(peer.sentEnd, log.command(peer.sentEnd)), now);
      peer.sentEnd++;
    }
  }

  // Commands.

  void propose(byte[] command, long now) {
    if (term > 0) {
      begin(command, now);
      return;
    }
    Member known = leader;
    WorldPeer peer = known == null ? null : members.find(known);
    if (peer != null) {
      members.send(peer, WorldMessage.propose(command), now);
    }
  }

  private void begin(byte[] command, long now) {
    var round = new Round(++lastRound, command);
    rounds.add(round);
    round.accepted.add(self.name());
    members.seen().forEach(each -> ask(each, round, now));
    settle(now);
  }

  private void ask(WorldPeer peer, Round round, long now) {
    if (voters.contains(peer.member.name())) {
      members.send(peer, WorldMessage.accept(term, round.number, round.command), now);
    }
  }

  private void settle(long now) {
    while (term > 0 && !rounds.isEmpty() && isMajority(rounds.getFirst().accepted.size())) {
      byte[] command = rounds.removeFirst().command;
      if (!log.append(term, command)) {
        resign(now);
        return;
      }
      apply(command);
      members.seen().forEach(each -> inform(each, now));
      compact();
    }
  }

  void received(WorldPeer from, WorldMessage message, long now) {
    switch (message.kind()) {
      case PROPOSE -> {
        if (term > 0) {
          begin(message.bytes(), now);
        }
      }
      case ACCEPT -> {
        if (isVoter() && members.isShown() && message.first() >= lastTerm) {
          lastTerm = message.first();
          members.send(from, WorldMessage.accepted(lastTerm, message.second()), now);
        }
      }
      case ACCEPTED -> accepted(from, message, now);
      case ENTRY -> {
        if (message.first() == applied) {
          apply(message.bytes());
        }
      }
      case SNAPSHOT -> {
        if (message.first() > applied) {
          restore((int) message.first(), message.bytes());
        }
      }
      case FRAMES -> {
        // Not about the log.
      }
    }
  }

  private void accepted(WorldPeer from, WorldMessage message, long now) {
    if (message.first() == term) {
      for (Round each : rounds) {
        if (each.number == message.second()) {
          each.accepted.add(from.member.name());
        }
      }
      settle(now);
    }
  }
}
