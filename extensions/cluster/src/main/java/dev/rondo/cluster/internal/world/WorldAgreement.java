package dev.rondo.cluster.internal.world;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.members.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// How the voters of a world agree. One of them leads while it sees most of the others. It sends
/// each command to the voters, and adds it to the [WorldLog] when most of them have confirmed it.
/// Then it sends it to all members.
///
/// A voter that sees most of the others and no leader asks whether it may lead, and does when most
/// have confirmed that. The longer it has been there, the sooner it asks. Each term has a number,
/// which no other voter draws. A voter that has confirmed one confirms nothing of a smaller one any
/// more, and no other leader while it sees one.
///
/// What a voter has confirmed it proposes again when it leads next, as a log of Raft would make it,
/// unless a later leader has sent something meanwhile. So a command can take effect whose leader
/// has gone, and a leader that closes gives its leases back.
///
/// A leader that resigns forgets what it has proposed and most have not confirmed. In Raft its log
/// keeps that, and it may take effect when the same voter leads again. The client has no answer, so
/// that breaks no promise; but this course of events does not happen in a world.
///
/// There is one log, so nothing that was agreed on can be lost, and of two voters that both lead
/// only the one with the larger term adds to it.
///
/// Confined to the world's thread.
public final class WorldAgreement {

  /// How long the voter that has been there longest waits when a leader has gone. The second one
  /// waits twice as long, and so on.
  private static final long ELECTION_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /// How long a question has no answer until it is asked again: a voter answers none before it is
  /// shown.
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /// A command that the leader has sent to the voters.
  private static final class Round {
    private final long number;
    private final byte[] command;
    private final Set<String> accepted = new HashSet<>();

    /// When all voters that had not confirmed it were asked last.
    private long askedNanos;

    Round(long number, byte[] command, long now) {
      this.number = number;
      this.command = command;
      this.askedNanos = now;
    }
  }

  private final WorldLog log;
  private final WorldMembers members;
  private final Member self;
  private final List<String> voters;
  private final Engine.Machine machine;
  private final Engine.Listener listener;
  private final Deque<Round> rounds = new ArrayDeque<>();

  /// The commands that this voter has confirmed in `unsettledTerm` and not applied, by the numbers
  /// of their rounds.
  private final NavigableMap<Long, byte[]> unsettled = new TreeMap<>();

  /// The last term whose leader has sent a command, confirmed or agreed on.
  private long unsettledTerm;

  private long lastRound;
  private int applied;

  /// In which this member leads; 0 if it does not.
  private long term;

  /// The last one that this voter has confirmed.
  private long lastTerm;

  /// Null if none is known.
  private @Nullable Member leader;

  /// Whether this voter sees that there is to be another leader, since `vacantNanos`.
  private boolean isVacant;

  private long vacantNanos;

  /// In which this voter asks to lead, since `askedNanos`; 0 if it does not.
  private long askedTerm;

  private long askedNanos;

