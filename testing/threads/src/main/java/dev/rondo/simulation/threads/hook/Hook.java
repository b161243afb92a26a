package dev.rondo.simulation.threads.hook;

import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// What rewritten code calls for time and threads, in the place of the JDK. The agent has the
/// loader of the JDK load this class, so all code sees the same one.
///
/// Each method looks at first whether the caller is the simulated thread that has the turn: one
/// comparison with a static field. Every other thread does what it did before.
public final class Hook {

  /// How many threads the JDK is about to unblock, because a monitor was released.
  private static final AtomicInteger UNBLOCKING = new AtomicInteger();

  /// The world's thread while it sleeps until the JDK has unblocked a thread; null if it does not.
  private static volatile @Nullable Thread sleeper;

  /// The thread that makes one for the simulation itself; null if none does.
  private static volatile @Nullable Thread maker;

  /// The program that numbers the thread which is made; null if the JDK does.
  private static volatile @Nullable Program madeFor;

  /// The virtual thread that carries the simulated thread which has the turn; null between turns.
  /// Written by the world's thread; no other thread is ever equal to it.
  private static @Nullable Thread running;

  /// The running thread, as the program sees it.
  private static @Nullable Thread shown;

  /// The program that has the turn; null between turns. Confined to the world's thread.
  private static @Nullable Program program;

  /// How many class initialisers are on the stack of the thread that has the turn. Confined to it.
  private static int initialisers;

  /// Numbers loaders whose classes have the same names; null until the agent is installed.
  private static volatile @Nullable ToIntFunction<ClassLoader> loaders;

  /// How many others are on it, which run in each run. Confined to it.
  private static int freshInitialisers;

  private Hook() {}

  // For the simulation.

  /// Numbers loaders, so that classes of the same name have different hash codes in the types of
  /// methods.
  ///
  /// @param by returns the same number for a loader each time, and links no code
  public static void number(ToIntFunction<ClassLoader> by) {
    loaders = by;
  }

  /// A thread of a program has the turn.
  ///
  /// @param carrier the virtual thread that runs it
  /// @param seen what the program sees as the running thread
  /// @param of whose thread it is
  public static void enter(Thread carrier, Thread seen, Program of) {
    shown = seen;
    program = of;
    initialisers = 0;
    freshInitialisers = 0;
    running = carrier;
  }

  /// No thread of a program has the turn.
  public static void leave() {
    running = null;
    shown = null;
    program = null;
  }

  /// What the program sees as the running thread from now on.
  public static void show(Thread seen) {
    shown = seen;
  }

  /// The calling thread makes a thread for the simulation, and not for a program.
  ///
  /// @param of gives it a number; null if the JDK does
  public static void exempt(@Nullable Program of) {
    madeFor = of;
    maker = Thread.currentThread();
  }

  /// Undoes [#exempt(Program)].
  public static void exemptNoMore() {
    maker = null;
    madeFor = null;
  }

  private static boolean isExempt() {
    return maker == Thread.currentThread();
  }

  /// {@return whether the JDK is about to unblock a thread}
  public static boolean isUnblocking() {
    return UNBLOCKING.get() > 0;
  }

  /// The world's thread sleeps, or does not any more.
  ///
  /// @param now sleeps from now on until the JDK has unblocked a thread; null if none does
  public static void sleeper(@Nullable Thread now) {
    sleeper = now;
  }

  /// {@return the program whose thread the caller is; null if it is of none}
  public static @Nullable Program current() {
    return Thread.currentThread() == running ? program : null;
  }

  /// {@return the program that numbers what the caller makes; null if the JDK does} What a class
  /// makes when it is initialised, once in the JVM, must not move the numbers of the run.
  static @Nullable Program counting() {
    Program own = current();
    return initialisers == 0 ? own : null;
  }

  /// {@return whether the caller is a thread of a program, and initialises a class that all runs
  /// share}
  public static boolean isInitialising() {
    return current() != null && initialisers > 0;
  }

  /// {@return the program whose thread the caller is, if that initialises no class; else null}
  static @Nullable Program free() {
    Program own = current();
    return initialisers == 0 && freshInitialisers == 0 ? own : null;
  }

