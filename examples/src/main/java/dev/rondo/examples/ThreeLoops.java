package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.computicle.Computicle;
import dev.rondo.computicle.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A pipeline over three loops, each on a thread of its own: lines, words, counts. A slow stage
/// delays the stages before it, because their sends wait.
final class ThreeLoops {

  private static final List<String> LINES =
      List.of("the cat and the dog", "and the mouse", "and the cat");

  private ThreeLoops() {}

  static void main() {
    Application.run(app -> count(LINES).forEach((word, times) -> IO.println(times + " " + word)));
  }

  /// {@return the number of occurrences of each word, sorted by word}
  static Map<String, Integer> count(List<String> lines) {
    var counts = new TreeMap<String, Integer>();
    Endpoint<String> words = new Endpoint<>("words", 100);
    var counter =
        Computicle.<Void>start(
            "counter",
            (app, mailbox) -> words.forEach(word -> counts.merge(word, 1, Integer::sum)));
    var splitter =
        Computicle.<String>start(
            "splitter",
            (app, mailbox) -> {
              for (String line : mailbox) {
                for (String word : line.split(" ", -1)) {
                  words.send(word);
                }
              }
              words.close();
            });
    lines.forEach(splitter::send);
    splitter.close();
    counter.join();
    return counts;
  }
}
