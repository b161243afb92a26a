package dev.rondo.simulation.threads.hook;

import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// What rewritten code calls for the static fields of the JDK that a program sets for its process.
/// A class that is initialised, for all of them, has those of the JVM.
public final class StaticHook {

  private static final String CONTEXT = "javax/net/ssl/SSLContext.defaultContext";

  private StaticHook() {}

  /// {@return the value of a field}
  ///
  /// @param real that of the JVM, which a process has at first
  /// @param field its class and name
  public static @Nullable Object same(@Nullable Object real, String field) {
    Program own = Hook.counting();
    if (own == null) {
      return real;
    }
    Map<String, @Nullable Object> fields = own.statics();
    return fields.containsKey(field) ? fields.get(field) : real;
  }

  /// {@return the value of a field} A process has a copy.
  ///
  /// @param real that of the JVM
  /// @param field its class and name
  public static @Nullable Object copy(Object real, String field) {
    Program own = Hook.counting();
    if (own == null) {
      return real;
    }
    Map<String, @Nullable Object> fields = own.statics();
    Object value = fields.get(field);
    if (value == null) {
      value = copied(real);
      fields.put(field, value);
    }
    return value;
  }

  /// Links no code of its own, because it is called while the JDK does.
  private static Object copied(Object real) {
    if (real instanceof Hashtable<?, ?> table) {
      return table.clone();
    }
    if (real instanceof Map<?, ?> map) {
      return new ConcurrentHashMap<>(map);
    }
    return new ArrayList<>((Collection<?>) real);
  }

  /// {@return the value of a field} A process has none at first.
  ///
  /// @param real that of the JVM
  /// @param field its class and name
  public static @Nullable Object none(@Nullable Object real, String field) {
    Program own = Hook.counting();
    return own == null ? real : own.statics().get(field);
  }

  /// {@return the value of a field} A process has a new one.
  ///
  /// @param real that of the JVM
  /// @param field its class and name
  public static @Nullable Object made(Object real, String field) {
    Program own = Hook.counting();
    if (own == null) {
      return real;
    }
    Map<String, @Nullable Object> fields = own.statics();
    Object value = fields.get(field);
    if (value == null) {
      value = madeAs(real);
      fields.put(field, value);
    }
    return value;
  }

  private static Object madeAs(Object real) {
    return switch (real) {
      case AtomicLong _ -> new AtomicLong();
      case LogManager _ -> Logs.manager();
      case Logger _ -> new Logs.Global();
      default -> new HashSet<>();
    };
  }

  /// The logs of a process. The JDK may ask for them in the first run only, for loggers of its own
  /// that it keeps. So they take nothing that runs count: no number of a thread, no shutdown hook.
  static final class Logs {

    /// Whether the calling thread makes some. Confined to the thread that has the turn.
    static boolean making;

    private static final class Manager extends LogManager {}

    private static final class Global extends Logger {
      Global() {
        super(GLOBAL_LOGGER_NAME, null);
      }
    }

    static LogManager manager() {
      Hook.initialising();
      making = true;
      try {
        return made();
      } finally {
        making = false;
        Hook.initialised();
      }
    }

    private static LogManager made() {
      String type = System.getProperty("java.util.logging.manager");
      if (type == null) {
        return new Manager();
      }
      try {
        return Class.forName(type, true, Thread.currentThread().getContextClassLoader())
            .asSubclass(LogManager.class)
            .getDeclaredConstructor()
            .newInstance();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("no log manager " + type, e);
      }
    }
  }

  /// {@return what `SSLContext.getDefault()` does for a process; null if the JDK does it}
  ///
  /// @throws NoSuchAlgorithmException if there is none
  public static @Nullable SSLContext context() throws NoSuchAlgorithmException {
    Program own = Hook.counting();
    if (own == null) {
      return null;
    }
    Map<String, @Nullable Object> fields = own.statics();
    Object known = fields.get(CONTEXT);
    if (known == null) {
      known = SSLContext.getInstance("Default");
      fields.put(CONTEXT, known);
    }
    return (SSLContext) known;
  }

  /// Sets a field.
  ///
  /// @return whether it is done; if not, the JDK does it
  public static boolean set(@Nullable Object value, String field) {
    Program own = Hook.counting();
    if (own != null) {
      own.statics().put(field, value);
    }
    return own != null;
  }
}
