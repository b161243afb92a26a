package dev.rondo.benchmarks.load;

import dev.rondo.application.Application;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.ui.Swing;
import java.awt.Color;
import java.awt.EventQueue;
import java.awt.Graphics;
import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import javax.swing.JComponent;
import javax.swing.JFrame;

/// A window that is painted sixty times a second while tasks keep its thread busy: the lateness of
/// frames, from the tick of a clock on another thread to the end of painting. A frame that is later
/// than a period is dropped. On a busy machine the lateness means little. So the program also
/// measures the processor time of the UI thread between tick and painting, which is the delay by
/// tasks. Needs a display, for instance by `xvfb-run`.
public final class UiFrames {

  private static final long PERIOD_NANOS = 16_666_667;
  private static final int WARM_UP_FRAMES = 180;
  private static final int FRAMES = 1_200;
  private static final int COMPUTING = 200;
  private static final int SLEEPING = 1_000;
  private static final long TURN_NANOS = 50_000;

  /// A bar that moves with each frame.
  private static final class Picture extends JComponent {
    private int frame;

    @Override
    protected void paintComponent(Graphics graphics) {
      graphics.setColor(Color.BLUE);
      graphics.fillRect(frame++ * 5 % getWidth(), 0, 50, getHeight());
    }
  }

  /// The frames of one run.
  private static final class Frames {

    private final Picture picture = new Picture();
    private final JFrame window = new JFrame("frames");
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long uiThread = Thread.currentThread().threadId();
    private final long[] busyNanos = new long[WARM_UP_FRAMES + FRAMES];
    private final long[] lateNanos = new long[WARM_UP_FRAMES + FRAMES];
    private int count;
    private long paintedNanos;
    private long longestGapNanos;

    void show() {
      window.add(picture);
      window.setSize(600, 400);
      window.setVisible(true);
    }

    /// The clock of the screen.
    void tick() {
      long due = System.nanoTime();
      for (int i = 0; i < lateNanos.length; i++) {
        due += PERIOD_NANOS;
        while (System.nanoTime() - due < 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        long at = System.nanoTime();
        long cpu = threads.getThreadCpuTime(uiThread);
        EventQueue.invokeLater(() -> paint(at, cpu));
      }
    }

    private void paint(long due, long cpu) {
      picture.paintImmediately(picture.getVisibleRect());
      long now = System.nanoTime();
      busyNanos[count] = threads.getCurrentThreadCpuTime() - cpu;
      lateNanos[count++] = now - due;
      if (count > WARM_UP_FRAMES) {
        longestGapNanos = Math.max(longestGapNanos, now - paintedNanos);
      }
      paintedNanos = now;
    }

    void report(String load, long turns) {
      long dropped =
          Arrays.stream(lateNanos).skip(WARM_UP_FRAMES).filter(late -> late > PERIOD_NANOS).count();
      Sample.print("ui", load, "rondo", "frames dropped of " + FRAMES, (double) dropped);
      Sample.print("ui", load, "rondo", "longest gap, ms", longestGapNanos / 1e6);
      System.out.printf(
          Locale.ROOT,
          "%s: %d frames, late by %s; UI thread busy for %s; longest gap %.1f ms; %d dropped;"
              + " %,d turns/s%n",
          load,
          count - WARM_UP_FRAMES,
          describe(lateNanos),
          describe(busyNanos),
          longestGapNanos / 1e6,
          dropped,
          turns * 1_000_000_000 / (lateNanos.length * PERIOD_NANOS));
    }

    private String describe(long[] nanos) {
      long[] measured = Arrays.copyOfRange(nanos, WARM_UP_FRAMES, count);
      Arrays.sort(measured);
      return "%.2f ms (median), %.2f (99 %%), %.2f (most)"
          .formatted(
              measured[measured.length / 2] / 1e6,
              measured[measured.length * 99 / 100] / 1e6,
              measured[measured.length - 1] / 1e6);
    }
  }

  private long turns;

  private UiFrames() {}

  static void main() {
    if (GraphicsEnvironment.isHeadless()) {
      Sample.skip("no display: run it under xvfb-run");
      return;
    }
    run("no tasks", UiFrames::nothing);
    run("1 task that computes", (self, app) -> self.compute(app, 1));
    run(COMPUTING + " compute, " + SLEEPING + " sleep, one echoes", UiFrames::everything);
    System.exit(0);
  }

  /// The work that goes on while frames are painted.
  @FunctionalInterface
  private interface Load {
    void begin(UiFrames self, Application app) throws Exception;
  }

  private static void run(String name, Load load) {
    Swing.host()
        .run(app -> {
          var self = new UiFrames();
          var frames = new Frames();
          frames.show();
          load.begin(self, app);
          app.blocking(() -> {
            frames.tick();
            return null;
          });
          frames.report(name, self.turns);
          frames.window.dispose();
          app.stop();
        });
  }

  private void nothing(Application app) {}

  private void everything(Application app) throws IOException {
    compute(app, COMPUTING);
    for (int i = 0; i < SLEEPING; i++) {
      Duration pause = Duration.ofMillis(1 + i % 20);
      app.spawn(
          "sleeper",
          () -> {
            while (true) {
              app.sleep(pause);
              turns++;
            }
          });
    }
    TcpListener listener = app.listen(0);
    app.spawn(
        "server",
        () -> {
          try (TcpSocket peer = listener.accept()) {
            peer.input().transferTo(peer.output());
          }
        });
    app.spawn(
        "client",
        () -> {
          try (TcpSocket socket = app.connect("127.0.0.1", listener.port())) {
            while (true) {
              socket.output().write('x');
              var _ = socket.input().read();
              turns++;
            }
          }
        });
  }

  private void compute(Application app, int tasks) {
    for (int i = 0; i < tasks; i++) {
      app.spawn(
          "computer",
          () -> {
            while (true) {
              long end = System.nanoTime() + TURN_NANOS;
              while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
              }
              turns++;
              app.yield();
            }
          });
    }
  }
}
