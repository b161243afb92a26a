package dev.rondo.simulation.threads.internal;

import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/// Which monitors a thread has, and which it waits for: what the JDK writes in dumps of threads.
/// The agent opens its packages.
///
/// Any thread.
final class MonitorFields {

  private static final Method SNAPSHOT;
  private static final Method WANTED;
  private static final VarHandle LOCKS;
  private static final VarHandle MONITOR;

  static {
    try {
      Class<?> snapshot = Class.forName("jdk.internal.vm.ThreadSnapshot");
      Class<?> lock = Class.forName("jdk.internal.vm.ThreadSnapshot$ThreadLock");
      SNAPSHOT = snapshot.getDeclaredMethod("of", Thread.class);
      SNAPSHOT.setAccessible(true);
      WANTED = snapshot.getDeclaredMethod("blockedOn");
      WANTED.setAccessible(true);
      LOCKS = ThreadFields.field(snapshot, "locks", lock.arrayType());
      MONITOR = ThreadFields.field(lock, "obj", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private MonitorFields() {}

  /// Looks all of them up, and tries them.
  ///
  /// @throws IllegalStateException if this JDK does not show monitors
  /// @throws ExceptionInInitializerError if this JDK lacks one; the cause names it
  static void find() {
    var monitor = new Object();
    synchronized (monitor) {
      if (!has(Thread.currentThread(), monitor)) {
        throw new IllegalStateException("not shown in dumps");
      }
    }
  }

  /// {@return the monitor that a thread waits to enter; null if it does not}
  static @Nullable Object wantedBy(Thread thread) {
    Object snapshot = call(SNAPSHOT, null, thread);
    try {
      return snapshot == null ? null : call(WANTED, snapshot);
    } catch (IllegalStateException e) {
      return null; // it has it now
    }
  }

  /// {@return whether a thread has entered a monitor} Also if it has left it meanwhile, to wait for
  /// a notification.
  static boolean has(Thread thread, Object monitor) {
    Object snapshot = call(SNAPSHOT, null, thread);
    if (snapshot != null) {
      for (Object each : (Object[]) LOCKS.get(snapshot)) {
        if (MONITOR.get(each) == monitor) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable Object call(Method method, @Nullable Object on, Object... arguments) {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalStateException cause) {
        throw cause;
      }
      throw new IllegalStateException(method + " failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the JDK withdrew access to " + method, e);
    }
  }
}
