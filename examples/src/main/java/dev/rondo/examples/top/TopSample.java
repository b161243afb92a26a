package dev.rondo.examples.top;

import dev.rondo.application.Application;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.io.TcpListener;
import dev.rondo.observe.Observers;
import dev.rondo.scheduler.SchedulerBuilder;
import java.time.Duration;

/// A program to look at with `Top`: some of its tasks run, the others wait, each for something
/// different. Ends after a minute.
public final class TopSample {

  private TopSample() {}

  static void main() {
    Application.builder().scheduler(TopSample::instrument).run(TopSample::begin);
  }

  private static void instrument(SchedulerBuilder builder) {
    builder.instrument(new Observers().management("sample").taskMetrics());
  }

  static void begin(Application app) throws Exception {
    app.delay(Duration.ofMinutes(1), app::stop);
    var orders = Channel.<Integer>bounded(app.scheduler(), 4).named("orders");
    var oven = new Mutex(app.scheduler(), "oven");
    TcpListener listener = app.listen(0);
    app.spawn("door", () -> listener.accept().close());
    app.spawn(
        "cashier",
        () -> {
          for (int order = 1; ; order++) {
            orders.send(order);
          }
        });
    for (String cook : new String[] {"ann", "bob"}) {
      app.spawn(
          "cook " + cook,
          () -> {
            for (int _ : orders) {
              try (var _ = oven.lock()) {
                app.sleep(Duration.ofMillis(80));
              }
            }
          });
    }
    app.spawn(
        "books",
        () -> {
          for (long n = 0; ; n++) {
            if (n % 10_000_000 == 0) {
              app.sleep(Duration.ofMillis(2));
            }
          }
        });
    app.spawn("guest", () -> app.waitForSignal("table free"));
    app.periodic(Duration.ofMillis(100), () -> Thread.onSpinWait());
    IO.println("ready");
  }
}
