package dev.rondo.scheduler;

import java.util.Arrays;

/// What can be told of the resident task, see [Loop#goOnUpon]: its frames are in the middle of the
/// thread's stack, between the loop that runs upon them and the entry of its own coroutine.
final class Resident {

  private Resident() {}

  /// The resident's stack, read on the scheduler's thread from inside another task.
  static StackTraceElement[] stackTrace() {
    StackTraceElement[] all = Thread.currentThread().getStackTrace();
    int top = 0;
    while (top < all.length && !isFrame(all[top], Loop.class, "goOnUpon")) {
      top++;
    }
    int bottom = Math.min(top + 1, all.length);
    while (bottom < all.length && !isFrame(all[bottom], StackfulTask.class, "run")) {
      bottom++;
    }
    return Arrays.copyOfRange(all, Math.min(top + 1, all.length), bottom);
  }

  private static boolean isFrame(StackTraceElement frame, Class<?> type, String method) {
    return frame.getClassName().equals(type.getName()) && frame.getMethodName().equals(method);
  }
}
