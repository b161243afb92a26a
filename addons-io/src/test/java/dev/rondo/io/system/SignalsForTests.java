package dev.rondo.io.system;

import dev.rondo.io.internal.JvmSignals;

/// Lets tests send this JVM signals, and look at who handles them.
public final class SignalsForTests {

  private SignalsForTests() {}

  /// Sends one to this process.
  public static void raise(String name) {
    JvmSignals.raise(name);
  }

  /// Sets an action; what handled it before.
  public static Object handle(String name, Runnable action) {
    return JvmSignals.handle(name, action);
  }

  /// Sets a handler; what handled it before.
  public static Object restore(String name, Object handler) {
    return JvmSignals.restore(name, handler);
  }
}
