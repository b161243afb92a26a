package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Message.PeerReply;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import org.jspecify.annotations.Nullable;

/// Answers, and asks nothing.
///
/// @param leader [Members#NONE] if unknown
record Follower(int leader) implements Role {

  @Override
  public @Nullable PeerRequest requestFor(int peer) {
    return null;
  }

  @Override
  public void received(int peer, PeerRequest request, PeerReply reply) {}

  @Override
  public void applied(Entry entry, Message.Answer answer) {}

  @Override
  public void left() {}
}
