package dev.rondo.simulation.blocking.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/// What the JDK keeps of threads and does not show. The agent opens its packages.
final class ThreadFields {

  private static final VarHandle CONTEXT = field("contextClassLoader", ClassLoader.class);
  private static final VarHandle SEED = field("threadLocalRandomSeed", long.class);
  private static final VarHandle PROBE = field("threadLocalRandomProbe", int.class);
  private static final VarHandle SECONDARY = field("threadLocalRandomSecondarySeed", int.class);
  private static final VarHandle INHERITED;
  private static final VarHandle ON_WAITING_LIST;

  static {
    try {
      Class<?> map = Class.forName("java.lang.ThreadLocal$ThreadLocalMap");
      INHERITED = field("inheritableThreadLocals", map);
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      ON_WAITING_LIST =
          MethodHandles.privateLookupIn(virtual, MethodHandles.lookup())
              .findVarHandle(virtual, "onWaitingList", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ThreadFields() {}

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
          .findVarHandle(Thread.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Gives a thread what another one has inherited.
  static void inherit(Thread from, Thread to) {
    CONTEXT.set(to, CONTEXT.get(from));
    INHERITED.set(to, INHERITED.get(from));
  }

  /// Gives a thread the random numbers of its own, for `ThreadLocalRandom` and for the structures
  /// of the JDK that spread their contention.
  static void seed(Thread thread, RandomGenerator chance) {
    SEED.set(thread, chance.nextLong());
    PROBE.set(thread, chance.nextInt() | 1);
    SECONDARY.set(thread, chance.nextInt() | 1);
  }

  /// {@return whether the JDK is about to unblock a virtual thread, which waits for a monitor}
  static boolean isOnWaitingList(Thread virtual) {
    return (boolean) ON_WAITING_LIST.getVolatile(virtual);
  }

  /// {@return the timers of virtual threads, which may be replaced}
  static ScheduledExecutorService[] timers() throws ReflectiveOperationException {
    Field field =
        Class.forName("java.lang.VirtualThread$DelayedTaskSchedulers").getDeclaredField("INSTANCE");
    field.setAccessible(true);
    return (ScheduledExecutorService[]) field.get(null);
  }

  /// The JDK does not keep a thread that is never resumed.
  static void forget(Thread virtual) {
    try {
      Method container = Thread.class.getDeclaredMethod("threadContainer");
      container.setAccessible(true);
      Object root = container.invoke(virtual);
      if (root != null) {
        Method remove =
            Class.forName("jdk.internal.vm.ThreadContainer")
                .getDeclaredMethod("remove", Thread.class);
        remove.setAccessible(true);
        remove.invoke(root, virtual);
      }
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("cannot forget " + virtual, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK keeps threads in another way", e);
    }
  }
}
