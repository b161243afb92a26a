package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.junit.RondoTest;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Programs that the documentation shows and no example has.
final class DocsProgramsTest {

  @RondoTest
  void reminder_afterAnHour_rings(Application app) {
    var rings = new ArrayList<Duration>();
    app.delay(Duration.ofHours(1), () -> rings.add(app.runningTime()));
    app.sleep(Duration.ofHours(2)); // takes no time
    assertEquals(List.of(Duration.ofHours(1)), rings);
  }

  @RondoTest(schedules = 20)
  void account_withAMutex_losesNoDeposit(Application app) throws Exception {
    var mutex = new Mutex(app.scheduler(), "account");
    var balance = new int[1];
    var deposits = app.<Void>newGroup("deposits");
    deposits.run(() -> {
      for (int i = 0; i < 10; i++) {
        deposits.spawn(() -> {
          try (var _ = mutex.lock()) {
            int before = balance[0];
            app.yield(); // without the lock a deposit made meanwhile would be lost
            balance[0] = before + 1;
          }
        });
      }
    });
    assertEquals(10, balance[0]);
  }

  @Test
  void deposits_explored_loseOneEachTime() {
    Exploration found = new Explorer(Strategy.uniform(7)).explore(LostUpdate::deposits);
    String replay = found.shrunk().orElseThrow().print();
    Strategy again = Strategy.replay(ChoiceSequence.parse(replay));
    Exploration repeated = new Explorer(again).explore(LostUpdate::deposits);
    assertEquals(found.shrunk(), repeated.shrunk());
    assertEquals("the balance is 1 and not 2", repeated.failure().orElseThrow().getMessage());
  }

  @Test
  void dumpOfABank_saysWhichTaskHasTheLock() {
    Application.builder()
        .clock(new VirtualClock())
        .run(app -> {
          String dump = Watched.dumpOfABank(app);
          assertTrue(
              dump.contains("'customer' WAITING for mutex 'account', held by 'clerk'"), dump);
          app.stop();
        });
  }

  private final List<String> urls = List.of("/a", "/b", "/c");

  @RondoTest
  void pages_fetchedInAGroup_takeAsLongAsTheSlowest(Application app) throws Exception {
    List<String> pages =
        app.within(
            Duration.ofSeconds(2),
            () -> {
              var group = app.<String>newGroup("pages");
              group.run(() -> urls.forEach(url -> group.spawn(url, () -> fetch(app, url))));
              return group.results();
            });
    assertEquals(List.of("page /a", "page /b", "page /c"), pages);
    assertEquals(Duration.ofSeconds(1), app.runningTime());
  }

  private static String fetch(Application app, String url) {
    app.sleep(Duration.ofSeconds(1));
    return "page " + url;
  }

  @RondoTest
  void orders_untilNoneComesForAWhile_areShipped(Application app) throws Exception {
    var shipped = new ArrayList<String>();
    Channel<String> orders = Channel.bounded(app.scheduler(), 16);
    app.delay(Duration.ofSeconds(1), () -> orders.send("tea"));
    app.delay(Duration.ofSeconds(4), () -> orders.send("milk"));
    var quiet = new boolean[1];
    var next =
        Select.biased()
            .on(orders.receiving(), order -> shipped.add(order))
            .after(Duration.ofSeconds(5), () -> quiet[0] = true);
    while (!quiet[0]) {
      next.run();
    }
    assertEquals(List.of("tea", "milk"), shipped);
    assertEquals(Duration.ofSeconds(9), app.runningTime());
  }

  @Test
  void scheduler_drivenByHand_givesOneTurnPerStep() {
    try (var scheduler = Scheduler.create()) {
      Task<String> greeter = scheduler.spawn("greeter", () -> "hello, " + scheduler.suspend());
      scheduler.step(); // its first turn, up to suspend()
      scheduler.scheduleTask(greeter, "world"); // what suspend() returns
      scheduler.step();
      assertEquals("hello, world", greeter.join());
    }
  }
}
