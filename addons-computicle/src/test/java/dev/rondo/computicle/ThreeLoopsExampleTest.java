package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The programs of docs/computicles.md.
final class ThreeLoopsExampleTest {

  /// A pipeline over three loops: lines, words, counts.
  private static Map<String, Integer> pipeline(List<String> lines) {
    var counts = new TreeMap<String, Integer>();
    Endpoint<String> words = Endpoint.create("words", 100);
    var counter =
        Computicle.<Void>start(
            "counter",
            (app, mailbox) -> words.forEach(word -> counts.merge(word, 1, Integer::sum)));
    var splitter =
        Computicle.<String>start(
            "splitter",
            (app, mailbox) -> {
              for (String line : mailbox) {
                words.sendAll(List.of(line.split(" ")));
              }
              words.close();
            });
    Application.run(app -> {
      splitter.mailbox().sendAll(lines);
      splitter.close();
      counter.join();
    });
    return counts;
  }

  @Test
  void pipeline_countsWords() {
    assertEquals(Map.of("a", 3, "b", 1, "c", 1), pipeline(List.of("a b", "a c a")));
  }
}
