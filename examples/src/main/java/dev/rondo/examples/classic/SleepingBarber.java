package dev.rondo.examples.classic;

import dev.rondo.application.Application;
import dev.rondo.condition.QueuedSignal;
import dev.rondo.condition.sync.Promise;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.scheduler.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.Consumer;

/// A barber sleeps until a customer rings. There are a few chairs for waiting customers, and
/// customers leave if all chairs are taken (E. W. Dijkstra, EWD123, 1965). The bell is a signal
/// that is queued while the barber is busy, a chair is a permit, and a haircut is a promise.
public final class SleepingBarber {

  private static final Duration HAIRCUT = Duration.ofMillis(30);
  private static final Duration BETWEEN_CUSTOMERS = Duration.ofMillis(10);
  private static final int CUSTOMERS = 9;
  private static final int CHAIRS = 3;

  private final Application app;
  private final Consumer<String> log;
  private final Semaphore chairs;
  private final QueuedSignal<Promise<String>> bell;

  private SleepingBarber(Application app, Consumer<String> log) {
    this.app = app;
    this.log = log;
    chairs = new Semaphore(app.scheduler(), "chairs", CHAIRS);
    bell = new QueuedSignal<>(app.scheduler(), "bell");
  }

  static void main() {
    Application.run(app -> openShop(app, IO::println));
  }

  /// Runs the shop for a day: each customer is served or leaves.
  static void openShop(Application app, Consumer<String> log) {
    var shop = new SleepingBarber(app, log);
    Task<Void> barber = app.spawn("barber", shop::work);
    var customers = new ArrayList<Task<Void>>();
    for (int i = 1; i <= CUSTOMERS; i++) {
      String name = "customer " + i;
      customers.add(app.spawn(name, () -> shop.visit(name)));
      app.sleep(BETWEEN_CUSTOMERS);
    }
    customers.forEach(Task::join);
    barber.cancel("the shop closes");
  }

  private void work() {
    while (true) {
      Promise<String> next = app.await(bell); // sleeps until the bell rings
      app.sleep(HAIRCUT);
      next.fulfill("short");
    }
  }

  private void visit(String name) {
    try (var chair = chairs.tryAcquire(1)) {
      if (chair == null) {
        log.accept(name + " finds no chair");
        return;
      }
      var haircut = new Promise<String>(app.scheduler(), "haircut of " + name);
      bell.signalOne(haircut);
      log.accept(name + " has it " + haircut.claim());
    }
  }
}
