package dev.rondo.scheduler.engine.observe;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.engine.util.Alerts;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Detects a loop that hangs in a lock of the JDK: its thread, or the thread of the task that has
/// the turn, waits for a lock that a suspended task may hold. Only the loop could resume that task.
///
/// One daemon thread checks all loops of the JVM a few times per second, as long as any is open on
/// whose backend that can happen. It costs the loops nothing.
public final class LockWatch {

  private static final long PERIOD_NANOS = 300_000_000;

  /// The number of stacks that a report shows if the holder of the lock is not known.
  private static final int MOST_CANDIDATES = 5;

  private static final String ADVICE =
      "Do not suspend while holding a lock of the JDK; use a Mutex, or the BOUND backend";

  private static final LockWatch SHARED = new LockWatch();

  /// The stack with which a thread was seen to wait for a lock.
  private record Seen(Thread thread, List<StackTraceElement> stack) {}

  /// A thread that runs loops.
  private static final class Watched {

    /// How many schedulers of the thread are open. Guarded by the watch.
    int schedulers;

    /// Its state at the last check, and the last report: a hang is reported once. Both are confined
    /// to the watching thread.
    @Nullable Seen seen;

    @Nullable Seen reported;
  }

  /// Weak, because a virtual thread may vanish with a scheduler open. Guarded by this.
  private final Map<Thread, Watched> loops = new WeakHashMap<>();

  /// The watching thread; null while there is nothing to watch. Guarded by this.
  private @Nullable Thread watcher;

  private LockWatch() {}

  /// Begins to watch the thread of a scheduler. Any thread.
  public static void watch(Thread loop) {
    SHARED.add(loop);
  }

  /// Ends what one call of [#watch(Thread)] began. Any thread.
  public static void unwatch(Thread loop) {
    SHARED.remove(loop);
  }

  /// {@return whether a scheduler of a thread is open} Any thread.
  static boolean isWatched(Thread loop) {
    synchronized (SHARED) {
      return SHARED.loops.containsKey(loop);
    }
  }

  private synchronized void add(Thread loop) {
    loops.computeIfAbsent(loop, _ -> new Watched()).schedulers++;
    if (watcher == null) {
      watcher = Thread.ofPlatform().daemon().name("rondo-lock-watch").start(this::run);
    }
  }

  private synchronized void remove(Thread loop) {
    Watched watched = loops.get(loop);
    if (watched != null && --watched.schedulers == 0) {
      loops.remove(loop);
      if (loops.isEmpty()) {
        LockSupport.unpark(watcher);
      }
    }
  }

  private void run() {
    boolean failed = false;
    while (goesOn()) {
      LockSupport.parkNanos(this, PERIOD_NANOS);
      try {
        snapshot().forEach(LockWatch::check);
        failed = false;
      } catch (Throwable e) {
        if (!failed) { // said once, not a few times per second
          Alerts.errorIfPossible("the watch for hanging locks failed", e);
        }
        failed = true;
      }
    }
  }

  /// Whether any loops are left. Without memory to find that out, the watch goes on: no other is
  /// started as long as it is there.
  private boolean goesOn() {
    try {
      return removeEnded();
    } catch (OutOfMemoryError _) {
      return true;
    }
  }

  /// {@return whether any loops are left}
  private synchronized boolean removeEnded() {
    loops.keySet().removeIf(each -> !each.isAlive());
    if (loops.isEmpty()) {
      watcher = null;
    }
    return watcher != null;
  }

  private synchronized Map<Thread, Watched> snapshot() {
    return Map.copyOf(loops);
  }

  private static void check(Thread loop, Watched watched) {
    Seen now = see(loop);
    Seen before = watched.seen;
    watched.seen = now;
    if (now != null && now.equals(before) && !now.equals(watched.reported)) {
      watched.reported = now;
      report(now);
    }
  }

  /// {@return what a loop waits for, if that is a lock}
  private static @Nullable Seen see(Thread loop) {
    Thread task = LockSupport.getBlocker(loop) instanceof Coroutine turn ? turn.thread() : null;
    Thread thread = task == null ? loop : task;
    return isInLock(thread) ? new Seen(thread, Arrays.asList(thread.getStackTrace())) : null;
  }

  private static boolean isInLock(Thread thread) {
    return switch (thread.getState()) {
      case BLOCKED -> true;
      case WAITING, TIMED_WAITING -> isLock(LockSupport.getBlocker(thread));
      case NEW, RUNNABLE, TERMINATED -> false;
    };
  }

  private static boolean isLock(@Nullable Object blocker) {
    return blocker != null
        && blocker.getClass().getName().startsWith("java.util.concurrent.locks.Reentrant");
  }

  private static void report(Seen hang) {
    ThreadDump dump = ThreadDump.take();
    if (dump.mayWaitForLock(hang.thread.threadId())) {
      Alerts.error(describe(hang, dump));
    }
  }

  private static String describe(Seen hang, ThreadDump dump) {
    Thread waiting = hang.thread;
    long id = waiting.threadId();
    var text = new StringBuilder();
    text.append("the loop hangs: '")
        .append(waiting.getName())
        .append("' waits for a lock of the JDK, and all other tasks wait for it:\n")
        .append(lines(hang.stack));
    ThreadDump.Entry owner = dump.ownerOfLockAwaitedBy(id);
    if (owner != null) {
      text.append("'").append(owner.name()).append("' holds the lock:\n").append(owner.stack());
      return owner.isSuspendedTask() ? text.append(ADVICE).toString() : text.toString();
    }
    append(text, "waits for it, too, and may have been given it", dump.virtualWaitersBeside(id));
    List<ThreadDump.Entry> suspended = dump.suspendedTasks(hang.stack);
    append(text, "is suspended, and may hold it", suspended);
    return suspended.isEmpty() ? text.toString() : text.append(ADVICE).toString();
  }

  private static void append(StringBuilder text, String what, List<ThreadDump.Entry> threads) {
    threads.stream()
        .limit(MOST_CANDIDATES)
        .forEach(each -> text.append("'%s' %s:%n%s".formatted(each.name(), what, each.stack())));
  }

  private static String lines(List<StackTraceElement> stack) {
    return stack.stream().map(each -> "    at " + each + "\n").collect(Collectors.joining());
  }
}
