package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// UUIDs of a world.
final class WorldUuidsTest {

  /// As when a run is shrunk: what is drawn becomes 0.
  @Test
  void next_sameDrawn_isUniqueAllTheSame() {
    var uuids = new WorldUuids();
    var seen = new HashSet<UUID>();
    for (int i = 0; i < 10_000; i++) {
      UUID made = uuids.next(i % 2 == 0 ? 0 : -1);
      assertEquals(4, made.version());
      assertEquals(2, made.variant());
      assertEquals(true, seen.add(made));
    }
  }
}
