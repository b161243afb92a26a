package dev.rondo.ui;

/// The event loop of a user interface, for use by [UiHost]: for instance of SWT, Android, or a
/// game.
public interface EventLoop {

  /// Queues an event for the UI thread. It must run exactly once, and not within this call. Nested
  /// event loops, such as those of modal dialogs, must run it too. It should run after the
  /// toolkit's own events for input and painting. Any thread.
  ///
  /// @param event throws nothing
  /// @throws RuntimeException if the event loop takes no more events; the application is abandoned
  void post(Runnable event);

  /// {@return whether the calling thread is the UI thread} Any thread.
  boolean isUiThread();

  /// Keeps the event loop running on the same thread until [#release()], with or without windows:
  /// an application starts. On the UI thread. The default does nothing.
  default void hold() {}

  /// Ends the effect of [#hold()]: the application has ended. On the UI thread. The default does
  /// nothing.
  default void release() {}
}
