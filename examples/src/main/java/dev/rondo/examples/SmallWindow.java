package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.ui.Swing;
import java.awt.FlowLayout;
import java.time.Duration;
import java.util.stream.IntStream;
import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.WindowConstants;

/// A small window that stays responsive: a click counts primes on another thread, and a clock goes
/// on meanwhile. Runs until the window is closed.
final class SmallWindow {

  private static final int LIMIT = 5_000_000;

  private SmallWindow() {}

  static void main() {
    Swing.host().run(SmallWindow::program);
  }

  static void program(Application app) {
    var clock = new JLabel();
    var button = new JButton("Count primes");
    var window = new JFrame("Rondo");
    window.setDefaultCloseOperation(WindowConstants.DO_NOTHING_ON_CLOSE);
    window.setLayout(new FlowLayout());
    window.add(clock);
    window.add(button);
    window.setSize(320, 90);
    window.setVisible(true);

    app.periodic(Duration.ofMillis(100), () -> clock.setText(app.runningTime().toMillis() + " ms"));
    app.spawn("primes", () -> countAtEachClick(app, button));
    app.await(Swing.closing(window));
    window.dispose();
    app.stop(); // cancels the two others
  }

  private static void countAtEachClick(Application app, JButton button) throws Exception {
    while (true) {
      app.await(Swing.click(button));
      button.setText("counting");
      long primes =
          app.blocking(() -> IntStream.range(2, LIMIT).filter(SmallWindow::isPrime).count());
      button.setText(primes + " primes");
    }
  }

  private static boolean isPrime(int number) {
    return IntStream.iterate(2, each -> (long) each * each <= number, each -> each + 1)
        .noneMatch(each -> number % each == 0);
  }
}
