package dev.rondo.examples.classic;

import dev.rondo.application.Application;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.channel.Receiver;
import dev.rondo.scheduler.Select;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/// The Santa Claus problem (J. A. Trono, *A new exercise in concurrency*, 1994): Santa sleeps until
/// all nine reindeer are back from their holidays, and delivers toys with them, or until three of
/// his ten elves need help at the same time. If both groups wait, the reindeer go first.
public final class SantaClaus {

  private static final int REINDEER = 9;
  private static final int ELVES = 10;
  private static final int ELVES_AT_A_TIME = 3;

  /// An elf or reindeer at the door, and the channel that dismisses it.
  private record Visitor(String name, Channel<Boolean> goodbye) {}

  private final Application app;
  private final Random random;
  private final Consumer<String> told;
  private final Channel<Visitor> stable;
  private final Channel<Visitor> door;
  private int deliveries;

  SantaClaus(Application app, long seed, Consumer<String> told) {
    this.app = app;
    this.random = new Random(seed);
    this.told = told;
    this.stable = Channel.<Visitor>unbounded(app.scheduler()).named("stable");
    this.door = Channel.<Visitor>unbounded(app.scheduler()).named("door");
  }

  static void main() {
    Application.run(app -> new SantaClaus(app, Long.getLong("seed", 1994), IO::println).run(3));
  }

  /// Runs until the toys of some years are delivered.
  ///
  /// @param christmases the number of years
  void run(int christmases) throws Exception {
    for (int i = 0; i < REINDEER; i++) {
      String name = "reindeer " + i;
      app.spawn(name, () -> visit(stable, name));
    }
    for (int i = 0; i < ELVES; i++) {
      String name = "elf " + i;
      app.spawn(name, () -> visit(door, name));
    }
    Receiver<List<Visitor>> teams = stable.batch(REINDEER);
    Receiver<List<Visitor>> groups = door.batch(ELVES_AT_A_TIME);
    Select next =
        Select.biased().on(teams.receiving(), this::deliver).on(groups.receiving(), this::help);
    while (deliveries < christmases) {
      next.run();
    }
    app.stop(); // otherwise the visitors would run for ever
  }

  private void deliver(List<Visitor> team) {
    deliveries++;
    told.accept("delivering toys with " + team.size() + " reindeer");
    dismiss(team);
  }

  private void help(List<Visitor> group) {
    told.accept("helping " + String.join(", ", group.stream().map(Visitor::name).toList()));
    dismiss(group);
  }

  private void dismiss(List<Visitor> visitors) {
    app.sleep(Duration.ofMillis(100));
    visitors.forEach(each -> each.goodbye.send(true));
  }

  private void visit(Channel<Visitor> entrance, String name) {
    Channel<Boolean> goodbye =
        Channel.<Boolean>rendezvous(app.scheduler()).named("goodbye of " + name);
    while (true) {
      app.sleep(Duration.ofMillis(random.nextInt(1_000))); // a holiday, or work
      entrance.send(new Visitor(name, goodbye));
      goodbye.receive();
    }
  }
}
