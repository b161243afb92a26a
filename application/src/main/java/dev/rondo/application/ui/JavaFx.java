package dev.rondo.application.ui;

import dev.rondo.scheduler.Waitable;
import javafx.application.Platform;
import javafx.event.Event;
import javafx.event.EventHandler;
import javafx.event.EventTarget;
import javafx.event.EventType;

/// Applications in JavaFX's application thread, and what they wait for there. Whoever uses it needs
/// `org.openjfx:javafx-graphics`, version 26 or later for a run without a display. A modal dialog
/// is `UiHost.dialog(alert::showAndWait, alert::close)`.
@SuppressWarnings("exports") // JavaFX is optional: who uses this requires it
public final class JavaFx {

  private static final String EXITED = "Platform.exit";

  private JavaFx() {}

  /// {@return a host on the JavaFX application thread; the toolkit is started if it is not yet}
  /// When the application ends and no window is left, JavaFX ends with it, as it does when the last
  /// window closes, unless its implicit exit is off.
  ///
  /// @throws IllegalStateException if JavaFX has ended in this JVM: it cannot begin again
  public static UiHost host() {
    try {
      Platform.startup(() -> {});
    } catch (IllegalStateException e) {
      if (String.valueOf(e.getMessage()).contains(EXITED)) {
        throw new IllegalStateException(
            "JavaFX has ended in this JVM, and cannot begin again: run all before, with"
                + " Platform.setImplicitExit(false)",
            e);
      }
      // else it runs already
    }
    return UiHost.on(new JavaFxEventLoop());
  }

  /// {@return the next event of a type at a node, window or whatever takes handlers}
  ///
  /// @param <E> the events' class
  /// @param target where: `button`
  /// @param type which: `ActionEvent.ACTION`
  public static <E extends Event> Waitable<E> event(EventTarget target, EventType<E> type) {
    return new UiEvent<>(
        type + " of " + target,
        listener -> {
          EventHandler<E> own = listener::accept;
          target.addEventHandler(type, own);
          return () -> target.removeEventHandler(type, own);
        });
  }
}