  /// Those that have confirmed that.
  private final Set<String> supporters = new HashSet<>();

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
      lastTerm = log.confirmedBy(self.name());
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
    boolean _ = unsettled.values().removeIf(each -> Arrays.equals(each, command));
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
        Engine.shown(members.view()).stream().filter(this::isShownVoter).map(Member::name).toList();
    boolean hasMajority = isMajority(present.size());
    WorldPeer best = bestClaim();
    if (term > 0 && (!hasMajority || (best != null && best.term > term))) {
      resign(now);
    }
    int place = present.indexOf(self.name());
    if (term == 0 && best == null && hasMajority && place >= 0 && members.isShown()) {
      stand(place, now);
    } else {
      withdraw();
    }
    if (!rounds.isEmpty() && now - rounds.getFirst().askedNanos >= AGAIN_NANOS) {
      rounds.forEach(each -> askAll(each, now));
    }
    follow(term > 0 ? self : best == null ? null : best.member);
  }

  /// Asks to lead, after the voters that have been there longer.
  private void stand(int place, long now) {
    if (!isVacant) {
      isVacant = true;
      vacantNanos = now;
    } else if (askedTerm == 0 && now - vacantNanos >= ELECTION_NANOS * (1 + place)) {
      askedTerm = log.newTerm();
      supporters.clear();
      supporters.add(self.name());
      askToLead(now);
    } else if (askedTerm != 0 && now - askedNanos >= AGAIN_NANOS) {
      askToLead(now);
    }
  }

  /// Asks no longer. It may again after a while, in a new term.
  private void withdraw() {
    isVacant = false;
    askedTerm = 0;
  }

  private void askToLead(long now) {
    askedNanos = now;
    for (WorldPeer each : members.seen()) {
      if (voters.contains(each.member.name())) {
        members.send(each, WorldMessage.candidate(askedTerm), now);
      }
    }
    leadIfSupported(now);
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

  private void leadIfSupported(long now) {
    if (isMajority(supporters.size())) {
      long won = askedTerm;
      withdraw();
      if (won >= lastTerm && log.begin(won)) {
        lead(won, now);
      }
    }
  }

  private void lead(long won, long now) {
    term = won;
    confirm(won);
    applyTo(log.end());
    for (WorldPeer each : members.seen()) {
      each.sentEnd = each.applied;
    }
    members.announce(now);
    members.seen().forEach(each -> inform(each, now));
    follow(self);
    List<byte[]> left = List.copyOf(unsettled.values());
    unsettled.clear();
    left.forEach(each -> begin(each, now));
  }

  /// From now on this voter confirms nothing of a smaller term.
  private void confirm(long confirmed) {
    lastTerm = confirmed;
    log.confirmed(self.name(), confirmed);
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

  /// Sends a member what it lacks of what this one has. The log may have more: another voter may
  /// lead, and this one not know of it.
  private void inform(WorldPeer peer, long now) {
    byte[] state = log.snapshot();
    if (state != null && peer.sentEnd < log.first() && log.first() <= applied) {
      members.send(peer, WorldMessage.snapshot(log.first(), state), now);
      peer.sentEnd = log.first();
    }
    while (peer.sentEnd >= log.first() && peer.sentEnd < applied) {
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
    var round = new Round(++lastRound, command, now);
    rounds.add(round);
    round.accepted.add(self.name());
    askAll(round, now);
    settle(now);
  }

  private void askAll(Round round, long now) {
    round.askedNanos = now;
    members.seen().stream()
        .filter(each -> !round.accepted.contains(each.member.name()))
        .forEach(each -> ask(each, round, now));
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
        if (isVoter() && members.isShown()) {
          answer(from, message, now);
        }
      }
      case CANDIDATE -> {
        if (isVoter() && members.isShown() && isFree(message.first())) {
          answer(from, message, now);
        }
      }
      case ACCEPTED -> accepted(from, message, now);
      case REFUSED -> refused(message, now);
      case ENTRY -> {
        dropOlderThan(from.term);
        if (message.first() == applied) {
          apply(message.bytes());
        }
      }
      case SNAPSHOT -> {
        dropOlderThan(from.term);
        if (message.first() > applied) {
          restore((int) message.first(), message.bytes());
        }
      }
      case FRAMES -> {
        // Not about the log.
      }
    }
  }

  /// Whether another voter may lead in a term, as far as this one sees.
  private boolean isFree(long asked) {
    return term == 0 && bestClaim() == null && asked > askedTerm;
  }

  private void answer(WorldPeer from, WorldMessage question, long now) {
    long asked = question.first();
    if (asked < lastTerm) {
      members.send(from, WorldMessage.refused(lastTerm), now);
      return;
    }
    if (asked > lastTerm) {
      confirm(asked);
      if (asked > askedTerm) {
        withdraw();
      }
    }
    if (question.kind() == WorldMessage.Kind.ACCEPT) {
      note(question);
    }
    members.send(from, WorldMessage.accepted(asked, question.second()), now);
  }

  private void note(WorldMessage accepted) {
    dropOlderThan(accepted.first());
    unsettled.put(accepted.second(), accepted.bytes());
  }

  /// Called when a leader of a term has sent something. What an earlier leader had left is dropped:
  /// it must not come behind what was agreed on since.
  private void dropOlderThan(long newer) {
    if (newer > unsettledTerm) {
      unsettledTerm = newer;
      unsettled.clear();
    }
  }

  private void accepted(WorldPeer from, WorldMessage message, long now) {
    if (askedTerm != 0 && message.first() == askedTerm) {
      supporters.add(from.member.name());
      leadIfSupported(now);
    } else if (message.first() == term) {
      for (Round each : rounds) {
        if (each.number == message.second()) {
          each.accepted.add(from.member.name());
        }
      }
      settle(now);
    }
  }

  /// A voter has confirmed a larger term.
  private void refused(WorldMessage message, long now) {
    if (term > 0 && message.first() > term) {
      resign(now);
      follow(null);
    } else if (message.first() > askedTerm) {
      withdraw();
    }
  }
}
