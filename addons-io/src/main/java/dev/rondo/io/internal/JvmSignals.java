package dev.rondo.io.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/// The JVM's signals: `sun.misc.Signal` of the module `jdk.unsupported`, which has no successor.
/// Called by reflection, because the compiler's warning about it cannot be suppressed.
public final class JvmSignals {

  private static final Class<?> SIGNAL = type("sun.misc.Signal");
  private static final Class<?> HANDLER = type("sun.misc.SignalHandler");

  private JvmSignals() {}

  private static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "signals need the module jdk.unsupported: start the JVM with --add-modules", e);
    }
  }

  /// {@return the number of a signal; -1 if the system has none of that name}
  ///
  /// @param name without SIG
  public static int number(String name) {
    try {
      Object signal = SIGNAL.getConstructor(String.class).newInstance(name);
      return (int) SIGNAL.getMethod("getNumber").invoke(signal);
    } catch (InvocationTargetException unknown) {
      return -1;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.Signal", e);
    }
  }

  /// {@return the earlier handler of the signal} From now on the action runs for each signal, on a
  /// thread of the JVM.
  ///
  /// @param name without SIG
  /// @param action runs for each signal
  /// @throws IllegalArgumentException if there is no such signal, or the JVM or the system reserves
  ///   it
  public static Object handle(String name, Runnable action) {
    return restore(
        name,
        Proxy.newProxyInstance(
            JvmSignals.class.getClassLoader(),
            new Class<?>[] {HANDLER},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "handle" -> {
                    action.run();
                    yield null;
                  }
                  case "equals" -> arguments != null && proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> "handler of signal " + name;
                }));
  }

  /// {@return the earlier handler of the signal}
  ///
  /// @param name without SIG
  /// @param handler as returned by [#handle]
  public static Object restore(String name, Object handler) {
    Object before = call(null, "handle", new Class<?>[] {SIGNAL, HANDLER}, signal(name), handler);
    if (before == null) {
      throw new AssertionError("the JVM returned no earlier handler");
    }
    return before;
  }

  /// {@return whether a handler ignores its signal}
  ///
  /// @param handler as returned by [#handle]
  static boolean isIgnoring(Object handler) {
    try {
      return handler == HANDLER.getField("SIG_IGN").get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.SignalHandler has changed", e);
    }
  }

  /// Sends a signal to this process.
  ///
  /// @param name without SIG
  public static void raise(String name) {
    call(null, "raise", new Class<?>[] {SIGNAL}, signal(name));
  }

  private static Object signal(String name) {
    try {
      return SIGNAL.getConstructor(String.class).newInstance(name);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          "the system has no such signal; names are like INT, TERM, HUP, USR1: signal=" + name,
          e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.Signal has changed", e);
    }
  }

  private static @Nullable Object call(
      @Nullable Object target, String name, Class<?>[] types, Object... arguments) {
    try {
      Method method = SIGNAL.getMethod(name, types);
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw new IllegalArgumentException(
            "the JVM or the system reserves this signal: signal=" + arguments[0], refused);
      }
      throw new AssertionError(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.Signal has changed", e);
    }
  }
}
