package dev.rondo.observe.internal;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.engine.util.Alerts;
import dev.rondo.scheduler.engine.util.StackFilter;
import dev.rondo.scheduler.engine.view.Stacks;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Detects a loop that hangs in a lock of the JDK. Its thread, or the thread of the task that has
/// the turn, waits for a lock that a suspended task may hold, or for a class that a suspended task
/// initializes. Only the loop could resume the suspended task.
///
/// One daemon thread checks all loops of the JVM a few times per second, as long as any is open.
/// This costs the loops nothing.
public final class LockWatch {

  private static final long PERIOD_NANOS = 300_000_000;

  /// The number of stacks that a report shows if the holder of the lock is not known.
  private static final int MOST_CANDIDATES = 5;

  /// The number of tasks of a loop among which a report looks for the holder.
  private static final int MOST_LOOKED_AT = 10_000;

  private static final String ADVICE =
      "Do not suspend while holding a lock of the JDK; use a Mutex, or the BOUND backend";

  /// On the backend that has debug mode.
  private static final String ADVICE_TO_FIND_IT = ". -Drondo.debug=true finds the suspension";

  private static final String ADVICE_FOR_CLASSES =
      "Do not suspend while a class is initialized; start such work from a task";

  private static final LockWatch SHARED = new LockWatch();

  /// A waiting thread, as seen at a check, with its stack.
  ///
  /// @param inLock whether it waits for a lock; otherwise it may wait for a class
  private record Seen(Thread thread, boolean inLock, List<StackTraceElement> stack) {

    /// The frames of the task, if there is one.
    List<StackTraceElement> ofTask() {
      var all = Stacks.upToTask(stack.toArray(StackTraceElement[]::new));
      return Stacks.held(Arrays.asList(all)).toList();
    }
  }

  /// A thread that runs loops.
  private static final class Watched {

    /// The open schedulers of the thread. Weak, because each refers to its thread. Guarded by the
    /// watch.
    final Set<LoopView> schedulers = Collections.newSetFromMap(new WeakHashMap<>());

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
  public static void watch(LoopView loop) {
    SHARED.add(loop);
  }

  /// Ends the watch that a call of [#watch(LoopView)] began. Any thread.
  public static void unwatch(LoopView loop) {
    SHARED.remove(loop);
  }

  /// {@return whether a scheduler of a thread is open} Any thread.
  static boolean isWatched(Thread loop) {
    synchronized (SHARED) {
      return SHARED.loops.containsKey(loop);
    }
  }

  private synchronized void add(LoopView loop) {
    loops.computeIfAbsent(loop.thread(), _ -> new Watched()).schedulers.add(loop);
    if (watcher == null) {
      watcher = Thread.ofPlatform().daemon().name("rondo-lock-watch").start(this::run);
    }
  }

  private synchronized void remove(LoopView loop) {
    Watched watched = loops.get(loop.thread());
    if (watched != null) {
      watched.schedulers.remove(loop);
      if (watched.schedulers.isEmpty()) {
        loops.remove(loop.thread());
      }
    }
  }

  /// {@return the open schedulers of a thread, the newest first}
  private synchronized List<LoopView> schedulersOf(Watched watched) {
    return watched.schedulers.stream()
        .sorted(Comparator.comparingLong(LoopView::number).reversed())
        .toList();
  }

  private void run() {
    boolean failed = false;
    while (goesOn()) {
      LockSupport.parkNanos(this, PERIOD_NANOS);
      try {
        snapshot().forEach(this::check);
        failed = false;
      } catch (Throwable e) {
        if (!failed) { // said once, not a few times per second
          Alerts.errorIfPossible("the watch for hanging locks failed", e);
        }
        failed = true;
      }
    }
  }

  /// Whether any loops are left. If memory is lacking for the check, the watch goes on, because no
  /// other watch is started while this one exists.
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

  private void check(Thread loop, Watched watched) {
    Seen now = see(loop);
    Seen before = watched.seen;
    watched.seen = now;
    if (now != null && now.equals(before) && !now.equals(watched.reported)) {
      watched.reported = now;
      report(now, loop, schedulersOf(watched));
    }
  }

  /// {@return the wait of a loop, if it is for a lock or may be for a class}
  private static @Nullable Seen see(Thread loop) {
    Thread task = LockSupport.getBlocker(loop) instanceof Coroutine turn ? turn.thread() : null;
    Thread thread = task == null ? loop : task;
    boolean inLock = isInLock(thread);
    // The JVM does not tell the state of a virtual thread that waits for a class.
    return inLock || (thread.isVirtual() && thread.getState() == Thread.State.RUNNABLE)
        ? new Seen(thread, inLock, Arrays.asList(thread.getStackTrace()))
        : null;
  }

