package dev.rondo.cluster.internal.engine;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Keeps the members of a cluster, and carries bytes between them: what another engine than JGroups
/// would have to do.
///
/// Of two members that both stay, the one receives what the other sends, in that order.
public interface Engine {

  /// Receives its reports, on threads of the engine.
  interface Listener {

    /// The members are others.
    void membersChanged();

    /// Members that are there had lost sight of this one, which may have seen them all the time:
    /// what was under way between them may be lost. [#membersChanged()] follows.
    default void lost(List<Member> members) {}

    /// Frames have come, whose messages are the listener's; bytes that were none as
    /// [Frame#UNREADABLE]. Those of one member come in their order.
    void received(Member from, List<Frame> frames);

    /// Proposals may be lost.
    ///
    /// @param leads whether this member is to end the leases that are not renewed; several may
    void leaderChanged(boolean leads);

    /// The nodes can agree, or cannot.
    ///
    /// @param why they cannot; empty if they can
    default void quorumChanged(String why) {}

    /// The engine leaves by itself.
    void failed(ClusterException failure);

    /// After joining it has met members that must stay apart: they are not among the members.
    default void met(ClusterException strangers) {}
  }

  /// The state to which all nodes apply the same commands. Called by one thread of the engine at a
  /// time, with what the one before has written visible to the next.
  interface Machine {

    /// Applies a command that the nodes have agreed on.
    void apply(byte[] command);

    /// {@return the whole state}
    byte[] save() throws IOException;

    /// Replaces the whole state.
    void restore(byte[] saved) throws IOException;
  }

  /// Makes an engine for one stay in a cluster.
  interface Maker {
    Engine make(ClusterConfig config, Listener listener, Machine machine);
  }

  /// {@return a time in nanoseconds; at most 73 years, so that an instant in the past and that time
  /// make one in the future}
  static long nanos(Duration time) {
    return Math.min(TimeUnit.NANOSECONDS.convert(time), Long.MAX_VALUE / 4);
  }

  /// {@return the members of a view; of several with one name, the one that has been there longest}
  static List<Member> shown(List<Member> view) {
    var names = new HashSet<String>();
    return view.stream().filter(each -> names.add(each.name())).toList();
  }

  /// {@return whether joining and leaving block the calling thread} Otherwise they suspend the
  /// calling task.
  default boolean blocks() {
    return true;
  }

  /// Sets the identity of the agreement of its members; `nothing` if this is not called before
  /// joining. Members that agree by something else stay apart.
  ///
  /// @param passed how much of the time of joining
  default void agreeBy(String what, Duration passed) {}

  /// Joins the cluster. Once.
  void join() throws ClusterException;

  /// Sends what it still has, leaves, and releases all it has, also while another thread joins.
  /// Returns when that is done, by whichever thread. Never fails.
  void leave();

  /// Joins in a task, which waits.
  default void joinIn(Scheduler scheduler) throws ClusterException {
    if (blocks()) {
      scheduler.blocking(this::join);
    } else {
      join();
    }
  }

  /// Leaves in a task, which waits.
  default void leaveIn(Scheduler scheduler) {
    if (blocks()) {
      scheduler.blocking(this::leave);
    } else {
      leave();
    }
  }

  /// Leaves outside of tasks. An engine that does not block waits for nothing.
  default void drop() {
    leave();
  }

  /// {@return this member}
  Member self();

  /// {@return the members, the one that has been there longest first, those of equal names
  /// included} Any thread.
  List<Member> view();

  /// {@return where it listens} After joining.
  InetSocketAddress address();

  /// Sends frames, unless the member has left. Their messages do not change afterwards. Any thread;
  /// never blocks, not even on a lock: on BOUND other tasks would run meanwhile.
  void send(Member to, List<Frame> frames);

  /// Proposes a command, if the nodes agree. It is applied on all nodes, or lost: then it has to be
  /// proposed again. Any thread; never blocks.
  default void propose(byte[] command) {}

  /// {@return whether its members agree on the commands that are proposed}
  default boolean agrees() {
    return false;
  }

  /// {@return how many bytes a command may have}
  default int mostCommandBytes() {
    return Integer.MAX_VALUE;
  }
}
