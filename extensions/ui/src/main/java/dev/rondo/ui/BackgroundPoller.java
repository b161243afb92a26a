package dev.rondo.ui;

import org.jspecify.annotations.Nullable;

/// Waits for events and deadlines on behalf of an idle application, so that the UI thread need not.
interface BackgroundPoller {

  /// Starts a wait, unless tasks are ready. On the UI thread.
  ///
  /// @param deadlineNanos the end of the wait, on the scheduler's ticker; null for none
  /// @return true if the poller waits now and will call back once; false if tasks are ready
  boolean start(@Nullable Long deadlineNanos);

  /// Ends a wait: the callback came, and the application resumes. On the UI thread.
  void finish();

  /// Ends the current wait; without one, the next wait. Any thread.
  void wakeup();

  /// Closes the poller after the last wait. On the UI thread.
  void close();

  /// Closes the poller and ends its current wait: the UI thread has ended. Any thread.
  void abandon();
}
