package com.acme;

import dev.rondo.application.Application;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.time.Duration;

/// Waits in two tasks at once, and says on which backend.
final class Hello {

  private Hello() {}

  static void main() {
    Application.run(app -> {
      app.spawn(() -> app.sleep(Duration.ofMillis(200))).join();
      IO.println("hello from " + CoroutineBackends.defaultBackend().name());
    });
  }
}
