package dev.rondo.cluster;

import dev.rondo.cluster.internal.agreement.LeaseState;
import dev.rondo.condition.Cell;
import dev.rondo.scheduler.Scheduler;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/// The leases that programs watch, as cells: the holder of one, and which of several are held. It
/// outlives the stays of the node.
///
/// Confined to the scheduler's thread.
final class LeaseWatch {

  private final Scheduler scheduler;
  private final Map<String, Cell<Optional<String>>> holders = new HashMap<>();
  private final Map<String, Cell<Set<String>>> families = new HashMap<>();

  LeaseWatch(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /// Returns the name of the node that holds a lease.
  ///
  /// @param known gives the one that holds it now; for a new cell, because a predicate may call
  ///   this and must change none
  Cell<Optional<String>> holder(String lease, Supplier<Optional<String>> known) {
    return holders.computeIfAbsent(
        lease, key -> new Cell<>(scheduler, "holder of " + key, known.get()));
  }

  /// Returns which leases of a family are held, as the last part of their names. The name of a
  /// lease of a family is the family's, and that part in quotes.
  Cell<Set<String>> held(String family) {
    return families.computeIfAbsent(
        family, key -> new Cell<>(scheduler, "held leases of " + key, Set.of()));
  }

  /// The name of a lease of a kind, or family.
  static String name(String kind, String part) {
    return kind + " '" + part + "'";
  }

  /// A lease is another one now.
  void changed(LeaseState now) {
    Cell<Optional<String>> holder = holders.get(now.name());
    if (holder != null) {
      holder.set(now.holderName());
    }
    families.forEach((family, held) -> {
      String begin = family + " '";
      if (now.name().startsWith(begin)) {
        String part = now.name().substring(begin.length(), now.name().length() - 1);
        boolean isHeld = now.holder() != null;
        if (held.get().contains(part) != isHeld) {
          var parts = new TreeSet<>(held.get());
          boolean _ = isHeld ? parts.add(part) : parts.remove(part);
          held.set(Collections.unmodifiableSet(parts));
        }
      }
    });
  }

  /// The node has left: it knows of no leases.
  void clear() {
    holders.values().forEach(each -> each.set(Optional.empty()));
    families
        .values()
        .forEach(each -> {
          each.set(Set.of());
          each.changed(); // for those who wait for the end of the stay
        });
  }
}
