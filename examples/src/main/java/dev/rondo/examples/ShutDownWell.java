package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.condition.channel.Channel;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// An orderly end, `shutdown(drain, cleanUp)`. A task that awaits `shutdownRequested()` finishes
/// its work. When the drain time is over, every other task is cancelled where it waits, and cleans
/// up.
///
/// SIGTERM and Ctrl-C do the same, with the times of `ApplicationBuilder.shutdownLimits`.
final class ShutDownWell {

  private static final Duration DRAIN = Duration.ofSeconds(1);
  private static final Duration CLEAN_UP = Duration.ofSeconds(1);

  private final Application app;
  private final BiConsumer<String, String> out;
  private final Channel<Integer> orders;

  private ShutDownWell(Application app, BiConsumer<String, String> out) {
    this.app = app;
    this.out = out;
    this.orders = Channel.<Integer>bounded(app.scheduler(), 10).named("orders");
  }

  static void main() {
    Application.run(app -> {
      var transcript = new Transcript(app);
      run(app, (who, what) -> transcript.say(who, "%s", what));
    });
  }

  /// Starts some work, and then the shutdown.
  static void run(Application app, BiConsumer<String, String> out) {
    var work = new ShutDownWell(app, out);
    app.spawn("orders", work::takeOrders);
    app.spawn("cook", work::cook);
    app.spawn("guard", work::guard);
    app.sleep(Duration.ofMillis(250));
    out.accept("shutdown", "tasks may go on for " + DRAIN.toSeconds() + " s");
    var _ =
        app.shutdown(DRAIN, CLEAN_UP)
            .thenAccept(left -> out.accept("the end", left.size() + " tasks did not end"));
  }

  /// Takes no more orders when the shutdown has begun. The close of the channel ends the cook.
  private void takeOrders() {
    try (orders) {
      for (int order = 1; ; order++) {
        var first =
            app.<@Nullable Object>select(
                app.shutdownRequested(), app.time().after(Duration.ofMillis(100)));
        if (first.index() == 0) {
          out.accept("orders", "no more");
          return;
        }
        orders.send(order);
      }
    }
  }

  /// Does not await the shutdown: it ends when no order is left.
  private void cook() {
    for (int order : orders) {
      app.sleep(Duration.ofMillis(150));
      out.accept("cook", "order " + order + " is done");
    }
    out.accept("cook", "no order is left");
  }

  /// The guard would stay for ever, so it is cancelled. Its cleanup may suspend too.
  private void guard() throws Exception {
    try {
      app.sleep(Duration.ofDays(1));
    } finally {
      out.accept("guard", "cancelled, locks the door");
      app.scheduler()
          .shielded(() -> {
            app.sleep(Duration.ofMillis(100));
            return null;
          });
      out.accept("guard", "the door is locked");
    }
  }
}