  private static boolean isInLock(Thread thread) {
    return switch (thread.getState()) {
      case BLOCKED -> true;
      case WAITING, TIMED_WAITING -> isLock(LockSupport.getBlocker(thread));
      case NEW, RUNNABLE, TERMINATED -> false;
    };
  }

  private static boolean isLock(@Nullable Object blocker) {
    String type = blocker == null ? "" : blocker.getClass().getName();
    return type.startsWith("java.util.concurrent.locks.Reentrant")
        || type.equals("java.util.concurrent.locks.StampedLock");
  }

  private static void report(Seen hang, Thread loop, List<LoopView> schedulers) {
    if (hang.thread == loop && schedulers.stream().noneMatch(each -> each.state().isDriven())) {
      return; // other code uses the thread
    }
    if (!hang.inLock) {
      reportClass(hang);
      return;
    }
    ThreadDump dump = ThreadDump.take();
    if (dump.mayWaitForLock(hang.thread.threadId())) {
      Alerts.error(describe(hang, loop, dump, schedulers));
    }
  }

  private static void reportClass(Seen hang) {
    String type = ThreadDump.classAwaitedBy(hang.thread.threadId());
    if (type != null) {
      var text = begun(hang, hang.thread.getName(), "the class " + type);
      ThreadDump dump = ThreadDump.take();
      append(text, "initializes it", dump.threadsIn(type + ".<clinit>("));
      Alerts.error(text.append(ADVICE_FOR_CLASSES).toString());
    }
  }

  private static String describe(
      Seen hang, Thread loop, ThreadDump dump, List<LoopView> schedulers) {
    String name = hang.thread == loop ? nameOfRunning(schedulers, loop) : hang.thread.getName();
    var text = begun(hang, name, "a lock of the JDK");
    long id = hang.thread.threadId();
    ThreadDump.Entry owner = dump.ownerOfLockAwaitedBy(id);
    if (owner != null) {
      append(text, "holds the lock", List.of(owner));
      return owner.isSuspendedTask() ? text.append(ADVICE).toString() : text.toString();
    }
    append(text, "waits for it, too, and may have been given it", dump.virtualWaitersBeside(id));
    List<ThreadDump.Entry> ofLoop = suspendedWithoutThread(hang, loop, schedulers);
    List<ThreadDump.Entry> suspended = dump.suspendedTasks(ofLoop, hang.ofTask());
    append(text, "is suspended, and may hold it", suspended);
    text.append(suspended.isEmpty() ? "" : ADVICE);
    return text.append(ofLoop.isEmpty() ? "" : ADVICE_TO_FIND_IT).toString();
  }

  private static StringBuilder begun(Seen hang, String name, String what) {
    return new StringBuilder("the loop hangs: '")
        .append(ReportText.escaped(name))
        .append("' waits for ")
        .append(what)
        .append(", and all other tasks wait for it:\n")
        .append(lines(hang.ofTask().stream()));
  }

  private static String nameOfRunning(List<LoopView> schedulers, Thread loop) {
    return schedulers.stream()
        .map(each -> each.state().running())
        .filter(Objects::nonNull)
        .findFirst()
        .map(Task::name)
        .orElse(loop.getName());
  }

  /// {@return the suspended tasks of a hanging loop that have no threads and so are in no thread
  /// dump}
  private static List<ThreadDump.Entry> suspendedWithoutThread(
      Seen hang, Thread loop, List<LoopView> schedulers) {
    var found = new ArrayList<ThreadDump.Entry>();
    for (LoopView each : schedulers) {
      if (each.backend().sharesThread()) {
        each.visitTasks(
            0,
            MOST_LOOKED_AT,
            task -> {
              var stack = each.stackWhile(task, () -> hang.equals(see(loop)));
              if (stack.length > 0) {
                String text = lines(StackFilter.ALL.useful(Arrays.asList(stack)).stream());
                found.add(new ThreadDump.Entry(task.id(), task.name(), false, text));
              }
            });
      }
    }
    return found;
  }

  private static void append(StringBuilder text, String what, List<ThreadDump.Entry> threads) {
    threads.stream()
        .limit(MOST_CANDIDATES)
        .forEach(each ->
            text.append(
                "'%s' %s:%n%s".formatted(ReportText.escaped(each.name()), what, each.stack())));
  }

  private static String lines(Stream<StackTraceElement> stack) {
    return stack.map(each -> "    at " + each + "\n").collect(Collectors.joining());
  }
}
