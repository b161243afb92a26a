package dev.rondo.io.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/// The JVM's signals: `sun.misc.Signal` of the module `jdk.unsupported`, which has no successor. By
/// reflection, since the compiler's warning about it cannot be switched off.
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

  /// {@return what handled the signal before} From now on `action` runs for each, on a thread of
  /// the JVM.
  ///
  /// @param name without SIG
  /// @param action run for each
  /// @throws IllegalArgumentException if the JVM or the system keeps it to itself, or there is none
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

  /// {@return what handled the signal before}
  ///
  /// @param name without SIG
  /// @param handler as [#handle] has answered
  public static Object restore(String name, Object handler) {
    Object before = call(null, "handle", new Class<?>[] {SIGNAL, HANDLER}, signal(name), handler);
    if (before == null) {
      throw new AssertionError("the JVM names no earlier handler");
    }
    return before;
  }

  /// {@return whether that is to ignore the signal}
  ///
  /// @param handler as [#handle] has answered
  static boolean isIgnoring(Object handler) {
    try {
      return handler == HANDLER.getField("SIG_IGN").get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.SignalHandler is not what it was", e);
    }
  }

  /// Sends one to this process.
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
          "the system knows no such signal; they have names like INT, TERM, HUP, USR1: signal="
              + name,
          e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.Signal is not what it was", e);
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
            "the JVM or the system keeps this signal to itself: signal=" + arguments[0], refused);
      }
      throw new AssertionError(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.Signal is not what it was", e);
    }
  }
}
