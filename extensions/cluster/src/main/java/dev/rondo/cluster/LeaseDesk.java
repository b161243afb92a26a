package dev.rondo.cluster;

import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Command.Kind;
import dev.rondo.cluster.internal.agreement.LeaseState;
import dev.rondo.cluster.internal.agreement.LeaseState.Request;
import dev.rondo.cluster.internal.agreement.LeaseState.RequestKey;
import dev.rondo.cluster.internal.agreement.LeaseTable;
import dev.rondo.condition.Cell;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.time.WaitForTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The leases of the cluster as this node knows them: those it holds, those its tasks wait for,
/// and, if it leads, when each of them ends: one node does or several.
///
/// **Why a lease has one holder.** A holder proposes a renewal at an instant t, and believes in its
/// lease until t + 19/20 ttl. A leader learns of that renewal after t, and waits for a whole ttl
/// from there. Then it proposes to end the lease that was renewed *so many times*: all nodes ignore
/// that if it has been renewed since. So no clock is compared with that of another machine, and a
/// leader that was paused or deposed cannot end a lease early.
///
/// Confined to the scheduler's thread.
final class LeaseDesk {

  private final Scheduler scheduler;
  private final WaitForTime time;
  private final String node;
  private final Proposer proposer;
  private final Supplier<List<String>> present;
  private final Map<String, LeaseState> states = new TreeMap<>();

  /// When this node learned of the present holder, or of its last renewal.
  private final Map<String, Long> since = new HashMap<>();

  private final Map<String, TimerHandle> ends = new HashMap<>();
  private final ListMultimap<String, Acquisition> waiting = byName();
  private final ListMultimap<String, Lease> held = byName();
  private final LeaseWatch watch;
  private boolean leads;

  /// How many leases and requests were given back without an answer yet.
  private int returning;

  /// How many leases and requests this node still has, if it leaves.
  private @Nullable Cell<Integer> left;

  /// Makes one.
  ///
  /// @param present the members that are there; none stands for all
  LeaseDesk(
      Scheduler scheduler,
      String node,
      Proposer proposer,
      Supplier<List<String>> present,
      LeaseWatch watch) {
    this.scheduler = scheduler;
    this.time = WaitForTime.on(scheduler);
    this.node = node;
    this.proposer = proposer;
    this.present = present;
    this.watch = watch;
  }

