package dev.rondo.simulation.internal.nio;

import java.nio.channels.SelectionKey;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/// Keys in the order in which they became ready. Programs may remove keys and not add any.
final class SelectedKeys extends AbstractSet<SelectionKey> {

  private final Set<SelectionKey> keys = new LinkedHashSet<>();

  void select(SelectionKey key) {
    keys.add(key);
  }

  @Override
  public Iterator<SelectionKey> iterator() {
    return keys.iterator();
  }

  @Override
  public int size() {
    return keys.size();
  }

  @Override
  public boolean contains(Object key) {
    return keys.contains(key);
  }

  @Override
  public boolean remove(Object key) {
    return keys.remove(key);
  }

  @Override
  public void clear() {
    keys.clear();
  }
}
