package dev.rondo.examples;

import com.formdev.flatlaf.FlatDarkLaf;
import dev.rondo.application.Application;
import dev.rondo.examples.window.MultiTaskWindow;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.ui.Swing;
import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;
import javax.swing.JDialog;
import javax.swing.JFrame;
import javax.swing.JOptionPane;
import javax.swing.JProgressBar;

/// A window in which a dozen tasks are at work, all of them on Swing's own thread. They use the
/// widgets directly and wait in straight-line code, without `invokeLater`, `SwingWorker`, or a
/// lock. A modal dialog asks a question, and all tasks continue while it is open.
///
/// It runs until its window is closed, or with `-Ddemo=8` for eight seconds.
final class MultiTaskUi {

  private static final Duration FRAME = Duration.ofMillis(16);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int BALLS = 12;
  private static final int DOWNLOADS = 4;
  private static final int LONGEST_LINE_BYTES = 80;

  /// The run time without a user; zero if there is a user.
  private static final Duration DEMO = Duration.ofSeconds(Integer.getInteger("demo", 0));

  private MultiTaskUi() {}

  static void main() {
    if (GraphicsEnvironment.isHeadless()) {
      IO.println("no display: try xvfb-run, or set DISPLAY");
      return;
    }
    FlatDarkLaf.setup();
    JFrame.setDefaultLookAndFeelDecorated(true);
    JDialog.setDefaultLookAndFeelDecorated(true);
    Swing.host().run(MultiTaskUi::program); // until the window is closed
    IO.println("the window is closed, all tasks have ended");
  }

  private static void program(Application app) {
    var window = new MultiTaskWindow(DOWNLOADS, BALLS);
    app.spawn("clock", () -> showTime(app, window));
    app.spawn("primes", () -> countPrimes(app, window));
    app.spawn("echo", () -> echo(app, window));
    app.spawn("questions", () -> ask(app, window));
    for (JProgressBar bar : window.downloads()) {
      app.spawn("download", () -> download(app, window, bar));
    }
    for (int i = 0; i < BALLS; i++) {
      int ball = i;
      app.spawn("ball " + i, () -> bounce(app, window, ball));
    }
    if (DEMO.isPositive()) {
      app.delay(DEMO.dividedBy(4), window::pressAsk);
      app.delay(DEMO, window::close);
    }
    app.await(Swing.closing(window.frame()));
    window.frame().dispose();
    app.stop(); // cancels the others, which run their `finally` blocks
  }

  private static void showTime(Application app, MultiTaskWindow window) {
    while (true) {
      window.time(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
      app.sleep(Duration.ofMillis(100));
    }
  }

  /// Computes without a pause, but yields now and then, so that the window stays responsive.
  private static void countPrimes(Application app, MultiTaskWindow window) {
    int primes = 0;
    for (int number = 2; ; number++) {
      if (isPrime(number)) {
        primes++;
      }
      if (number % 100 == 0) {
        window.primes(primes, number);
        app.yield();
      }
    }
  }

  private static boolean isPrime(int number) {
    for (int divisor = 2; divisor * divisor <= number; divisor++) {
      if (number % divisor == 0) {
        return false;
      }
    }
    return true;
  }

  private static void download(Application app, MultiTaskWindow window, JProgressBar bar) {
    var random = RandomGenerator.getDefault();
    while (true) {
      bar.setValue(0);
      while (bar.getValue() < bar.getMaximum()) {
        app.sleep(Duration.ofMillis(random.nextInt(10, 120))); // as from a distant server
        bar.setValue(bar.getValue() + random.nextInt(1, 4));
      }
      window.log(bar.getName() + " is here");
      app.sleep(Duration.ofSeconds(1));
    }
  }

  private static void bounce(Application app, MultiTaskWindow window, int ball) {
    while (true) {
      window.move(ball);
      app.sleep(FRAME);
    }
  }

  /// A server and its client: real sockets on the UI thread, which never blocks.
  private static void echo(Application app, MultiTaskWindow window) throws IOException {
    try (TcpListener listener = app.listen(0)) {
      app.spawn(
          "echo server",
          () -> {
            try (TcpSocket peer = listener.accept()) {
              peer.input().transferTo(peer.output());
            }
          });
      try (TcpSocket socket = app.connect("127.0.0.1", listener.port())) {
        while (true) {
          long begin = System.nanoTime();
          socket.write("hello\n");
          var _ = socket.readLine(LONGEST_LINE_BYTES, StandardCharsets.UTF_8);
          window.roundTrip(Duration.ofNanos(System.nanoTime() - begin));
          app.sleep(Duration.ofMillis(40));
        }
      }
    }
  }

  /// Waits for a modal dialog, with a time limit.
  private static void ask(Application app, MultiTaskWindow window) {
    Duration patience = DEMO.isPositive() ? DEMO.dividedBy(3) : PATIENCE;
    while (true) {
      app.await(Swing.click(window.ask()));
      var pane =
          new JOptionPane(
              "Do the others go on?", JOptionPane.QUESTION_MESSAGE, JOptionPane.YES_NO_OPTION);
      JDialog dialog = pane.createDialog(window.frame(), "A question");
      window.place(dialog);
      try {
        app.await(Swing.dialog(dialog), patience);
        boolean yes = Integer.valueOf(JOptionPane.YES_OPTION).equals(pane.getValue());
        answered(window, yes ? "yes" : "no");
      } catch (TimedOutException e) {
        answered(window, "no answer"); // and the dialog has gone
      } finally {
        dialog.dispose();
      }
    }
  }

  private static void answered(MultiTaskWindow window, String answer) {
    window.log("the question: " + answer);
    IO.println("the question: " + answer);
  }
}
