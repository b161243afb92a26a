package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.examples.top.TopTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the table of [Top].
final class TopTest {

  private static String dump(long busyNanos) {
    return """
    {"scheduler":{"thread":"main","backend":"BOUND","closed":false,"alive":2,"ready":1},
     "tasks":[
      {"id":1,"name":"idle","state":"WAITING","daemon":false,"waitingFor":"mutex 'oven'",
       "holder":"busy","sinceNanos":1500000000,
       "metrics":{"turns":3,"runNanos":2000,"longestTurnNanos":1000},"stack":[]},
      {"id":2,"name":"busy","state":"RUNNING","daemon":false,"sinceNanos":0,
       "metrics":{"turns":4000,"runNanos":%d,"longestTurnNanos":7000000},"stack":["a.B.c(B.java:1)"]}]}
    """
        .formatted(busyNanos);
  }

  private static TopTable.Scheduler seen(long turns, long busyNanos) {
    return new TopTable.Scheduler("shop", turns, dump(busyNanos));
  }

  @Test
  void draw_busiestFirst_withWhatOthersWaitForAndSinceWhen() {
    List<String> lines =
        new TopTable().next(0, List.of(seen(10, 5_000_000))).draw(120, 40).lines().toList();
    assertEquals(4, lines.size());
    assertTrue(
        lines.get(0).startsWith("shop on BOUND: 2 tasks alive, 1 ready, 10 turns"), lines.get(0));
    assertTrue(lines.get(2).endsWith("7.0 ms            busy"), lines.get(2));
    assertTrue(lines.get(3).contains("1.5 s  idle <- mutex 'oven', held by busy"), lines.get(3));
  }

  @Test
  void draw_secondTime_tellsTheRates() {
    TopTable first = new TopTable().next(0, List.of(seen(10, 0)));
    first.draw(120, 40);
    String second = first.next(1_000_000_000, List.of(seen(110, 500_000_000))).draw(120, 40);
    assertTrue(second.contains("110 turns, 100/s"), second);
    assertTrue(second.contains("50.0 %"), second);
  }

  @Test
  void draw_whatAddOnsSay_isAboveTheTasks() {
    String dump =
        dump(0)
            .replace(
                "\"tasks\":",
                """
                "addOns": [{"name": "WaitForCluster", "figures": {"cluster.members": 3, "cluster.leases": 1},
                            "lines": ["node 'a'\\u001b"]}], "tasks":\
                """);
    List<String> lines =
        new TopTable()
            .next(0, List.of(new TopTable.Scheduler("shop", 1, dump)))
            .draw(120, 40)
            .lines()
            .toList();
    assertEquals("WaitForCluster: cluster.members 3, cluster.leases 1", lines.get(1));
    assertEquals("  node 'a'\\u001b", lines.get(2));
    assertTrue(lines.get(3).contains("STATE"), lines.get(3));
  }

  @Test
  void draw_smallTerminal_isCut() {
    String text = new TopTable().next(0, List.of(seen(10, 0))).draw(20, 3);
    assertEquals(3, text.lines().count());
    assertTrue(text.lines().allMatch(line -> line.length() <= 20), text);
  }

  @Test
  void draw_namesWithControlCharacters_areEscaped() {
    String dump = dump(0).replace("\"idle\"", "\"idle\\u001b[2J\\n\"");
    String text =
        new TopTable().next(0, List.of(new TopTable.Scheduler("a\nb", 1, dump))).draw(200, 40);
    assertTrue(text.contains("idle\\u001b[2J\\u000a <- mutex"), text);
    assertTrue(text.startsWith("a\\u000ab on BOUND"), text);
    assertTrue(text.chars().allMatch(c -> c == '\n' || c >= ' '), text);
  }

  @Test
  void draw_loopDoesNotAnswer_namesTheTaskAndSinceWhen() {
    String dump =
        """
        {"scheduler":{"thread":"main","backend":"BOUND","closed":false,"alive":2,"ready":1},
         "tasks":[], "noAnswer":
          {"isDriven":true,"sinceLastPassNanos":3100000,"task":"spinner","stack":["a.B.c(B.java:1)"]}}
        """;
    String text =
        new TopTable().next(0, List.of(new TopTable.Scheduler("shop", 1, dump))).draw(200, 40);
    assertTrue(
        text.contains(
            "the loop does not answer: task 'spinner' has its turn, and its last pass was 3.1 ms"
                + " ago"),
        text);
  }
}
