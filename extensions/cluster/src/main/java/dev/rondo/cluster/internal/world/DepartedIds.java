package dev.rondo.cluster.internal.world;

import java.util.LinkedHashMap;
import java.util.Map;

/// The ids of members that have left, those that left last. A packet of a departed member may be
/// late, and must not bring it back; one that comes behind a thousand departures does no harm,
/// because a member is seen only when it answers.
public final class DepartedIds {

  static final int MOST = 1_000;

  private final Map<String, Boolean> ids =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST;
        }
      };

  void add(String id) {
    Boolean _ = ids.put(id, true);
  }

  boolean contains(String id) {
    return ids.containsKey(id);
  }
}