  /// The thread that has the turn begins or ends to initialise a class of its run.
  static void initialisingFresh(int change) {
    freshInitialisers += change;
  }

  /// A class initialiser begins that runs once in the JVM.
  public static void initialising() {
    Program own = current();
    if (own != null && initialisers++ == 0) {
      own.initialising();
    }
  }

  /// A class initialiser ends that runs once in the JVM.
  public static void initialised() {
    Program own = current();
    if (own != null && --initialisers == 0) {
      own.initialised();
    }
  }

  // Time.

  /// {@return what `System.nanoTime()` does}
  public static long nanoTime() {
    Program own = current();
    return own == null ? System.nanoTime() : own.nanoTime();
  }

  /// {@return what `System.currentTimeMillis()` does}
  public static long currentTimeMillis() {
    Program own = current();
    return own == null ? System.currentTimeMillis() : own.currentTimeMillis();
  }

  /// {@return what `VM.getNanoTimeAdjustment(..)` does for a simulated thread}
  ///
  /// @param real what it has returned
  /// @param offset in seconds of the epoch
  public static long nanoTimeAdjustment(long offset, long real) {
    Program own = current();
    return own == null ? real : own.nanoTimeAdjustment(offset);
  }

  // Threads.

  /// {@return what `Thread.currentThread()` does}
  public static Thread currentThread() {
    Thread real = Thread.currentThread();
    if (real != running) {
      return real;
    }
    Thread seen = shown;
    return seen == null ? real : seen;
  }

  /// {@return what `Runtime.availableProcessors()` does} The same on each computer.
  public static int availableProcessors(Runtime runtime) {
    Program own = current();
    return own == null ? runtime.availableProcessors() : own.availableProcessors();
  }

