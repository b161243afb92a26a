package dev.rondo.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TableTest {

  private static final Machine MACHINE = machine();

  private final Results results = new Results();

  private static Machine machine() {
    var facts = new LinkedHashMap<String, String>();
    facts.put("commit", "abc");
    facts.put("kernel", "Linux 6");
    return new Machine(facts);
  }

  private void add(String params, String who, double... values) {
    for (double value : values) {
      results.add(new Sample(new Row("switch", params, who, "ns/op"), value));
    }
  }

  private List<String> lines() {
    return Table.of(results, MACHINE).lines().toList();
  }

  @Test
  void table_machine_isInItsHead() {
    List<String> lines = lines();
    int commit = lines.indexOf("| commit | abc |");
    assertTrue(commit > 0);
    assertEquals("|---|---|", lines.get(commit + 1));
    assertEquals("| kernel | Linux 6 |", lines.get(commit + 2));
  }

  @Test
  void machine_afterFacts_beginsWithThem() {
    assertEquals(
        List.of("run", "commit", "kernel"),
        List.copyOf(MACHINE.after(Map.of("run", "one")).facts().keySet()));
  }

  @Test
  void table_rivals_standTogetherWithSpreadAndRatios() {
    add("ring=2", "bare", 80, 100, 120);
    add("ring=100", "bare", 7);
    add("ring=2", "rondo", 150);
    add("ring=2", "kotlinx", 50, 50);

    List<String> lines = lines();
    int title = lines.indexOf("## switch");
    assertEquals(
        List.of(
            "| ring=2 | ns/op | bare | 100.0 | 80.0 .. 120.0 |  | 2.00 |  |",
            "| ring=2 | ns/op | rondo | 150.0 | 150.0 .. 150.0 |  | 3.00 | 1.50 |",
            "| ring=2 | ns/op | kotlinx | 50.0 | 50.0 .. 50.0 |  |  | 0.50 |",
            "| ring=100 | ns/op | bare | 7.00 | 7.00 .. 7.00 |  |  |  |"),
        lines.subList(title + 4, lines.size()));
  }

  @Test
  void table_ratioToZero_isInfinite() {
    add("", "bare", 0);
    add("", "rondo", 0.25);
    add("", "kotlinx", 0.5);

    assertTrue(lines().contains("|  | ns/op | rondo | 0.25 | 0.25 .. 0.25 |  | 0.50 | ∞ |"));
  }

  @Test
  void table_ratioOfZeroToZero_isOne() {
    add("", "bare", 0);
    add("", "rondo", 0);

    assertTrue(lines().contains("|  | ns/op | rondo | 0.00 | 0.00 .. 0.00 |  |  | 1.00 |"));
  }

  @Test
  void table_smallRatio_isNoZero() {
    add("", "rondo", 5.11);
    add("", "nettyEpoll", 1_149);

    assertTrue(lines().contains("|  | ns/op | rondo | 5.11 | 5.11 .. 5.11 |  | 0.004 |  |"));
  }

  @Test
  void table_summary_hasRondosRowsOnly() {
    add("ring=2", "bare", 100);
    add("ring=2", "rondo", 150);
    add("ring=2", "kotlinx", 50);

    List<String> lines = lines();
    int title = lines.indexOf("## Rondo");
    assertEquals(
        "| switch | ring=2 | ns/op | rondo | 150.0 | kotlinx 50.0 | 3.00 | 1.50 |",
        lines.get(title + 4));
    assertTrue(lines.get(title + 5).isEmpty());
  }

  @Test
  void table_allocation_isAColumn() {
    add("", "rondo", 1);
    var row = new Row("switch", "", "rondo", "ns/op");
    results.addAllocated(new Sample(row, 0.001));
    assertTrue(lines().contains("|  | ns/op | rondo | 1.00 | 1.00 .. 1.00 | 0 |  |  |"));
  }

  @Test
  void table_failuresAndWhatIsLeftOut_areToldInALineEach() {
    results.fail("http", "wrk | said\nno");
    results.skip("echo", "no taskset");

    List<String> lines = lines();
    assertTrue(lines.contains("| http | wrk / said no |"));
    assertTrue(lines.contains("| echo | no taskset |"));
  }

  @Test
  void table_noFailures_hasNoSuchPart() {
    assertFalse(lines().contains("## Failed"));
  }

  @Test
  void number_ofAnySize_hasThreeFiguresOrAllBeforeThePoint() {
    assertEquals("0.05", Table.number(0.0512));
    assertEquals("9.99", Table.number(9.987));
    assertEquals("12.3", Table.number(12.345));
    assertEquals("999.9", Table.number(999.94));
    assertEquals("123,457", Table.number(123_456.7));
  }
}
