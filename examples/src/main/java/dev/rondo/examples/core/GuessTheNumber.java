package dev.rondo.examples.core;

import dev.rondo.scheduler.Scheduler;
import java.util.ArrayList;
import java.util.List;

/// Values in and out of tasks, after cothread. Two tasks connect a player and a game, and the game
/// is written as straight-line questions.
final class GuessTheNumber {

  private GuessTheNumber() {}

  static void main() {
    IO.println(play(42));
    IO.println(sums(List.of(1, 2, 3, 4)));
  }

  /// Plays by halving. The game halts the run with each of its answers; the next run hands in the
  /// next guess.
  ///
  /// @return the guesses
  static List<Integer> play(int secret) {
    var guesses = new ArrayList<Integer>();
    try (Scheduler scheduler = Scheduler.create()) {
      scheduler.spawn(
          "game",
          () -> {
            Object guess = scheduler.received();
            while (guess instanceof Integer number && number != secret) {
              guess = scheduler.halt(number < secret ? "more" : "less");
            }
          });
      int low = 1;
      int high = 100;
      while (true) {
        int guess = (low + high) / 2;
        guesses.add(guess);
        Object answer = scheduler.run(guess);
        if ("more".equals(answer)) {
          low = guess + 1;
        } else if ("less".equals(answer)) {
          high = guess - 1;
        } else {
          return guesses;
        }
      }
    }
  }

  /// {@return the running sums of some numbers} One task adds, and a second task behind it turns
  /// each sum into text. Each step hands a value in and gets a product out.
  static List<Object> sums(List<Integer> numbers) {
    var products = new ArrayList<Object>();
    try (Scheduler scheduler = Scheduler.create()) {
      scheduler.spawn(
          "sum",
          () -> {
            int sum = 0;
            Object next = scheduler.received();
            while (next instanceof Integer number) {
              sum += number;
              next = scheduler.yield(sum);
            }
            scheduler.suspend("the sum is " + sum);
          });
      for (int each : numbers) {
        products.add(scheduler.step(each));
      }
      products.add(scheduler.step("end"));
    }
    return products;
  }
}
