package dev.rondo.ui;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.util.Objects;
import javafx.application.Platform;
import javafx.event.Event;
import javafx.event.EventHandler;
import javafx.event.EventTarget;
import javafx.event.EventType;

/// Runs applications on the JavaFX application thread, and waits for its events. Needs
/// `org.openjfx:javafx-graphics`; version 26 or later runs without a display. A modal dialog is
/// `UiHost.dialog(alert::showAndWait, alert::close)`.
@SuppressWarnings("exports") // JavaFX is optional: a module that uses this class requires it
public final class JavaFx {

  private static final String EXITED = "Platform.exit";

  private JavaFx() {}

  /// {@return a host on the JavaFX application thread} Starts the toolkit if it is not running.
  /// When the application ends and no window is left, JavaFX exits, as it does when the last window
  /// closes. It does not exit if its implicit exit is off.
  ///
  /// @throws IllegalStateException if JavaFX has exited in this JVM: it cannot start again
  public static UiHost host() {
    try {
      Platform.startup(() -> {});
    } catch (IllegalStateException e) {
      if (String.valueOf(e.getMessage()).contains(EXITED)) {
        throw new IllegalStateException(
            "JavaFX has exited in this JVM and cannot start again: to run several applications,"
                + " call Platform.setImplicitExit(false) first",
            e);
      }
      // otherwise the toolkit is running already
    }
    return UiHost.on(new JavaFxEventLoop());
  }

  /// {@return the next event of a type at a node, a window, or another target}
  ///
  /// @param <E> the class of the events
  /// @param target the target, for instance a button
  /// @param type the type, for instance `ActionEvent.ACTION`
  /// @throws IllegalStateException outside of an application
  public static <E extends Event> Waitable<E> event(EventTarget target, EventType<E> type) {
    Objects.requireNonNull(target, "target is null");
    Objects.requireNonNull(type, "type is null");
    return new UiEvent<>(
        Scheduler.current(),
        type + " of " + target,
        listener -> {
          EventHandler<E> own = listener::accept;
          target.addEventHandler(type, own);
          return () -> target.removeEventHandler(type, own);
        });
  }
}
