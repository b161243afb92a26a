package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Message.PeerReply;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import dev.rondo.examples.replicatedlog.Message.VoteReply;
import dev.rondo.examples.replicatedlog.Message.VoteRequest;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Asks each peer once for its vote, or, on trial, whether it would vote.
final class Campaign implements Role {

  private final Raft raft;
  private final VoteRequest request;
  private final Set<Integer> answered = new TreeSet<>();
  private int votes = 1; // its own

  Campaign(Raft raft, VoteRequest request) {
    this.raft = raft;
    this.request = request;
  }

  boolean isTrial() {
    return request.trial();
  }

  @Override
  public @Nullable PeerRequest requestFor(int peer) {
    return answered.contains(peer) ? null : request;
  }

  @Override
  public void received(int peer, PeerRequest asked, PeerReply reply) {
    if (answered.add(peer) && reply instanceof VoteReply vote && vote.granted()) {
      votes++;
      count();
    }
  }

  /// Ends the campaign if it is won.
  void count() {
    if (votes == raft.members().majority()) {
      if (isTrial()) {
        raft.stand();
      } else {
        raft.lead();
      }
    }
  }

  @Override
  public void applied(Entry entry, Message.Answer answer) {}

  @Override
  public void left() {}
}
