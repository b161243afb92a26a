package dev.rondo.cluster;

import java.net.InetSocketAddress;
import java.util.List;

/// Keeps the members of a cluster, and carries bytes between them: what another engine than JGroups
/// would have to do.
///
/// Of two members that both stay, the one receives what the other sends, in that order.
interface Engine {

  /// What it reports, on threads of its own.
  interface Listener {

    /// The members are others.
    void membersChanged();

    /// A frame has come. Those of one member come one by one, in their order.
    void received(Member from, byte[] frame);
  }

  /// Makes an engine for one stay in a cluster.
  interface Maker {
    Engine make(ClusterConfig config, Listener listener);
  }

  /// Joins the cluster. Blocks. Once.
  void join() throws ClusterException;

  /// Sends what it still has, leaves, and releases all it has, also while another thread joins.
  /// Blocks. Never fails.
  void leave();

  /// {@return this member}
  Member self();

  /// {@return the members, the one that has been there longest first, those of equal names
  /// included} Any thread.
  List<Member> view();

  /// {@return where it listens} After joining.
  InetSocketAddress address();

  /// Sends a frame, unless the member has left. Any thread; never blocks, not even on a lock: on
  /// BOUND other tasks would run meanwhile.
  void send(Member to, byte[] frame);
}
