package dev.rondo.scheduler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the turn that takes too long, while it does: a daemon thread that looks a few times per
/// threshold whose turn it is. Ends with the scheduler, or with the thread of its loop.
///
/// A turn is too long if it has used the threshold of CPU time, or if it has been seen for that
/// long and is held up in a blocking call. A task that could run and is not let to, by a busy
/// machine or a stop of the whole virtual machine, is neither. Where CPU time is not known, wall
/// time counts instead; but only as far as the watchdog itself was let to run: of a time in which
/// it came late, no more than it meant to sleep.
///
/// The loop pays two opaque writes per turn.
final class Watchdog implements TaskListener, Runnable {

  /// How often it looks while a turn may take.
  private static final int LOOKS_PER_THRESHOLD = 4;

  private static final VarHandle TURN;

  static {
    try {
      TURN = MethodHandles.lookup().findVarHandle(Watchdog.class, "turn", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// A turn that the watchdog has seen. It puts this in the place of the task, where the loop's
  /// next write removes it: what is still there at the next look is still the same turn.
  private static final class Seen {
    private final Task<?> task;
    private final long cpuBefore;
    private long seenNanos;
    private boolean told;

    Seen(Task<?> task, long cpuBefore) {
      this.task = task;
      this.cpuBefore = cpuBefore;
    }
  }

  /// What is known of a thread from outside. Replaced by tests.
  interface Threads {

    /// CPU time in nanoseconds; negative if it is not known.
    long cpuNanos(Thread thread);

    /// Whether a thread in this state, with this stack, waits for something else than a processor.
    default boolean isBlocked(Thread thread, StackTraceElement[] stack) {
      return switch (thread.getState()) {
        case BLOCKED, WAITING, TIMED_WAITING -> true;
        case RUNNABLE -> stack.length > 0 && stack[0].isNativeMethod(); // in a read, say
        case NEW, TERMINATED -> false;
      };
    }
  }

  private final Loop loop;
  private final long thresholdNanos;
  private final Consumer<? super SlowTurn> handler;
  private final Threads threads;
  private volatile boolean closed;

  /// The task whose turn it is, null between turns: opaque writes by the loop. A [Seen] of it:
  /// compare-and-set by the watchdog.
  @SuppressWarnings("unused") // through TURN
  private @Nullable Object turn;

  Watchdog(Loop loop, long thresholdNanos, Consumer<? super SlowTurn> handler, Threads threads) {
    this.loop = loop;
    this.thresholdNanos = thresholdNanos;
    this.handler = handler;
    this.threads = threads;
  }

  static Instrument instrument(long thresholdNanos, Consumer<? super SlowTurn> handler) {
    return loop -> {
      if (Debugger.IS_ATTACHED) {
        logger().info("a debugger may be attached to this JVM: the watchdog stays quiet");
        return new TaskListener() {};
      }
      var watchdog = new Watchdog(loop, thresholdNanos, handler, new CpuMeter());
      Thread.ofPlatform()
          .daemon()
          .name("rondo-watchdog of " + loop.loopThread.thread().getName())
          .start(watchdog);
      return watchdog;
    };
  }

  static void log(SlowTurn turn) {
    logger().warn("{}", turn.describe());
  }

  // The loop.

  @Override
  public void beforeTurn(Task<?> task) {
    TURN.setOpaque(this, task);
  }

  @Override
  public void afterTurn(Task<?> task) {
    TURN.setOpaque(this, (Object) null);
  }

  @Override
  public void closed() {
    closed = true; // found at its next look
  }

  // The watchdog.

  @Override
  public void run() {
    long period = periodNanos();
    long lookedNanos = System.nanoTime();
    while (!closed && loop.loopThread.thread().isAlive()) {
      LockSupport.parkNanos(this, period);
      long now = System.nanoTime();
      look(now - lookedNanos);
      lookedNanos = now;
    }
  }

  long periodNanos() {
    return Math.max(1, thresholdNanos / LOOKS_PER_THRESHOLD);
  }

  /// Looks once.
  ///
  /// @param elapsedNanos since the look before
  void look(long elapsedNanos) {
    Object now = TURN.getOpaque(this);
    if (now instanceof Task<?> task) {
      TURN.compareAndSet(this, task, new Seen(task, cpuNanos(task)));
    } else if (now instanceof Seen seen && !seen.told) {
      seen.seenNanos += Math.min(elapsedNanos, periodNanos());
      judge(seen);
    }
  }

  private void judge(Seen seen) {
    if (seen.seenNanos < thresholdNanos) {
      return;
    }
    long cpuNow = cpuNanos(seen.task);
    boolean knowsCpu = cpuNow >= 0 && seen.cpuBefore >= 0;
    long cpu = cpuNow - seen.cpuBefore;
    Thread thread = LoopSnapshot.threadOf(loop, seen.task);
    StackTraceElement[] stack = thread.getStackTrace();
    boolean blocked = threads.isBlocked(thread, stack);
    boolean slow = blocked || !knowsCpu || cpu >= thresholdNanos;
    if (!slow || TURN.getOpaque(this) != seen) { // it is over: the stack may be another's
      return;
    }
    seen.told = true;
    tell(
        new SlowTurn(
            seen.task.id(),
            seen.task.name(),
            blocked ? SlowTurn.Cause.BLOCKED : SlowTurn.Cause.COMPUTING,
            Duration.ofNanos(seen.seenNanos),
            knowsCpu ? Duration.ofNanos(cpu) : null,
            Arrays.asList(Stacks.upToTask(stack))));
  }

  private void tell(SlowTurn slow) {
    try {
      handler.accept(slow);
    } catch (Throwable e) {
      logger().error("the handler of slow turns failed", e);
      log(slow);
    }
  }

  /// Of the thread that a task uses in its turn; negative if it is not known.
  private long cpuNanos(Task<?> task) {
    boolean onLoop = task instanceof StepTask<?> || loop.backend.mountsOnLoopThread();
    return onLoop ? threads.cpuNanos(loop.loopThread.thread()) : -1;
  }

  /// Whether this JVM was started for a debugger, which stops turns for as long as it likes.
  static final class Debugger {

    static final boolean IS_ATTACHED = isIn(CpuMeter.jvmArguments());

    private Debugger() {}

    static boolean isIn(List<String> jvmArguments) {
      Predicate<String> isAgent =
          each -> each.startsWith("-agentlib:jdwp") || each.startsWith("-Xrunjdwp");
      return jvmArguments.stream().anyMatch(isAgent);
    }
  }

  /// Looked up when there is something to log: loading a logging library takes longer than all the
  /// rest of the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(Scheduler.class);
  }
}
