package dev.rondo.simulation.threads.internal.race;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values of objects, by identity. Identity hash codes are all equal in a simulation, so objects
/// are found by the name of their class, the one that was found last first.
///
/// Confined to the world's thread and the threads that it carries.
final class IdentityTable<V> {

  private record Entry<V>(Object of, V value) {}

  private final int most;
  private final Map<String, List<Entry<V>>> byClass = new HashMap<>();

  /// @param most objects of one class
  IdentityTable(int most) {
    this.most = most;
  }

  /// {@return the value of an object; null if it has none}
  @Nullable V get(Object of) {
    List<Entry<V>> all = byClass.get(of.getClass().getName());
    if (all == null) {
      return null;
    }
    for (int i = 0; i < all.size(); i++) {
      Entry<V> each = all.get(i);
      if (each.of == of) {
        all.remove(i);
        all.addFirst(each);
        return each.value;
      }
    }
    return null;
  }

  /// Adds an object that is not there.
  ///
  /// @return the value of the object of the same class that is not there any more; null if all are
  @Nullable V add(Object of, V value) {
    List<Entry<V>> all = byClass.computeIfAbsent(of.getClass().getName(), _ -> new ArrayList<>());
    V dropped = all.size() == most ? all.removeLast().value : null;
    all.addFirst(new Entry<>(of, value));
    return dropped;
  }
}
