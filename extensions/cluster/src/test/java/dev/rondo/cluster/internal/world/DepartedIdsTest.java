package dev.rondo.cluster.internal.world;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class DepartedIdsTest {

  @Test
  void add_moreThanAreKept_theOldestIsForgotten() {
    var departed = new DepartedIds();
    for (int i = 0; i <= DepartedIds.MOST; i++) {
      departed.add("id" + i);
    }
    assertFalse(departed.contains("id0"));
    assertTrue(departed.contains("id1"));
    assertTrue(departed.contains("id" + DepartedIds.MOST));
  }
}
