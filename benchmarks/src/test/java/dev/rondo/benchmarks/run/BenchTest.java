package dev.rondo.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BenchTest {

  /// A workload that runs a given action.
  private record Scripted(String name, Work work) implements Workload {

    /// What a workload does.
    @FunctionalInterface
    interface Work {
      void on(Results results) throws Exception;
    }

    @Override
    public int forks() {
      return name.equals("bad") ? 1 : Workload.FORKS;
    }

    @Override
    public void run(Results results) throws Exception {
      work.on(results);
    }
  }

  private static final Row ROW = new Row("good", "", "rondo", "ns/op");
  private static final Workload BAD =
      new Scripted(
          "bad",
          results -> {
            throw new IOException("no such thing");
          });
  private static final Workload GOOD =
      new Scripted("good", results -> results.add(new Sample(ROW, 4)));

  private final Results results = new Results();

  @Test
  void run_oneFails_othersAreMeasuredAndTheFailureIsKept() throws IOException {
    Bench.run(List.of(BAD, GOOD), results, _ -> {});

    assertEquals(4, results.numbers(ROW).median());
    assertEquals(
        List.of(new Results.Note("bad", "java.io.IOException: no such thing")), results.failures());
  }

  @Test
  void run_each_isKeptAtOnce() throws IOException {
    List<Integer> done = new ArrayList<>();
    Bench.run(List.of(GOOD, BAD, GOOD), results, done::add);

    assertEquals(List.of(1, 2, 3), done);
  }

  @Test
  void chosen_names_areTakenInTheirOrder() {
    assertEquals(List.of(GOOD, BAD), Bench.chosen("good, bad", List.of(BAD, GOOD)));
  }

  @Test
  void chosen_aFamily_isAllOfIt() {
    Workload hello = new Scripted("web-hello", results -> {});
    Workload json = new Scripted("web-json", results -> {});
    Workload other = new Scripted("webs", results -> {});

    assertEquals(
        List.of(BAD, hello, json), Bench.chosen("bad,web", List.of(hello, BAD, json, other)));
  }

  @Test
  void chosen_all_isAll() {
    List<Workload> all = List.of(BAD, GOOD);
    assertSame(all, Bench.chosen("all", all));
  }

  @Test
  void chosen_unknownName_saysWhichThereAre() {
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> Bench.chosen("best", List.of(BAD, GOOD)));

    assertEquals("there is no workload 'best'; take all, or of bad, good", e.getMessage());
  }

  @Test
  void workloads_names_areUnique() {
    var names = new HashSet<String>();
    for (Workload workload : Workloads.ALL) {
      assertEquals(true, names.add(workload.name()), workload.name());
    }
  }

  @Test
  void facts_ofARun_sayWhatWasRunAndHowOften() {
    Map<String, String> facts =
        Bench.facts("good,bad", List.of(GOOD, BAD), 2, Duration.ofSeconds(1_741));

    assertEquals(
        Map.of(
            "run", "one, 2 of 2 workloads in 29 min 1 s",
            "command", "`mvn -q -pl benchmarks -am compile -Dbench=good,bad`",
            "forks", "2; bad 1"),
        facts);
    assertEquals("2", Bench.facts("good", List.of(GOOD), 1, Duration.ZERO).get("forks"));
  }

  @Test
  void json_rowsAndMachine_areThere() {
    results.add(new Sample(ROW, 4));
    results.add(new Sample(new Row("good", "", "kotlinx", "ns/op"), 8));
    results.fail("bad", "no such thing");

    String json = Bench.json(results, new Machine(Map.of("commit", "abc")));

    JsonObject all = JsonParser.parseString(json).getAsJsonObject();
    assertEquals("abc", all.getAsJsonObject("machine").get("commit").getAsString());
    assertEquals("bad: no such thing", all.getAsJsonArray("failures").get(0).getAsString());
    JsonObject row = all.getAsJsonArray("rows").get(0).getAsJsonObject();
    assertEquals("kotlinx", row.get("bestPeer").getAsString());
    assertEquals(0.5, row.get("toBestPeer").getAsDouble());
    assertEquals(0, all.getAsJsonArray("jmh").size());
  }

  @Test
  void workload_ofABenchmark_isItsClassInWords() {
    assertEquals("ping pong", JmhWorkload.workload("a.b.PingPongBenchmark.rondo"));
  }
}
