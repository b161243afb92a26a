package dev.rondo.simulation.threads.internal.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class IdentityTableTest {

  @Test
  void add_toAFullTable_dropsWhatWasNotFoundForLongest() {
    var table = new IdentityTable<String>(3);
    var objects = new Object[] {new Object(), new Object(), new Object(), new Object()};
    for (int i = 0; i < 3; i++) {
      assertNull(table.add(objects[i], "value " + i));
    }
    assertEquals("value 0", table.get(objects[0]));
    assertEquals("value 1", table.add(objects[3], "value 3"));
    assertNull(table.get(objects[1]));
    assertEquals("value 0", table.get(objects[0]));
    assertEquals("value 2", table.get(objects[2]));
    assertEquals("value 3", table.get(objects[3]));
  }
}
