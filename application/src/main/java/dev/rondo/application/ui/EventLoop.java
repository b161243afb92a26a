package dev.rondo.application.ui;

/// The event loop of a user interface, as [UiHost] needs it: for SWT, Android, or a game.
public interface EventLoop {

  /// Has an event run on the UI thread: later, once, in nested event loops (those of modal dialogs)
  /// as well, and preferably behind the toolkit's own events for input and painting. Any thread.
  ///
  /// @param event throws nothing
  /// @throws RuntimeException if the event loop takes no more events: the application is given up
  void post(Runnable event);

  /// {@return whether the calling thread is the UI thread} Any thread.
  boolean isUiThread();

  /// An application begins: the event loop has to go on, on the same thread, until [#release()],
  /// with or without windows. On the UI thread. The default does nothing.
  default void hold() {}

  /// The application has ended. On the UI thread. The default does nothing.
  default void release() {}
}
