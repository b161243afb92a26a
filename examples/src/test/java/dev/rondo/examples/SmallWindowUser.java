package dev.rondo.examples;

import dev.rondo.ui.Swing;
import java.awt.Container;
import java.awt.Frame;
import java.awt.event.WindowEvent;
import java.util.Optional;
import java.util.stream.Stream;
import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JLabel;

/// A user of [SmallWindow]: clicks, waits for the result, and closes the window.
final class SmallWindowUser {

  private SmallWindowUser() {}

  static void main() {
    Swing.host()
        .run(app -> {
          app.spawn(
              "user",
              () -> {
                JFrame window = app.await(app.conditions().condition(SmallWindowUser::window));
                Container content = window.getContentPane();
                var clock = (JLabel) content.getComponent(0);
                var button = (JButton) content.getComponent(1);
                app.waitFor(() -> button.getActionListeners().length == 1); // it is awaited
                button.doClick(0);
                app.waitFor(() -> button.getText().equals("counting"));
                String before = clock.getText();
                app.waitFor(() -> !clock.getText().equals(before));
                IO.println("the clock goes on while it is " + button.getText());
                app.waitFor(() -> button.getText().endsWith("primes"));
                IO.println(button.getText());
                window.dispatchEvent(new WindowEvent(window, WindowEvent.WINDOW_CLOSING));
              });
          SmallWindow.program(app);
        });
    IO.println("closed");
  }

  private static Optional<JFrame> window() {
    return Stream.of(Frame.getFrames())
        .filter(JFrame.class::isInstance)
        .map(JFrame.class::cast)
        .filter(Frame::isVisible)
        .findFirst();
  }
}
