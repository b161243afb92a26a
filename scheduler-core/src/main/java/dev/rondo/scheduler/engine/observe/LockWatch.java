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
/// the turn, waits for a lock that a suspended task may hold, which only the loop could resume.
///
/// One daemon thread checks all loops of the JVM a few times per second, as long as there are any
/// on whose backend that can happen. It costs the loops nothing.
public final class LockWatch {

  private static final long PERIOD_NANOS = 300_000_000;

  /// How many stacks a report shows if it is not known which task holds the lock.
  private static final int MOST_CANDIDATES = 5;

  private static final String ADVICE =
      "Do not suspend while holding a lock of the JDK; use a Mutex, or the BOUND backend";

  private static final LockWatch SHARED = new LockWatch();

  /// What a thread was seen to wait for.
  private record Seen(Thread thread, List<StackTraceElement> stack) {}

  /// The loops, and what each was last seen in; weak, for virtual threads just vanish. Guarded by
  /// this.
  private final Map<Thread, @Nullable Seen> loops = new WeakHashMap<>();

  /// The last report of each loop: a hang is reported once. Confined to the watching thread.
  private final Map<Thread, Seen> reported = new WeakHashMap<>();

  private boolean running;

  private LockWatch() {}

  /// Watches the calling thread, which is a loop's, until it ends. Any thread.
  public static void watch(Thread loop) {
    SHARED.add(loop);
  }

  private synchronized void add(Thread loop) {
    loops.putIfAbsent(loop, null);
    if (!running) {
      running = true;
      Thread.ofPlatform().daemon().name("rondo-lock-watch").start(this::run);
    }
  }

  private void run() {
    while (removeEnded()) {
      LockSupport.parkNanos(this, PERIOD_NANOS);
      try {
        for (Thread loop : snapshot()) {
          check(loop);
        }
      } catch (Throwable e) {
        Alerts.error("the watch for hanging locks failed", e);
      }
    }
  }

  /// {@return whether any loops are left}
  private synchronized boolean removeEnded() {
    loops.keySet().removeIf(each -> !each.isAlive());
    running = !loops.isEmpty();
    return running;
  }

  private synchronized List<Thread> snapshot() {
    return List.copyOf(loops.keySet());
  }

  private void check(Thread loop) {
    Seen now = see(loop);
    Seen before = exchange(loop, now);
    if (now != null && now.equals(before) && !now.equals(reported.get(loop))) {
      reported.put(loop, now);
      report(now);
    }
  }

  private synchronized @Nullable Seen exchange(Thread loop, @Nullable Seen now) {
    return loops.put(loop, now);
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
    Alerts.error(describe(hang, ThreadDump.take()));
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
