package dev.rondo.examples;

import dev.rondo.application.Application;
import java.time.Duration;

/// Predicates and time, after William Adams' pumpkin (TINN, 2014). At midnight the coach becomes a
/// pumpkin. A task that waits for this does not know how it happens.
///
/// An evening takes three seconds; under a virtual clock it takes none.
final class Pumpkin {

  private static final int MIDNIGHT = 12;
  private static final Duration HOUR = Duration.ofMillis(500);

  private final Application app;
  private final Transcript transcript;
  private int hour = 6;
  private boolean pumpkin;
  private boolean home;

  private Pumpkin(Application app) {
    this.app = app;
    this.transcript = new Transcript(app);
  }

  static void main() {
    Application.run(app -> new Pumpkin(app).tell());
  }

  /// Tells the tale. Each sentence is a task or a condition; none calls another.
  static void tell(Application app) {
    new Pumpkin(app).tell();
  }

  private void tell() {
    var clock = app.periodic(HOUR, () -> transcript.say("periodic", "it is %d o'clock", ++hour));
    app.when(
        () -> hour == MIDNIGHT,
        () -> {
          transcript.say("when", "the coach becomes a pumpkin");
          pumpkin = true;
        });
    app.whenever(
        () -> hour >= MIDNIGHT - 1 && !home,
        () -> {
          transcript.say("whenever", "Cinderella thinks of the time");
          app.sleep(HOUR.dividedBy(2));
        });
    app.onSignal("slipper", () -> transcript.say("onSignal", "the prince finds a slipper"));
    app.spawn(
        "Cinderella",
        () -> {
          app.waitFor(() -> pumpkin);
          transcript.say("waitFor", "Cinderella runs");
          app.signalAll("slipper");
          app.sleep(HOUR);
          home = true;
        });
    app.waitFor(() -> home);
    transcript.say("waitFor", "Cinderella is at home");
    clock.cancel();
  }
}
