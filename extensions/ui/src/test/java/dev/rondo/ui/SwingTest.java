package dev.rondo.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.VirtualDisplay;
import java.awt.Canvas;
import java.awt.EventQueue;
import java.awt.Graphics;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.event.InputEvent;
import java.awt.event.PaintEvent;
import java.awt.event.WindowEvent;
import java.time.Duration;
import java.util.List;
import javax.swing.JButton;
import javax.swing.JDialog;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JOptionPane;
import javax.swing.WindowConstants;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of Swing in real windows on a virtual display, in child JVMs, which have to end by
/// themselves.
class SwingTest {

  /// The programs of the child JVMs.
  static final class Program {

    private static final Duration SOON = Duration.ofMillis(20);

    private Program() {}

    public static void main(String[] args) {
      switch (args[0]) {
        case "click" -> Swing.host().run(Program::click);
        case "dialog" -> Swing.host().run(Program::dialog);
        case "timeout" -> Swing.host().run(Program::timeout);
        case "close" -> Swing.host().run(Program::close);
        case "failure" ->
            assertThrows(
                IllegalStateException.class,
                () ->
                    Swing.host()
                        .run(app -> {
                          JFrame frame = frame(new JLabel("hello"));
                          try {
                            throw new IllegalStateException("boom");
                          } finally {
                            frame.dispose();
                            say("cleaned");
                          }
                        }));
        case "windowless" -> Swing.host().run(Program::windowless);
        case "paint" -> Swing.host().run(Program::paint);
        case "onUiThread" -> EventQueue.invokeLater(Program::onUiThread);
        default -> throw new IllegalArgumentException(args[0]);
      }
    }

    private static void say(Object word) {
      System.out.print(word + " ");
      System.out.flush();
    }

    private static JFrame frame(java.awt.Component content) {
      assertTrue(EventQueue.isDispatchThread());
      JFrame frame = new JFrame("test");
      frame.setDefaultCloseOperation(WindowConstants.DO_NOTHING_ON_CLOSE);
      frame.add(content);
      frame.setSize(300, 200);
      frame.setVisible(true);
      return frame;
    }

    /// A click of the X server's mouse.
    private static void click(Application app) throws Exception {
      JButton button = new JButton("press");
      JFrame frame = frame(button);
      app.spawn(
          "user",
          () -> {
            while (!button.isShowing()) {
              app.sleep(SOON);
            }
            Point corner = button.getLocationOnScreen();
            app.blocking(() -> {
              var robot = new Robot();
              robot.mouseMove(corner.x + 50, corner.y + 50);
              robot.mousePress(InputEvent.BUTTON1_DOWN_MASK);
              robot.mouseRelease(InputEvent.BUTTON1_DOWN_MASK);
              return null;
            });
          });
      say(app.await(Swing.click(button), Duration.ofSeconds(20)).getActionCommand());
      assertTrue(EventQueue.isDispatchThread());
      say(button.getActionListeners().length);
      frame.dispose();
    }

    private static void dialog(Application app) {
      JFrame frame = frame(new JLabel("below"));
      var pane = new JOptionPane("Sure?", JOptionPane.QUESTION_MESSAGE, JOptionPane.YES_NO_OPTION);
      JDialog dialog = pane.createDialog(frame, "Question");
      app.spawn(
          "others go on",
          () -> {
            while (!dialog.isShowing()) {
              app.sleep(SOON);
            }
            for (int i = 0; i < 5; i++) {
              app.sleep(SOON);
            }
            say("showing=" + dialog.isShowing());
            pane.setValue(JOptionPane.YES_OPTION);
          });
      app.await(Swing.dialog(dialog));
      say("answer=" + pane.getValue());
      dialog.dispose();
      frame.dispose();
    }

    private static void timeout(Application app) {
      JFrame frame = frame(new JLabel("below"));
      JDialog dialog = new JOptionPane("Sure?").createDialog(frame, "Question");
      assertThrows(
          TimedOutException.class, () -> app.await(Swing.dialog(dialog), Duration.ofMillis(200)));
      while (dialog.isShowing()) {
        app.sleep(SOON);
      }
      say("closed");
      dialog.dispose();
      frame.dispose();
    }

    private static void close(Application app) {
      JFrame frame = frame(new JLabel("close me"));
      app.spawn(
          "forever",
          () -> {
            try {
              app.sleep(Duration.ofDays(1));
            } finally {
              say("cleaned");
            }
          });
      app.delay(
          SOON, () -> frame.dispatchEvent(new WindowEvent(frame, WindowEvent.WINDOW_CLOSING)));
      app.await(Swing.closing(frame));
      say("closing");
      frame.dispose();
      var _ = app.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    /// AWT ends its thread after a second without windows and events.
    private static void windowless(Application app) {
      Thread before = Thread.currentThread();
      app.sleep(Duration.ofMillis(2_500));
      say(before == Thread.currentThread() ? "same" : "another");
      say(EventQueue.isDispatchThread());
    }

    /// Painting requested by the window system happens, however busy the tasks are.
    private static void paint(Application app) {
      int[] paints = {0};
      var canvas =
          new Canvas() {
            @Override
            public void paint(Graphics graphics) {
              paints[0]++;
            }
          };
      JFrame frame = frame(canvas);
      var busy =
          app.spawn(
              "busy",
              () -> {
                while (true) {
                  app.yield();
                }
              });
      app.sleep(Duration.ofMillis(500));
      int before = paints[0];
      canvas
          .getToolkit()
          .getSystemEventQueue()
          .postEvent(new PaintEvent(canvas, PaintEvent.PAINT, new Rectangle(10, 10)));
      long deadline = System.nanoTime() + 10_000_000_000L;
      while (paints[0] == before && System.nanoTime() < deadline) {
        app.yield();
      }
      say(paints[0] > before ? "painted" : "starved");
      busy.cancel("enough");
      frame.dispose();
    }

    private static void onUiThread() {
      var _ =
          Swing.host()
              .start(app -> app.exit(3))
              .thenAccept(code -> say(code + " " + EventQueue.isDispatchThread()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "click, press 0",
    "dialog, showing=true answer=0",
    "timeout, closed",
    "close, closing cleaned",
    "failure, cleaned",
    "windowless, same true",
    "paint, painted",
    "onUiThread, 3 true",
  })
  void program_inAWindow_doesItsWorkAndEnds(String program, String expected) throws Exception {
    try (var display = VirtualDisplay.open()) {
      assertEquals(expected, display.run(ChildJvm.command(Program.class, List.of(), program)));
    }
  }
}
