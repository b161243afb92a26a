package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.application.testing.RondoTest;
import dev.rondo.condition.sync.Mutex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
}
