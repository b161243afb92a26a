package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.hook.Hook;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/// Hidden fields of the JDK's threads. The agent opens their packages.
final class ThreadFields {

  private static final VarHandle CONTEXT = field("contextClassLoader", ClassLoader.class);
  private static final VarHandle SEED = field("threadLocalRandomSeed", long.class);
  private static final VarHandle PROBE = field("threadLocalRandomProbe", int.class);
  private static final VarHandle SECONDARY = field("threadLocalRandomSecondarySeed", int.class);
  private static final VarHandle SCOPED = field("scopedValueBindings", Object.class);
  private static final VarHandle INHERITED;
  private static final VarHandle LOCALS;
  private static final VarHandle ON_WAITING_LIST;
  private static final VarHandle CONTINUATION;
  private static final VarHandle STACK;
  private static final VarHandle STATE;
  private static final int BLOCKED;
  private static final int UNBLOCKED;
  private static final int SUSPENDED;
  private static final Method UNBLOCK;
  private static final Method CONTAINER;
  private static final Method REMOVE;

  static {
    try {
      Class<?> map = Class.forName("java.lang.ThreadLocal$ThreadLocalMap");
      INHERITED = field("inheritableThreadLocals", map);
      LOCALS = field("threadLocals", map);
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      ON_WAITING_LIST = field(virtual, "onWaitingList", boolean.class);
      STATE = field(virtual, "state", int.class);
      BLOCKED = constant(virtual, "BLOCKED");
      UNBLOCKED = constant(virtual, "UNBLOCKED");
      SUSPENDED = constant(virtual, "SUSPENDED");
      UNBLOCK = virtual.getDeclaredMethod("unblock");
      UNBLOCK.setAccessible(true);
      Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
      CONTINUATION = field(virtual, "cont", continuation);
      STACK = field(continuation, "tail", Class.forName("jdk.internal.vm.StackChunk"));
      CONTAINER = Thread.class.getDeclaredMethod("threadContainer");
      CONTAINER.setAccessible(true);
      REMOVE =
          Class.forName("jdk.internal.vm.ThreadContainer")
              .getDeclaredMethod("remove", Thread.class);
      REMOVE.setAccessible(true);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ThreadFields() {}

  private static VarHandle field(String name, Class<?> type) {
    try {
      return field(Thread.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static VarHandle field(Class<?> in, String name, Class<?> type)
      throws ReflectiveOperationException {
    return MethodHandles.privateLookupIn(in, MethodHandles.lookup()).findVarHandle(in, name, type);
  }

  private static int constant(Class<?> in, String name) throws ReflectiveOperationException {
    return (int)
        MethodHandles.privateLookupIn(in, MethodHandles.lookup())
            .findStaticVarHandle(in, name, int.class)
            .get();
  }

  /// Looks all of them up.
  ///
  /// @throws ExceptionInInitializerError if this JDK lacks one; the cause names it
  static void find() {
    // by the initialiser
  }

  /// Gives a thread what another one has inherited.
  static void inherit(Thread from, Thread to) {
    CONTEXT.set(to, CONTEXT.get(from));
    INHERITED.set(to, INHERITED.get(from));
    SCOPED.set(to, SCOPED.get(from));
  }

  /// Gives a thread the random numbers of its own, for `ThreadLocalRandom` and for the structures
  /// of the JDK that spread their contention.
  static void seed(Thread thread, RandomGenerator chance) {
    SEED.set(thread, chance.nextLong());
    PROBE.set(thread, chance.nextInt() | 1);
    SECONDARY.set(thread, chance.nextInt() | 1);
  }

  /// {@return where the random numbers of a thread are}
  static long[] seeds(Thread thread) {
    return new long[] {
      (long) SEED.get(thread), (int) PROBE.get(thread), (int) SECONDARY.get(thread)
    };
  }

  /// {@return a number that follows from what a thread has drawn}
  static long digest(Thread thread) {
    return (long) SEED.get(thread)
        ^ (int) PROBE.get(thread)
        ^ (long) (int) SECONDARY.get(thread) << Integer.SIZE;
  }

  /// Sets where the random numbers of a thread are.
  static void seeds(Thread thread, long[] seeds) {
    SEED.set(thread, seeds[0]);
    PROBE.set(thread, (int) seeds[1]);
    SECONDARY.set(thread, (int) seeds[2]);
  }

  /// {@return whether the JDK is about to unblock a virtual thread, which waits for a monitor}
  static boolean isOnWaitingList(Thread virtual) {
    return (boolean) ON_WAITING_LIST.getVolatile(virtual);
  }

  /// {@return whether a virtual thread has left its stack to wait for a monitor}
  static boolean isBlocked(Thread virtual) {
    return state(virtual) == BLOCKED;
  }

  /// {@return whether a virtual thread may try to enter a monitor again}
  static boolean isUnblocked(Thread virtual) {
    return state(virtual) == UNBLOCKED;
  }

  /// {@return the state of a virtual thread} The JDK suspends it, in that state, while another
  /// thread, such as the watch, asks for its stack.
  private static int state(Thread virtual) {
    return (int) STATE.getVolatile(virtual) & ~SUSPENDED;
  }

  /// Has a virtual thread try to enter the monitor again that it waits for.
  static void unblock(Thread virtual) {
    Hook.unblocking(); // which the method undoes
    try {
      UNBLOCK.invoke(virtual);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("cannot unblock " + virtual, e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the JDK withdrew access to " + UNBLOCK, e);
    }
  }

  /// {@return the timers of virtual threads, which may be replaced}
  static ScheduledExecutorService[] timers() throws ReflectiveOperationException {
    Field field =
        Class.forName("java.lang.VirtualThread$DelayedTaskSchedulers").getDeclaredField("INSTANCE");
    field.setAccessible(true);
    return (ScheduledExecutorService[]) field.get(null);
  }

  /// A thread has ended, or is never resumed: the group of threads that it is started in counts on
  /// it no more.
  static void leaveGroup(Thread thread) {
    try {
      Object group = CONTAINER.invoke(thread);
      if (group != null) {
        REMOVE.invoke(group, thread);
      }
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("cannot forget " + thread, e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the JDK withdrew access to " + REMOVE, e);
    }
  }

  /// Drops what a thread refers to. The JVM itself keeps a thread that waits to enter a monitor,
  /// and one that has loaded a class while there is an agent, until it ends.
  ///
  /// @param virtual has left its stack, and is never resumed
  static void empty(Thread virtual) {
    CONTEXT.set(virtual, null);
    LOCALS.set(virtual, null);
    INHERITED.set(virtual, null);
    STACK.set(CONTINUATION.get(virtual), null);
  }
}
