package dev.rondo.ui;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.awt.Dialog;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.ActionListener;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.util.Objects;
import javax.swing.AbstractButton;
import org.jspecify.annotations.Nullable;

/// Runs applications on Swing's event dispatch thread, and waits for its events. Needs the module
/// `java.desktop` and a display.
public final class Swing {

  private Swing() {}

  /// {@return a host in AWT's event queue} Slices run after all other events in the queue, painting
  /// included; they starve if listeners keep the thread busy without a pause.
  public static UiHost host() {
    return UiHost.on(new SwingEventLoop());
  }

  /// {@return the next click of a button or menu item}
  ///
  /// @param button the button or menu item
  /// @throws IllegalStateException outside of an application
  public static Waitable<ActionEvent> click(AbstractButton button) {
    Objects.requireNonNull(button, "button is null");
    return new UiEvent<>(
        Scheduler.current(),
        "a click of '" + button.getText() + "'",
        listener -> {
          ActionListener own = listener::accept;
          button.addActionListener(own);
          return () -> button.removeActionListener(own);
        });
  }

  /// {@return the next attempt of the user to close a window} Set the frame's default close
  /// operation to `DO_NOTHING_ON_CLOSE`, or the window is gone when the waiting task continues.
  ///
  /// @param window the window
  /// @throws IllegalStateException outside of an application
  public static Waitable<WindowEvent> closing(Window window) {
    Objects.requireNonNull(window, "window is null");
    return new UiEvent<>(
        Scheduler.current(),
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

  /// {@return a modal dialog, shown while a task waits for it, see [UiHost#dialog]} For a
  /// `JOptionPane` pass its `createDialog(..)`; `getValue()` is the answer afterwards. When the
  /// wait is given up, the dialog is hidden but not disposed of.
  ///
  /// @param dialog a modal dialog
  /// @throws IllegalArgumentException if the dialog is not modal
  public static Waitable<@Nullable Void> dialog(Dialog dialog) {
    Objects.requireNonNull(dialog, "dialog is null");
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
