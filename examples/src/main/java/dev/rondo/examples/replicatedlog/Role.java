package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Message.PeerReply;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import org.jspecify.annotations.Nullable;

/// The present role of a replica. Each change makes a new object, so that late answers to an
/// earlier role can be told apart.
sealed interface Role permits Follower, Campaign, Leadership {

  /// {@return the next request to a peer; null for none}
  @Nullable PeerRequest requestFor(int peer);

  /// Takes the answer to a request of [#requestFor(int)]. Its term is not newer.
  void received(int peer, PeerRequest request, PeerReply reply);

  /// The replica has applied entries.
  void applied(Entry entry, Message.Answer answer);

  /// The replica has another role now.
  void left();
}
