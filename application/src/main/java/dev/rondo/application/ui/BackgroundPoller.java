package dev.rondo.application.ui;

import org.jspecify.annotations.Nullable;

/// Who waits for an application that has nothing to do, so that the UI thread need not.
interface BackgroundPoller {

  /// Begins to wait, unless there is something to do at once. On the UI thread.
  ///
  /// @param deadlineNanos until when, on the scheduler's ticker; null for no limit
  /// @return whether it waits now, and will send news once; if not, tasks are ready
  boolean start(@Nullable Long deadlineNanos);

  /// There were news, and the application goes on. On the UI thread.
  void finish();

  /// Ends the current wait, or the next one if there is none. Any thread.
  void wakeup();

  /// There will be no more waits. On the UI thread.
  void close();

  /// The UI thread is gone: ends the current wait too. Any thread.
  void abandon();
}
