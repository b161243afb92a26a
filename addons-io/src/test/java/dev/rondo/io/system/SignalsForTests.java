package dev.rondo.io.system;

import dev.rondo.io.internal.JvmSignals;

/// Sends signals to this JVM, and reads and sets their handlers.
public final class SignalsForTests {

  private SignalsForTests() {}

  /// Sends a signal to this process.
  public static void raise(String name) {
    JvmSignals.raise(name);
  }

  /// Sets an action, and returns the earlier handler.
  public static Object handle(String name, Runnable action) {
    return JvmSignals.handle(name, action);
  }

  /// Sets a handler, and returns the earlier one.
  public static Object restore(String name, Object handler) {
    return JvmSignals.restore(name, handler);
  }
}
