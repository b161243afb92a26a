package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Message.PeerReply;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import org.jspecify.annotations.Nullable;

/// What a replica is for now. There is a new object each time, so that a late answer to an earlier
/// role differs from one to the present role.
sealed interface Role permits Follower, Campaign, Leadership {

  /// {@return what to say to a peer now; null if nothing}
  @Nullable PeerRequest requestFor(int peer);

  /// Takes the answer to what [#requestFor(int)] returned, which is of no newer term.
  void received(int peer, PeerRequest request, PeerReply reply);

  /// The replica has applied entries.
  void applied(Entry entry, Message.Answer answer);

  /// Has another role now.
  void left();
}
