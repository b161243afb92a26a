package dev.rondo.examples;

import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.scheduler.Scheduler;

/// Finds the order of two tasks in which a deposit is lost, and repeats it.
final class LostUpdate {

  private LostUpdate() {}

  static void main() {
    Exploration found = new Explorer(Strategy.uniform(7)).explore(LostUpdate::deposits);
    IO.println(found);
    String replay = found.shrunk().orElseThrow().print();
    IO.println("replay: " + replay);

    Strategy again = Strategy.replay(ChoiceSequence.parse(replay));
    IO.println(new Explorer(again).explore(LostUpdate::deposits).failure().orElseThrow());
  }

  /// One run: two tasks pay 1 each into an account, and one of them may yield halfway.
  static void deposits(Choices choices) {
    var balance = new int[1];
    try (Scheduler scheduler = Scheduler.builder().policy(choices::policy).build()) {
      for (int i = 0; i < 2; i++) {
        scheduler.spawn(() -> {
          int before = balance[0];
          if (choices.nextBoolean()) {
            scheduler.yield();
          }
          balance[0] = before + 1;
        });
      }
      scheduler.start();
    }
    if (balance[0] != 2) {
      throw new AssertionError("the balance is " + balance[0] + " and not 2");
    }
  }
}
