package dev.rondo.examples.classic;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Five philosophers share five forks, and each needs two (E. W. Dijkstra, EWD310, 1971). If each
/// takes the left fork first, all wait for ever, and the report draws the cycle. If one philosopher
/// takes the right fork first, all eat.
public final class DiningPhilosophers {

  private static final List<String> NAMES =
      List.of("Aristotle", "Buddha", "Confucius", "Diogenes", "Epicurus");
  private static final Duration PICKING_UP = Duration.ofMillis(10);
  private static final Duration EATING = Duration.ofMillis(50);

  /// The order in which a philosopher takes the forks.
  enum Manners {
    LEFT_FIRST,
    LOWER_FIRST
  }

  private final Application app;
  private final Consumer<String> log;
  private final List<Mutex> forks = new ArrayList<>();

  private DiningPhilosophers(Application app, Consumer<String> log) {
    this.app = app;
    this.log = log;
    for (int i = 0; i < NAMES.size(); i++) {
      forks.add(new Mutex(app.scheduler(), "fork " + i));
    }
  }

  static void main() {
    try {
      Application.run(app -> dine(app, Manners.LEFT_FIRST, IO::println));
    } catch (DeadlockException e) {
      IO.println(String.join(" -> ", e.cycle()));
      e.tasks().forEach(IO::println);
    }
    Application.run(app -> dine(app, Manners.LOWER_FIRST, IO::println));
  }

  /// Lets each philosopher eat once.
  ///
  /// @throws DeadlockException out of the application, if they wait for each other
  static void dine(Application app, Manners manners, Consumer<String> log) {
    var table = new DiningPhilosophers(app, log);
    var guests = new ArrayList<Task<Void>>();
    for (int i = 0; i < NAMES.size(); i++) {
      int seat = i;
      guests.add(app.spawn(NAMES.get(seat), () -> table.eat(seat, manners)));
    }
    guests.forEach(Task::join);
  }

  private void eat(int seat, Manners manners) {
    Mutex left = forks.get(seat);
    Mutex right = forks.get((seat + 1) % forks.size());
    boolean swap = manners == Manners.LOWER_FIRST && seat == forks.size() - 1;
    try (var _ = (swap ? right : left).lock()) {
      app.sleep(PICKING_UP);
      try (var _ = (swap ? left : right).lock()) {
        app.sleep(EATING);
        log.accept(NAMES.get(seat) + " has eaten");
      }
    }
  }
}
