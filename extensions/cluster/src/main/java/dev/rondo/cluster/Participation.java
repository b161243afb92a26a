package dev.rondo.cluster;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Quorum;
import dev.rondo.condition.Cell;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The part that this node has in what the nodes agree on: none before it joins and after it has
/// left; and while it leaves, values and no leases. A node without an address agrees with itself.
///
/// Confined to the scheduler's thread.
final class Participation {

  private final Scheduler scheduler;
  private final ClusterConfig config;

  private final LeaseWatch watch;

  private final Cell<Quorum> quorum;

  /// Null while this node cannot take part.
  private @Nullable Consensus consensus;

  private boolean leaves;

  /// Whether the engine that has joined agrees, or may when it joins.
  private boolean agrees = true;

  Participation(Scheduler scheduler, ClusterConfig config) {
    this.scheduler = scheduler;
    this.config = config;
    this.watch = new LeaseWatch(scheduler);
    this.quorum = new Cell<>(scheduler, "quorum", quorum(notYet()));
  }

  Cell<Quorum> quorum() {
    return quorum;
  }

  private Quorum quorum(String why) {
    return new Quorum(why.isEmpty(), LoopControl.of(scheduler.host()).wallClock().instant(), why);
  }

  private String notYet() {
    return Engines.areNotNeeded(config) ? "" : "node '" + config.node() + "' has not joined";
  }

  private String nothing() {
    return "cluster '" + config.cluster() + "' has nothing to agree by";
  }

  /// The nodes can agree, or cannot; empty if they can. The instant stays as long as it is one or
  /// the other.
  void quorumChanged(String why) {
    Quorum before = quorum.get();
    if (before.isThere() != why.isEmpty()) {
      quorum.set(quorum(why));
    } else if (!before.why().equals(why)) {
      quorum.set(new Quorum(false, before.since(), why));
    }
  }

  /// The node has joined.
  ///
  /// @param present the ids of the members that are there
  void begin(Consensus agreement, Engine engine, Supplier<List<String>> present) {
    agrees = engine.agrees();
    quorumChanged(agrees ? "" : nothing());
    if (!agrees) {
      return;
    }
    agreement.limit(config.limits().answer(), () -> quorum.get().toString());
    agreement.limit(engine.mostCommandBytes());
    agreement.begin(config.node(), engine.self().id(), engine::propose, present, watch);
    consensus = agreement;
  }

  /// Returns what counters and registers are agreed by, which is so until all leases were given
  /// back.
  Consensus onValues() {
    scheduler.host().checkThread();
    Consensus present = consensus;
    if (present != null) {
      return present;
    }
    if (Engines.areNotNeeded(config)) {
      Consensus made = Consensus.alone(scheduler, config.node(), watch);
      consensus = made;
      return made;
    }
    throw new IllegalStateException(
        agrees
            ? "node '%s' has not joined: see join()".formatted(config.node())
            : nothing() + ": see ClusterConfig.withEtcd(..)");
  }

  Consensus onLeases() {
    Consensus present = onValues();
    if (leaves) {
      throw new IllegalStateException("node '" + config.node() + "' leaves: see join()");
    }
    return present;
  }

  /// Whether this is the stay of the node.
  boolean isOf(Consensus stay) {
    return consensus == stay;
  }

  /// Whether this is still the stay of the node that it was, and goes on.
  boolean isIn(Consensus stay) {
    return consensus == stay && !leaves;
  }

  /// Returns the cell of the node that holds a lease.
  Cell<Optional<String>> holder(String lease) {
    Consensus present = consensus;
    return watch.holder(
        lease, () -> present == null ? Optional.empty() : present.desk().state(lease).holderName());
  }

  /// Returns the cell of the leases of a family that are held, see [LeaseWatch#held].
  Cell<Set<String>> held(String family) {
    Cell<Set<String>> cell = watch.held(family);
    Consensus present = consensus;
    if (present != null) {
      present.desk().states().forEach(watch::changed);
    }
    return cell;
  }

  // Looking.

  /// Whether this node is to end the leases that are not renewed; several may.
  boolean leads() {
    return consensus != null && consensus.leads();
  }

  void describe(AddOnReport report) {
    Quorum now = quorum.get();
    report.gauge("cluster.quorum", now.isThere() ? 1 : 0);
    if (!now.isThere() && consensus != null) {
      report.line(now::toString);
    }
    if (consensus != null) {
      consensus.describe(report);
    }
  }

  // Leaving.

  /// Gives all leases back, and waits until the cluster has them. A suspension point.
  void giveBack() {
    Consensus present = consensus;
    if (present != null) {
      leaves = true;
      try {
        present.giveBack(config.limits().leave());
      } catch (TimedOutException e) {
        report(present, e);
      }
    }
  }

  /// [#giveBack()] while the scheduler closes.
  ///
  /// @param blocks whether to wait for the cluster; that blocks the scheduler's thread
  void giveBackClosing(boolean blocks) {
    Consensus present = consensus;
    if (present == null) {
      return;
    }
    leaves = true;
    if (!blocks) {
      present.desk().withdraw();
    } else if (!present.giveBackBlocking(config.limits().leave())) {
      report(present, null);
    }
  }

  /// [#giveBack()] while the scheduler ends, for a short time. A suspension point.
  void giveBackAtTheEnd(Duration limit) {
    Consensus present = consensus;
    if (present != null) {
      leaves = true;
      try {
        present.giveBack(limit);
      } catch (TimedOutException e) {
        // They end by their time.
      }
    }
  }

  private void report(Consensus left, @Nullable Throwable cause) {
    scheduler
        .host()
        .report(
            "cluster",
            new ClusterException(
                "node '%s' leaves without having given back all leases, which end by their time; %s"
                    .formatted(config.node(), left.desk().notReturned()),
                cause));
  }

  /// The node has left.
  void end() {
    leaves = false;
    agrees = true;
    quorumChanged(notYet());
    if (consensus != null) {
      consensus.end();
      consensus = null;
    }
  }
}