  /// What `Thread.onSpinWait()` does. A simulated thread gives way: nothing changes meanwhile.
  public static void spin() {
    if (current() == null) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /// {@return whether a new thread is a daemon, as the one that makes it} The main thread is none.
  ///
  /// @param real whether that which runs it is
  public static boolean inheritsDaemon(boolean real) {
    Thread maker = currentThread();
    return current() == null ? real : maker != Thread.currentThread() && maker.isDaemon();
  }

  /// Starts a thread.
  ///
  /// @return whether it is one of a program now, and the JDK must not start it
  public static boolean start(Thread thread) {
    Program own = current();
    return own != null && own.start(thread);
  }

  /// {@return whether a thread is alive}
  ///
  /// @param real what the JDK knows
  public static boolean alive(boolean real, Thread thread) {
    Shown own = Shown.of(thread);
    if (own == null) {
      return real;
    }
    boolean isAlive = own.isAlive();
    if (!isAlive) {
      RaceHook.acquires(thread);
    }
    return isAlive;
  }

  /// {@return what a thread is doing}
  ///
  /// @param real what the JDK knows
  public static Thread.State state(Thread.State real, Thread thread) {
    Shown own = Shown.of(thread);
    return own == null ? real : own.state();
  }

  /// {@return the stack of a thread; null if the JDK knows it}
  public static StackTraceElement @Nullable [] stackTrace(Thread thread) {
    Shown own = Shown.of(thread);
    if (own == null) {
      return null;
    }
    if (thread != currentThread()) {
      return own.stackTrace();
    }
    StackTraceElement[] all = new Throwable().getStackTrace();
    return Arrays.copyOfRange(all, 1, all.length);
  }

  /// Interrupts a thread.
  ///
  /// @return whether it is one of a program
  public static boolean interrupt(Thread thread) {
    Shown own = Shown.of(thread);
    if (own == null) {
      return false;
    }
    BorderHook.reached(own);
    Program by = current();
    if (by != null) {
      by.interrupts(thread);
    }
    own.interrupt();
    return true;
  }

  /// {@return whether a thread was interrupted}
  ///
  /// @param real what the JDK knows
  public static boolean interrupted(boolean real, Thread thread) {
    Shown own = Shown.of(thread);
    return own == null ? real : own.isInterrupted();
  }

  /// {@return the thread whose permit `unpark` is about; null if it has none yet}
  public static @Nullable Thread unparked(@Nullable Thread thread) {
    if (thread == null) {
      return null;
    }
    Shown own = Shown.of(thread);
    Thread carrier = thread;
    if (own == null) {
      BorderHook.reached(thread);
    } else {
      BorderHook.reached(own);
      carrier = own.permitted();
    }
    Program by = current();
    if (by != null && carrier != null) {
      by.permits(carrier);
    }
    return carrier;
  }

  /// What `Unsafe.park(..)` does.
  ///
  /// @param unsafe is not used
  /// @param absolute whether the time is an instant, in milliseconds
  /// @param time in nanoseconds, or zero for ever
  public static void park(Object unsafe, boolean absolute, long time) {
    if (absolute) {
      LockSupport.parkUntil(time);
    } else if (time == 0) {
      LockSupport.park();
    } else {
      LockSupport.parkNanos(time);
    }
  }

  /// What `Unsafe.unpark(..)` does.
  ///
  /// @param unsafe is not used
  /// @param thread null for none
  public static void unpark(Object unsafe, @Nullable Object thread) {
    LockSupport.unpark((Thread) thread);
  }

  /// {@return whether virtual threads have stacks of their own} A program's virtual threads do not;
  /// in a simulation they are ordinary threads.
  ///
  /// @param real what the JDK knows
  public static boolean continuations(boolean real) {
    return real && (current() == null || isExempt());
  }

  /// {@return the number of a new thread}
  ///
  /// @param real what the JDK gives it
  public static long threadId(long real) {
    Program own = isExempt() ? madeFor : counting();
    return own == null ? real : own.threadId();
  }

  /// {@return the number in the name of a new thread}
  ///
  /// @param real what the JDK gives it
  public static int threadNumber(int real) {
    Program own = counting();
    return own == null ? real : own.threadNumber();
  }

  /// The JDK begins to unblock a thread, which is on its list still.
  public static void unblocking() {
    UNBLOCKING.incrementAndGet();
  }

  /// The JDK has unblocked a thread.
  public static void unblocked() {
    UNBLOCKING.decrementAndGet();
    Thread asleep = sleeper;
    if (asleep != null) {
      LockSupport.unpark(asleep);
    }
  }

  /// {@return the hash code of the type of a method} It is made of the names of its classes and the
  /// numbers of their loaders, for all threads: identity hash codes are all equal.
  ///
  /// @param identities the hash code that is made of identities
  public static int hashOf(int identities, MethodType type) {
    int hash = hashOf(type.returnType());
    for (int i = 0; i < type.parameterCount(); i++) {
      hash = 31 * hash + hashOf(type.parameterType(i));
    }
    return hash;
  }

  private static int hashOf(Class<?> type) {
    int name = type.getName().hashCode();
    ClassLoader loader = type.getClassLoader();
    ToIntFunction<ClassLoader> numbers = loaders;
    return loader == null || numbers == null ? name : name + 31 * numbers.applyAsInt(loader);
  }

  /// A loop of a program has gone round about a million times.
  ///
  /// @throws IllegalStateException if a simulated thread does so for ever
  public static void countLoops() {
    Program own = current();
    if (own != null) {
      own.countLoops();
    }
  }

  /// A thread is about to wait for a notification.
  ///
  /// @param monitor on which it waits
  /// @throws IllegalStateException if it is one of a program and cannot leave its stack: all of the
  ///   world would stand still
  public static void waiting(Object monitor) {
    Program own = current();
    if (own != null) {
      own.waiting(monitor);
    }
  }

  /// A thread has waited for a notification, or was interrupted.
  public static void waited() {
    Program own = current();
    if (own != null) {
      own.waited();
    }
  }

  /// A virtual thread is about to block the thread that carries it.
  ///
  /// @throws IllegalStateException if it is one of a program: all of the world would stand still
  public static void pinned() {
    Program own = current();
    if (own != null) {
      throw own.pinned();
    }
  }
}
