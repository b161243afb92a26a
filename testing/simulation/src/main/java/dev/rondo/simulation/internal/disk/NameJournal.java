package dev.rondo.simulation.internal.disk;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The changes of names that are not on the medium yet, in their order. A change reaches it as a
/// whole, and after the earlier ones of the same names; otherwise in any order.
final class NameJournal {

  /// A name in a directory.
  record Slot(DirectoryNode directory, String name) {}

  private record Edit(Slot slot, @Nullable Node node) {}

  private record Change(List<Edit> edits) {

    void apply() {
      for (Edit each : edits) {
        each.slot.directory.set(each.slot.name, each.node);
      }
    }

    boolean touches(Set<Slot> slots) {
      return edits.stream().anyMatch(edit -> slots.contains(edit.slot));
    }

    boolean touches(DirectoryNode directory) {
      return edits.stream().anyMatch(edit -> edit.slot.directory == directory);
    }

    void addTo(Set<Slot> slots) {
      edits.forEach(edit -> slots.add(edit.slot));
    }
  }

  private final List<Change> pending = new ArrayList<>();

  void named(Slot slot, Node node) {
    pending.add(new Change(List.of(new Edit(slot, node))));
  }

  void unnamed(Slot slot) {
    pending.add(new Change(List.of(new Edit(slot, null))));
  }

  void renamed(Slot from, Slot to, Node node) {
    pending.add(new Change(List.of(new Edit(from, null), new Edit(to, node))));
  }

  /// All changes in a directory reach the medium, and those that they depend on.
  void force(DirectoryNode directory) {
    var needed = new HashSet<Slot>();
    var forced = new HashSet<Integer>();
    for (int i = pending.size() - 1; i >= 0; i--) {
      Change change = pending.get(i);
      if (change.touches(directory) || change.touches(needed)) {
        forced.add(i);
        change.addTo(needed);
      }
    }
    var rest = new ArrayList<Change>();
    for (int i = 0; i < pending.size(); i++) {
      if (forced.contains(i)) {
        pending.get(i).apply();
      } else {
        rest.add(pending.get(i));
      }
    }
    pending.clear();
    pending.addAll(rest);
  }

  void sync() {
    pending.forEach(Change::apply);
    pending.clear();
  }

  void losePower(Fate fate) {
    var lost = new HashSet<Slot>();
    for (Change each : pending) {
      if (!each.touches(lost) && fate.keeps()) {
        each.apply();
      } else {
        each.addTo(lost);
      }
    }
    pending.clear();
  }
}
