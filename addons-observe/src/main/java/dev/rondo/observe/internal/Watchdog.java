package dev.rondo.observe.internal;

import dev.rondo.observe.SlowTurn;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.util.Alerts;
import dev.rondo.scheduler.engine.view.Stacks;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Detects a turn that takes too long while the turn is still going on. A daemon thread checks a
/// few times per threshold which task has its turn. The thread ends when the scheduler is closed or
/// the loop's thread ends.
///
/// A turn is too long if its CPU time has reached the threshold, or if the watchdog has observed it
/// for that time and it is in a blocking call. So a turn is not reported only because the machine
/// is busy or the JVM pauses. Where CPU time is not known, wall time counts instead. A check that
/// comes late, because the watchdog itself was delayed, then counts as at most one period.
///
/// Posted actions count as a turn without a task. Actions that run one after the other between two
/// readings of the clock are one turn.
///
/// The watchdog costs the loop two opaque writes per turn.
public final class Watchdog implements EngineListener, Runnable {

  private static final int CHECKS_PER_THRESHOLD = 4;

  private static final VarHandle TURN;

  static {
    try {
      TURN = MethodHandles.lookup().findVarHandle(Watchdog.class, "turn", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Stands for posted actions, which share a turn.
  private static final Object ACTIONS = new Object();

  /// A turn that the watchdog has seen. The watchdog replaces the task by this object, and the
  /// loop's next write removes the object. If the object is still there at the next check, the turn
  /// is still the same.
  private static final class Seen {
    /// A task, or the description of a task that is not made, or [#ACTIONS].
    private final Object turn;

    private final long cpuBefore;
    private long seenNanos;
    private boolean reported;

    Seen(Object turn, long cpuBefore) {
      this.turn = turn;
      this.cpuBefore = cpuBefore;
    }

    /// Null for posted actions, and for a task that is not made and could not be seen.
    @Nullable Task<?> task() {
      if (turn instanceof Task<?> task) {
        return task;
      }
      return turn instanceof Supplier<?> lazy && lazy.get() instanceof Task<?> task ? task : null;
    }
  }

  private final LoopView loop;
  private final long thresholdNanos;
  private final Consumer<? super SlowTurn> handler;
  private final ThreadProbe threads;
  private volatile boolean closed;

  /// Null until it runs.
  private volatile @Nullable Thread watching;

  /// The task that has its turn, or the description of a task that is not made, or [#ACTIONS]; null
  /// between turns. The loop writes these, opaquely. The watchdog replaces them by a [Seen], with a
  /// compare-and-set.
  @SuppressWarnings("unused") // through TURN
  private @Nullable Object turn;

  Watchdog(
      LoopView loop, long thresholdNanos, Consumer<? super SlowTurn> handler, ThreadProbe threads) {
    this.loop = loop;
    this.thresholdNanos = thresholdNanos;
    this.handler = handler;
    this.threads = threads;
  }

  /// Starts a watchdog of a loop, unless a debugger may stop its turns.
  public static void open(LoopView loop, long thresholdNanos, Consumer<? super SlowTurn> handler) {
    if (Debugger.IS_ATTACHED) {
      logger().info("a debugger may be attached to this JVM: the watchdog is off");
      return;
    }
    var watchdog = new Watchdog(loop, thresholdNanos, handler, new CpuMeter());
    Thread.ofPlatform()
        .daemon()
        .name("rondo-watchdog of " + loop.thread().getName())
        .start(watchdog);
    loop.add(watchdog);
  }

  /// Logs a warning.
  public static void log(SlowTurn turn) {
    Alerts.warn(turn.toString());
  }

  // On the loop's thread.

  @Override
  public void beforeTurn(Task<?> task) {
    TURN.setOpaque(this, task);
  }

  @Override
  public void afterTurn(Task<?> task) {
    TURN.setOpaque(this, (Object) null);
  }

  @Override
  public boolean allowsLazyTurns() {
    return true;
  }

  @Override
  public void beforeLazyTurn(Supplier<? extends @Nullable Task<?>> task) {
    TURN.setOpaque(this, task);
  }

  @Override
  public void afterLazyTurn() {
    TURN.setOpaque(this, (Object) null);
  }

  @Override
  public void beforeActions() {
    TURN.setOpaque(this, ACTIONS);
  }

  @Override
  public void afterActions() {
    TURN.setOpaque(this, (Object) null);
  }

  @Override
  public void closed() {
    closed = true;
    LockSupport.unpark(watching);
  }

  // On the watchdog's thread.

  @Override
  public void run() {
    watching = Thread.currentThread();
    long period = periodNanos();
    long checkedNanos = System.nanoTime();
    boolean failed = false;
    while (!closed && loop.thread().isAlive()) {
      LockSupport.parkNanos(this, period);
      long now = System.nanoTime();
      try {
        check(now - checkedNanos);
        failed = false;
      } catch (Throwable e) { // the heap may be exhausted, and later turns are to be watched
        if (!failed) {
          Alerts.errorIfPossible("the watchdog failed", e);
        }
        failed = true;
      }
      checkedNanos = now;
    }
  }

  long periodNanos() {
    return Math.max(1, thresholdNanos / CHECKS_PER_THRESHOLD);
  }

  /// Checks once.
  ///
  /// @param elapsedNanos since the check before
  void check(long elapsedNanos) {
    Object now = TURN.getOpaque(this);
    if (now instanceof Seen seen) {
      if (!seen.reported) {
        seen.seenNanos += Math.min(elapsedNanos, periodNanos());
        judge(seen);
      }
    } else if (now != null) {
      long cpu = cpuNanos(now instanceof Task<?> task ? task : null);
      TURN.compareAndSet(this, now, new Seen(now, cpu));
    }
  }

  private void judge(Seen seen) {
    if (seen.seenNanos < thresholdNanos) {
      return;
    }
    Task<?> task = seen.task();
    long cpuNow = cpuNanos(task);
    boolean knowsCpu = cpuNow >= 0 && seen.cpuBefore >= 0;
    long cpu = cpuNow - seen.cpuBefore;
    Thread thread = task == null ? loop.thread() : loop.threadOf(task);
    String action = loop.runningAction();
    StackTraceElement[] stack = thread.getStackTrace();
    boolean blocked = threads.isBlocked(thread, stack);
    boolean slow = blocked || !knowsCpu || cpu >= thresholdNanos;
    if (!slow || TURN.getOpaque(this) != seen) { // the turn is over, and the stack may be another's
      return;
    }
    seen.reported = true;
    report(
        new SlowTurn(
            task == null ? SlowTurn.NO_TASK : task.id(),
            task == null ? Objects.requireNonNullElse(action, "posted") : task.name(),
            blocked ? SlowTurn.Cause.BLOCKED : SlowTurn.Cause.COMPUTING,
            Duration.ofNanos(seen.seenNanos),
            knowsCpu ? Duration.ofNanos(cpu) : null,
            Arrays.asList(Stacks.upToTask(stack))));
  }

  private void report(SlowTurn slow) {
    try {
      handler.accept(slow);
    } catch (Throwable e) {
      Alerts.error("the handler of slow turns failed", e);
      log(slow);
    }
  }

  /// {@return the CPU time of the thread on which a task, or posted actions, run; negative if it is
  /// not known}
  private long cpuNanos(@Nullable Task<?> task) {
    return task == null || loop.usesLoopThread(task) ? threads.cpuNanos(loop.thread()) : -1;
  }

  /// Whether this JVM was started for a debugger, which may stop a turn for any length of time.
  static final class Debugger {

    static final boolean IS_ATTACHED = isIn(CpuMeter.jvmArguments());

    private Debugger() {}

    static boolean isIn(List<String> jvmArguments) {
      Predicate<String> isAgent =
          each -> each.startsWith("-agentlib:jdwp") || each.startsWith("-Xrunjdwp");
      return jvmArguments.stream().anyMatch(isAgent);
    }
  }

  /// Looked up at the first use, because loading a logging library takes longer than the rest of
  /// the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(Scheduler.class);
  }
}
