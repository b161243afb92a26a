package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.simulation.model.KeyValue;
import dev.rondo.time.VirtualClock;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The history of docs/modules/simulation.md.
final class HistoryExampleTest {

  private final VirtualClock clock = new VirtualClock();
  private final Map<String, Integer> store = new HashMap<>();

  @Test
  void putAndGet_areLinearizable() {
    History<KeyValue<String, Integer>, @Nullable Object> history = History.timedBy(clock::elapsed);
    history.record("client 1", new KeyValue.Put<>("x", 1), () -> store.put("x", 1));
    Integer value = history.record("client 2", new KeyValue.Get<>("x"), () -> store.get("x"));
    history.requireLinearizable(KeyValue.model());
    assertEquals(1, value);
  }
}
