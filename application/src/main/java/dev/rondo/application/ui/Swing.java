package dev.rondo.application.ui;

import dev.rondo.scheduler.Waitable;
import java.awt.Dialog;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.ActionListener;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import javax.swing.AbstractButton;
import org.jspecify.annotations.Nullable;

/// Applications in Swing's event dispatch thread, and what they wait for there. Whoever uses it
/// needs the module `java.desktop`, and a display: AWT's thread ends when there is no window.
public final class Swing {

  private Swing() {}

  /// {@return a host in AWT's event queue} Slices come behind whatever else is in there, painting
  /// included; so they starve if listeners keep the thread busy without a pause.
  public static UiHost host() {
    return UiHost.on(new SwingEventLoop());
  }

  /// {@return the next click of a button, or choice of a menu item}
  ///
  /// @param button what to click
  public static Waitable<ActionEvent> click(AbstractButton button) {
    return new UiEvent<>(
        "a click of '" + button.getText() + "'",
        listener -> {
          ActionListener own = listener::accept;
          button.addActionListener(own);
          return () -> button.removeActionListener(own);
        });
  }

  /// {@return the next attempt of the user to close a window} What happens then is up to who waits,
  /// and the frame's default close operation: `DO_NOTHING_ON_CLOSE`, or it is gone already.
  ///
  /// @param window what to close
  public static Waitable<WindowEvent> closing(Window window) {
    return new UiEvent<>(
        "the closing of '" + window.getName() + "'",
        listener -> {
          var own =
              new WindowAdapter() {
                @Override
                public void windowClosing(WindowEvent event) {
                  listener.accept(event);
                }
              };
          window.addWindowListener(own);
          return () -> window.removeWindowListener(own);
        });
  }

  /// {@return a modal dialog, shown while a task waits for it, see [UiHost#dialog]} Of a
  /// `JOptionPane` it is `createDialog(..)`, and `getValue()` the answer afterwards. It is hidden,
  /// not disposed of, when the wait is given up.
  ///
  /// @param dialog modal
  /// @throws IllegalArgumentException if it is not modal
  public static Waitable<@Nullable Void> dialog(Dialog dialog) {
    if (!dialog.isModal()) {
      throw new IllegalArgumentException(
          "dialog '" + dialog.getTitle() + "' is not modal: show it, and await Swing.closing(it)");
    }
    return UiHost.dialog(
        () -> {
          dialog.setVisible(true);
          return null;
        },
        () -> dialog.setVisible(false));
  }
}
