package dev.rondo.simulation.internal.disk;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The entries of a directory that are on the medium.
final class DirectoryNode extends Node {

  private final SortedMap<String, Node> durable = new TreeMap<>();

  SortedMap<String, Node> durable() {
    return durable;
  }

  /// @param node null to remove the name
  void set(String name, @Nullable Node node) {
    if (node == null) {
      durable.remove(name);
    } else {
      durable.put(name, node);
    }
  }
}
