package com.acme.threads;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Scopes of structured concurrency, which are a preview: reached by reflection.
public final class Scopes {

  private static final ScopedValue<String> NAME = ScopedValue.newInstance();

  private final AutoCloseable scope;
  private final List<String> told = new ArrayList<>();

  private Scopes(Duration limit) throws ReflectiveOperationException {
    UnaryOperator<Object> limited = each -> called(each, "withTimeout", limit);
    Object all = method(type("Joiner"), null, "awaitAll");
    scope = (AutoCloseable) method(type(""), null, "open", all, limited);
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(
        "java.util.concurrent.StructuredTaskScope" + (name.isEmpty() ? "" : "$" + name));
  }

  private static Object called(Object on, String method, Object... arguments) {
    try {
      return method(
          type(on.getClass().getName().contains("Config") ? "Configuration" : "Subtask"),
          on,
          method,
          arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object method(Class<?> type, Object on, String method, Object... arguments)
      throws ReflectiveOperationException {
    for (Method each : type.getMethods()) {
      if (each.getName().equals(method)
          && each.getParameterCount() == arguments.length
          && !(method.equals("fork") && each.getParameterTypes()[0] == Runnable.class)) {
        return each.invoke(on, arguments);
      }
    }
    throw new NoSuchMethodException(method);
  }

  private Object fork(Callable<String> task) throws ReflectiveOperationException {
    return method(type(""), scope, "fork", task);
  }

  private String seconds(int count, String what) throws InterruptedException {
    try {
      Thread.sleep(count * 1_000L);
    } catch (InterruptedException e) {
      told.add(NAME.get() + " " + what + " is interrupted");
      throw e;
    }
    if (what.isEmpty()) {
      throw new IllegalStateException("none");
    }
    return NAME.get() + " " + what;
  }

  private void run() throws Exception {
    try (scope) {
      Object first = fork(() -> seconds(2, "one"));
      Object second = fork(() -> seconds(3, ""));
      method(type(""), scope, "join");
      told.add("" + called(first, "get"));
      told.add(((Throwable) called(second, "exception")).getMessage());
    } catch (InvocationTargetException e) {
      told.add(e.getCause().getClass().getSimpleName());
    }
    Supplier<Long> clock = System::currentTimeMillis;
    told.add("at " + clock.get() / 1_000 % 60);
  }

  /// Waits for two subtasks.
  ///
  /// @param limit how long
  /// @return what has happened, with the second of the minute at the end
  public static List<String> run(Duration limit) throws Exception {
    return ScopedValue.where(NAME, "acme")
        .call(() -> {
          var own = new Scopes(limit);
          own.run();
          return own.told;
        });
  }
}
