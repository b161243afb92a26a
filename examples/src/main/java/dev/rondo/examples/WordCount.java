package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.computicle.Pool;
import dev.rondo.computicle.RemoteTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The word count of coutil's manual. Each text is a job, two loops share the jobs, and the results
/// are added up.
final class WordCount {

  private static final List<String> TEXTS =
      List.of("the cat and the dog\nand the mouse", "and the cat", "the end");

  private WordCount() {}

  static void main() {
    Application.run(app -> count(TEXTS).forEach((word, times) -> IO.println(times + " " + word)));
  }

  /// {@return the number of occurrences of each word in all texts, sorted by word}
  static Map<String, Integer> count(List<String> texts) {
    var counts = new TreeMap<String, Integer>();
    try (Pool pool = new Pool("words", 2)) {
      var jobs = new ArrayList<RemoteTask<Map<String, Integer>>>();
      for (String text : texts) {
        jobs.add(pool.spawn(() -> wordsOf(text)));
      }
      for (var job : jobs) {
        job.join().forEach((word, times) -> counts.merge(word, times, Integer::sum));
      }
    }
    return counts;
  }

  private static Map<String, Integer> wordsOf(String text) {
    var found = new TreeMap<String, Integer>();
    for (String word : text.split("\\s+", -1)) {
      found.merge(word, 1, Integer::sum);
    }
    return found;
  }
}