  /// In order, because what ends together ends in that order.
  private static <T> ListMultimap<String, T> byName() {
    return MultimapBuilder.linkedHashKeys().arrayListValues(1).build();
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Proposer proposer() {
    return proposer;
  }

  String node() {
    return node;
  }

  void checkThread() {
    scheduler.host().checkThread();
  }

  long nowNanos() {
    return scheduler.host().nowNanos();
  }

  TimerHandle at(long deadlineNanos, Runnable action) {
    return time.at(deadlineNanos, action);
  }

  List<LeaseState> states() {
    return List.copyOf(states.values());
  }

  LeaseState state(String name) {
    return states.getOrDefault(name, LeaseState.free(name));
  }

  void describe(AddOnReport report) {
    report.gauge("cluster.leases", held.size()).gauge("cluster.leases.awaited", waiting.size());
    for (Lease each : held.values()) {
      report.line(each::describe);
    }
    waiting
        .asMap()
        .forEach((name, all) -> {
          Request holder = state(name).holder();
          String holds = holder == null ? "no node holds it" : "held by '" + holder.node() + "'";
          report.line(() -> "%s: %s, tasks that wait: %d".formatted(name, holds, all.size()));
        });
  }

  // Tasks.

  Acquisition begin(String name, long ttlNanos, boolean waits) {
    var acquisition = new Acquisition(this, name, ttlNanos, waits);
    waiting.put(name, acquisition);
    acquisition.take();
    return acquisition;
  }

  void settled(Acquisition acquisition) {
    var _ = waiting.remove(acquisition.name, acquisition);
    countLeft();
  }

  Lease hold(String name, long token, long ttlNanos, long beginNanos) {
    var lease = new Lease(this, name, token, ttlNanos, beginNanos);
    held.put(name, lease);
    return lease;
  }

  void ended(Lease lease) {
    var _ = held.remove(lease.name(), lease);
    countLeft();
  }

  int heldCount() {
    return held.size();
  }

  void release(String name, long token) {
    giveBack(Command.of(Kind.RELEASE, name, token, 0));
  }

  void forget(String name, long id) {
    giveBack(Command.of(Kind.FORGET, name, id, 0));
  }

  private void giveBack(Command command) {
    returning++;
    var _ =
        proposer.propose(
            command.with(presentBytes(), null),
            result -> {
              returning--;
              countLeft();
            });
    countLeft();
  }

  private byte[] presentBytes() {
    return LeaseTable.present(present.get());
  }

  // What was agreed on.

  void changed(LeaseState now) {
    LeaseState before = state(now.name());
    if (now.isUnused()) {
      var _ = states.remove(now.name());
    } else {
      states.put(now.name(), now);
    }
    noteRenewal(before, now);
    watch.changed(now);
    for (Lease each : List.copyOf(held.get(now.name()))) {
      if (!now.isHeldBy(each.tokenUnchecked())) {
        each.lose();
      }
    }
    List<Acquisition> own = List.copyOf(waiting.get(now.name()));
    if (!own.isEmpty()) {
      Set<RequestKey> queue = now.queue(); // each of many tasks looks for its request
      own.forEach(each -> each.changed(now, queue));
    }
  }

  void allChanged(List<LeaseState> all) {
    var gone = new TreeSet<>(states.keySet());
    all.forEach(each -> gone.remove(each.name()));
    gone.forEach(name -> changed(LeaseState.free(name)));
    all.forEach(this::changed);
  }

  // The leader.

  void leaderChanged(boolean leadsNow) {
    if (leads != leadsNow) {
      leads = leadsNow;
      states.values().forEach(this::armEnd);
    }
  }

  /// Another request in the queue changes nothing for the holder.
  private void noteRenewal(LeaseState before, LeaseState now) {
    boolean same =
        Objects.equals(before.holder(), now.holder())
            && before.token() == now.token()
            && before.renewals() == now.renewals();
    if (!same) {
      since.put(now.name(), nowNanos());
      armEnd(now);
    }
    if (now.holder() == null) {
      var _ = since.remove(now.name());
    }
  }

  /// A lease lasts its time from when this node learned of it, which is after its holder began it.
  private void armEnd(LeaseState now) {
    TimerHandle before = ends.remove(now.name());
    if (before != null) {
      var _ = before.cancel();
    }
    Request holder = now.holder();
    if (leads && holder != null) {
      long end = since.getOrDefault(now.name(), nowNanos()) + holder.ttlNanos();
      ends.put(now.name(), time.at(end, () -> expire(now)));
    }
  }

  private void expire(LeaseState state) {
    var _ = ends.remove(state.name());
    var _ =
        proposer.propose(
            Command.of(Kind.EXPIRE, state.name(), state.token(), state.renewals())
                .with(presentBytes(), null));
  }

  // Leaving.

  /// Has all leases and requests of this node be given back; the code of leases is cancelled, and
  /// they follow when it has ended.
  void withdraw() {
    left = new Cell<>(scheduler, "leases left", 0);
    List.copyOf(waiting.values()).forEach(Acquisition::withdraw);
    List.copyOf(held.values()).forEach(Lease::withdraw);
    countLeft();
  }

  private void countLeft() {
    if (left != null) {
      left.set(held.size() + waiting.size() + returning);
    }
  }

  /// Whether the cluster knows that this node has no leases and requests any more. For a predicate
  /// that watches it.
  boolean hasReturnedAll() {
    return left != null && left.get() == 0;
  }

  /// Describes what [#withdraw()] has not given back so far.
  String notReturned() {
    return "leases whose code has not ended: %s; requests: %s; without an answer of the cluster: %d"
        .formatted(held.keySet(), waiting.keySet(), returning);
  }

  void end() {
    leaderChanged(false);
    List.copyOf(held.values()).forEach(Lease::lose);
    List.copyOf(waiting.values()).forEach(Acquisition::fail);
    watch.clear();
  }
}
