package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Mutex;
import java.time.Duration;
import java.util.List;

/// Prints a dump of all tasks: a clerk has a lock, and a customer waits for it.
final class Watched {

  private Watched() {}

  static void main() {
    Application.run(app -> {
      IO.println(dumpOfABank(app));
      app.stop();
    });
  }

  static String dumpOfABank(Application app) {
    var account = new Mutex(app.scheduler(), "account");
    for (String name : List.of("clerk", "customer")) {
      app.spawn(
          name,
          () -> {
            try (var _ = account.lock()) {
              app.sleep(Duration.ofHours(1));
            }
          });
    }
    app.sleep(Duration.ofMillis(10));
    return app.dump();
  }
}
