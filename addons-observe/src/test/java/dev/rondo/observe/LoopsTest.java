package dev.rondo.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// The dump of all schedulers of the process.
final class LoopsTest {

  @Test
  void dump_json_hasEachSchedulerWithAccessAndItsTasks() throws IOException {
    try (Scheduler first = Scheduler.builder().instrument(new Observers().outsideAccess()).build();
        Scheduler second = Scheduler.builder().instrument(new Observers().outsideAccess()).build();
        Scheduler without = Scheduler.builder().build()) {
      first.spawn("of the first", () -> {});
      second.spawn("of the second", () -> {});
      without.spawn("of the last", () -> {});
      assertEquals(1, timesNamed("of the first"));
      assertEquals(1, timesNamed("of the second"));
      assertEquals(0, timesNamed("of the last"));
    }
    assertEquals(0, timesNamed("of the first"));
  }

  private static int timesNamed(String task) throws IOException {
    var text = new StringBuilder();
    Loops.dump(DumpFormat.JSON, text);
    JsonArray loops =
        JsonParser.parseString(text.toString()).getAsJsonObject().getAsJsonArray("loops");
    int times = 0;
    for (JsonElement loop : loops) {
      for (JsonElement each : loop.getAsJsonObject().getAsJsonArray("tasks")) {
        if (each.getAsJsonObject().get("name").getAsString().equals(task)) {
          times++;
        }
      }
    }
    return times;
  }
}
