package dev.rondo.simulation.threads.internal;

import static java.util.Objects.requireNonNull;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Notices that a simulated thread blocks the world's thread: by native code that waits, or by a
/// monitor that it wants where it cannot leave its stack. Nothing in the JVM can end that; without
/// this class the test would hang.
///
/// A thread of its own looks at the turn that is under way. The run fails if in one turn the
/// world's thread has not run between [#LOOKS] looks, or has waited for a monitor at each of them;
/// that shows when the call returns. If it does not return, the JVM ends after [#LOOKS_OF_JVM]
/// looks. A thread that computes, however slowly, is left alone, and so are all in a JVM with a
/// debugger.
///
/// For a monitor the JVM wakes a thread that cannot leave its stack once a second, so such a thread
/// does run.
///
/// An instance is confined to the thread that looks.
final class TurnWatch {

  /// How many looks without any progress fail the run.
  static final int LOOKS = 20;

  /// How many end the JVM.
  static final int LOOKS_OF_JVM = 3 * LOOKS;

  /// How long a call may block all of the world, in real time: `PT20S`. Zero is for ever.
  private static final String PROPERTY = "rondo.blocking.stuck";

  private static final Duration DEFAULT = Duration.ofSeconds(20);

  private static final int FAILED = 1;

  private static final VarHandle UNDER_WAY;

  static {
    try {
      UNDER_WAY =
          MethodHandles.lookup()
              .findStaticVarHandle(TurnWatch.class, "underWay", CoroutineThread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The thread that has the turn; null between turns. Written in release mode by the world's
  /// thread, read in acquire mode by its observers.
  @SuppressWarnings("unused") // by its handle
  private static @Nullable CoroutineThread underWay;

  /// Whether there is a thread that looks.
  private static boolean started;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private @Nullable CoroutineThread last;
  private long turn;
  private long cpu;
  private long outsideWaits;
  private int looks;

  /// Called by the world's thread.
  static void begin(CoroutineThread thread) {
    UNDER_WAY.setRelease(thread);
  }

  /// Called by the world's thread.
  static void end() {
    UNDER_WAY.setRelease((CoroutineThread) null);
  }

  /// Starts a thread that looks, once in the JVM.
  ///
  /// @throws IllegalArgumentException if the property is not a duration
  static synchronized void start() {
    if (started) {
      return;
    }
    started = true;
    String given = System.getProperty(PROPERTY);
    Duration limit = given == null ? DEFAULT : Duration.parse(given);
    if (limit.isPositive()
        && ManagementFactory.getThreadMXBean().isThreadCpuTimeSupported()
        && !hasDebugger()) {
      Thread.ofPlatform()
          .daemon()
          .name("rondo-blocking-watch")
          .start(() -> lookForEver(limit.dividedBy(LOOKS)));
    }
  }

  private static boolean hasDebugger() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .anyMatch(each -> each.contains("jdwp"));
  }

  private static void lookForEver(Duration pause) {
    var watch = new TurnWatch();
    while (true) {
      LockSupport.parkNanos(pause.toNanos());
      int seen = watch.look();
      if (seen == LOOKS_OF_JVM) {
        endJvm(requireNonNull(watch.last));
      }
    }
  }

  /// {@return how many times in a row nothing has gone on}
  int look() {
    var now = (CoroutineThread) UNDER_WAY.getAcquire();
    if (now == null) {
      last = null;
      return 0;
    }
    long nowTurn = now.turns();
    Thread world = now.world();
    long nowCpu = threads.getThreadCpuTime(world.threadId());
    long nowOutside = now.outsideWaits();
    boolean waits =
        nowCpu == cpu
            || nowOutside != outsideWaits
            || nowOutside % 2 != 0
            || world.getState() == Thread.State.BLOCKED;
    boolean same = now == last && nowTurn == turn && waits;
    last = now;
    turn = nowTurn;
    cpu = nowCpu;
    outsideWaits = nowOutside;
    looks = same ? looks + 1 : 0;
    if (looks == LOOKS) {
      now.stuck(failureOf(now));
    }
    return looks;
  }

  private static IllegalStateException failureOf(CoroutineThread thread) {
    var failure =
        new IllegalStateException(
            "a simulated thread has blocked all of the world, in native code or on a monitor that"
                + " it entered where it cannot leave its stack");
    failure.setStackTrace(thread.carrier().getStackTrace());
    return failure;
  }

  /// The test would hang for ever. Around the streams of whatever runs tests, which may be
  /// buffered.
  private static void endJvm(CoroutineThread thread) {
    var out =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    out.printf(
        "Thread '%s' of a simulation does not come back; the JVM ends.%n",
        thread.carrier().getName());
    failureOf(thread).printStackTrace(out);
    out.flush();
    Runtime.getRuntime().halt(FAILED);
  }
}
