package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Replica;
import dev.rondo.cluster.internal.agreement.Replica.Applied;
import dev.rondo.cluster.internal.agreement.Result;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The agreements of the nodes of a cluster, during one stay of this node: its tasks propose
/// commands, and learn what was applied.
///
/// Confined to the scheduler's thread, but for what the replica reports.
final class Consensus {

  private final Scheduler scheduler;
  private final Replica replica = new Replica(this::report);
  private final BlockingQueue<Applied> arrived = new LinkedBlockingQueue<>();
  private boolean leads;
  private int mostBytes = Integer.MAX_VALUE;

  /// How long an answer may take; null for a node that agrees with itself, which answers at once.
  private @Nullable Duration mostTime;

  private Supplier<String> quorum = () -> "";
  private @Nullable Proposer proposer;
  private @Nullable LeaseDesk desk;

  Consensus(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /// Agrees with itself: for a node that is alone.
  static Consensus alone(Scheduler scheduler, String node, LeaseWatch watch) {
    var consensus = new Consensus(scheduler);
    consensus.leaderChanged(true);
    consensus.begin(
        node,
        "",
        command -> {
          var _ = scheduler.post(() -> consensus.replica.apply(command));
        },
        List::of,
        watch);
    return consensus;
  }

  Engine.Machine machine() {
    return replica;
  }

  /// The node has joined.
  ///
  /// @param member the id of this one
  /// @param way to the leader
  /// @param present the ids of the members that are there; none stands for all
  void begin(
      String node,
      String member,
      Proposer.Way way,
      Supplier<List<String>> present,
      LeaseWatch watch) {
    var proposing = new Proposer(scheduler, member, way);
    var leases = new LeaseDesk(scheduler, node, proposing, present, watch);
    proposer = proposing;
    desk = leases;
    leases.leaderChanged(leads);
    passOn();
    proposing.open();
  }

  /// Engine's thread.
  private void report(Applied applied) {
    arrived.add(applied);
    var _ = scheduler.post(this::passOn);
  }

  private void passOn() {
    LeaseDesk leases = desk;
    if (leases == null) {
      return; // it has not begun
    }
    for (Applied next; (next = arrived.poll()) != null; ) {
      passOn(leases, next);
    }
  }

  private void passOn(LeaseDesk leases, Applied next) {
    if (next.isWholeState()) {
      leases.allChanged(next.leases());
    } else {
      next.leases().forEach(leases::changed);
      proposer().answered(next.client(), next.id(), next.result());
    }
  }

  void leaderChanged(boolean leadsNow) {
    leads = leadsNow;
    if (desk != null) {
      desk.leaderChanged(leadsNow);
      proposer().repeatAll();
    }
  }

  void describe(AddOnReport report) {
    if (desk != null) {
      desk.describe(report);
      report.gauge("cluster.proposals", proposer().pendingCount());
    }
  }

  boolean leads() {
    return leads;
  }

  Proposer proposer() {
    return requireNonNull(proposer);
  }

  LeaseDesk desk() {
    return requireNonNull(desk);
  }

  /// No command may have more bytes.
  void limit(int bytes) {
    mostBytes = bytes;
  }

  /// No answer may take longer.
  ///
  /// @param state whether the nodes can agree, for the message
  void limit(Duration time, Supplier<String> state) {
    mostTime = time;
    quorum = state;
  }

  /// Waits for what the nodes agree on, for a time.
  ///
  /// @throws OutcomeUnknownException if that takes longer
  <T> T await(Waitable<T> answer, String about, Runnable abandon) {
    Duration limit = mostTime;
    if (limit == null) {
      return scheduler.host().awaitEvent(answer);
    }
    try {
      return scheduler.host().awaitEvent(answer, limit);
    } catch (TimedOutException e) {
      abandon.run();
      throw new OutcomeUnknownException(
          "%s: no answer within %s; this node %s"
              .formatted(about, ReportText.duration(limit), quorum.get()));
    }
  }

  /// Waits for the answer to a command. *Always* a suspension point.
  ///
  /// @throws OutcomeUnknownException if it takes longer than [ClusterLimits#answer()]
  /// @throws IllegalArgumentException if its values have too many bytes
  Result call(Command command) {
    int bytes = command.bytes().length;
    if (bytes > mostBytes) {
      throw new IllegalArgumentException(
          "%s: its values have some %d bytes, and etcd takes %d"
              .formatted(command.name(), bytes, mostBytes));
    }
    Proposal proposal = proposer().propose(command);
    return await(proposal, command.name(), () -> proposer().abandon(proposal));
  }

  /// Gives all leases back. *Always* a suspension point, unless there are none.
  ///
  /// @throws TimedOutException if that takes longer
  void giveBack(Duration limit) {
    LeaseDesk leases = desk();
    leases.withdraw();
    scheduler.within(limit, () -> WaitForCondition.on(scheduler).waitFor(leases::hasReturnedAll));
  }

  /// Gives all leases back while the scheduler closes: blocks its thread.
  ///
  /// @return false if that takes longer, or the thread is interrupted, which it stays
  boolean giveBackBlocking(Duration limit) {
    LeaseDesk leases = desk();
    leases.withdraw();
    long deadline = System.nanoTime() + Engine.nanos(limit);
    while (!leases.hasReturnedAll()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      try {
        Applied next = arrived.poll(Math.min(left, Proposer.AGAIN_NANOS), TimeUnit.NANOSECONDS);
        if (next != null) {
          passOn(leases, next);
        } else {
          proposer().repeatOldest(); // no timer does, while the thread is blocked
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /// The node leaves.
  void end() {
    if (desk != null) {
      desk.end();
      proposer().end();
    }
  }
}
