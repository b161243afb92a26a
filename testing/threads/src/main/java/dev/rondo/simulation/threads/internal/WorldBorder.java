package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.hook.Border;
import dev.rondo.simulation.threads.hook.BorderHook;
import dev.rondo.simulation.threads.hook.Program;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Notices that a simulated thread has waited up to a limit for a thread that is none of the
/// simulation. That thread releases the same object later, in real time, or holds it when the limit
/// is over. The run fails at the next turn, or when the process ends.
///
/// Confined to the world's thread, except the methods of a [Border].
final class WorldBorder implements Border {

  /// How many of the last waits are known that have ended at their limit.
  private static final int KEPT = 1_000;

  /// A wait that has ended at its limit.
  ///
  /// @param on what it waited for
  /// @param stack where, of the first such wait
  private record Ended(
      WeakReference<Object> on,
      HostProgram program,
      String thread,
      List<StackTraceElement> stack) {}

  /// @param program null for that of the thread
  /// @param simulated what the program sees as its thread; null if `program` is known
  private record Report(
      @Nullable HostProgram program,
      @Nullable Thread simulated,
      String thread,
      IllegalStateException failure) {}

  /// The oldest first. Replaced by the world's thread, read by others.
  private volatile Ended[] ended = {};

  /// Filled by threads from outside of the simulation.
  private final Queue<Report> reports = new ConcurrentLinkedQueue<>();

  /// The threads that wait for a notification. Filled by simulated threads, each while it has the
  /// monitor, and read by others that have the same.
  private final Queue<CoroutineThread> waiting = new ConcurrentLinkedQueue<>();

  /// The world's thread. Written by it, read by others.
  private volatile @Nullable Thread world;

  /// The processes that run.
  private final List<ThreadLoop> processes = new ArrayList<>();

  /// {@return the processes that run, as they are at any time}
  List<ThreadLoop> processes() {
    return Collections.unmodifiableList(processes);
  }

  /// A process begins.
  ///
  /// @throws IllegalStateException if one of another thread's world runs: the classes of the JDK
  ///   serve one world at a time
  void begin(ThreadLoop process) {
    if (!BorderHook.watch(this)) {
      throw new IllegalStateException(
          "programs with threads of another world run, on another thread: close that world before"
              + " this one begins; if a test before this one hangs, that is why");
    }
    world = Thread.currentThread();
    processes.add(process);
  }

  /// A process has ended: its threads do not wait any more.
  ///
  /// @return whether none is left
  boolean end(ThreadLoop process, HostProgram program) {
    deliver();
    waiting.removeIf(each -> each.isOf(process));
    ended = Arrays.stream(ended).filter(each -> each.program != program).toArray(Ended[]::new);
    boolean _ = processes.remove(process);
    if (processes.isEmpty()) {
      BorderHook.watchNoMore(this);
    }
    return processes.isEmpty();
  }

  /// Fails the runs of which something was reported.
  void deliver() {
    if (!reports.isEmpty()) {
      for (Report each; (each = reports.poll()) != null; ) {
        HostProgram program = each.simulated == null ? each.program : programOf(each.simulated);
        if (program != null) {
          program.failed(each.thread, each.failure);
        }
      }
    }
  }

  /// {@return the program of a thread that it has not started itself; null if that has ended}
  private @Nullable HostProgram programOf(Thread carrier) {
    for (ThreadLoop each : processes) {
      if (each.carries(carrier)) {
        return each.program();
      }
    }
    return null;
  }

  /// A wait has ended at its limit.
  ///
  /// @param on what the thread waited for
  void endedAtLimit(Object on, HostProgram program, CoroutineThread thread) {
    Thread holder = PoolFields.holderOf(on);
    if (holder != null) {
      if (isOutside(holder) && holder.isAlive()) {
        var failure = failure("a simulated thread has waited up to a limit for a lock of", holder);
        failure.setStackTrace(thread.where());
        program.failed(thread.name(), failure);
      }
      return; // another thread of the simulation does not let go of it
    }
    for (Ended each : ended) {
      if (each.on.refersTo(on)) {
        return;
      }
    }
    Ended[] before = withoutForgotten();
    int from = before.length < KEPT ? 0 : 1;
    Ended[] now = Arrays.copyOfRange(before, from, before.length + 1);
    now[now.length - 1] =
        new Ended(new WeakReference<>(on), program, thread.name(), List.of(thread.where()));
    ended = now;
  }

  /// An object that no thread can reach any more is not released.
  private Ended[] withoutForgotten() {
    Ended[] all = ended;
    return all.length < KEPT
        ? all
        : Arrays.stream(all).filter(each -> !each.on.refersTo(null)).toArray(Ended[]::new);
  }

  /// {@return a failure whose cause has the stack of a thread that is none of the simulation}
  ///
  /// @param what a simulated thread has to do with that one
  static IllegalStateException failure(String what, Thread other) {
    var there = new Throwable("where thread '%s' was".formatted(other.getName()));
    there.setStackTrace(other.getStackTrace());
    return new IllegalStateException(
        "%s thread '%s', which is none of the simulation: virtual time does not wait for it"
            .formatted(what, other.getName()),
        there);
  }

  @Override
  public void released(Object what) {
    for (Ended each : ended) {
      if (each.on.refersTo(what)) {
        report(
            each.program,
            null,
            each.thread,
            "a simulated thread has waited up to a limit for",
            each.stack);
        return;
      }
    }
  }

  /// A thread waits for a notification from now on.
  void waits(CoroutineThread thread) {
    waiting.add(thread);
  }

  /// A thread does not wait for a notification any more.
  void waitsNoMore(CoroutineThread thread) {
    boolean _ = waiting.remove(thread);
  }

  @Override
  public void notifies(Object monitor) {
    for (CoroutineThread each : waiting) {
      if (each.monitor() == monitor) {
        report(
            each.loop().program(),
            null,
            each.name(),
            "a simulated thread was notified by",
            List.of(each.stackTrace()));
        return;
      }
    }
  }

  @Override
  public void reached(@Nullable Program of, Thread simulated) {
    HostProgram known = of instanceof HostProgram own ? own : null;
    report(
        known,
        known == null ? simulated : null,
        simulated.getName(),
        "a simulated thread was woken or interrupted by",
        List.of(simulated.getStackTrace()));
  }

  /// The first report is enough: all others may follow from it.
  private void report(
      @Nullable HostProgram program,
      @Nullable Thread simulated,
      String thread,
      String what,
      List<StackTraceElement> stack) {
    Thread by = Thread.currentThread();
    if (isOutside(by) && reports.isEmpty()) {
      IllegalStateException failure = failure(what, by);
      failure.setStackTrace(stack.toArray(StackTraceElement[]::new));
      reports.add(new Report(program, simulated, thread, failure));
    }
  }

  /// Whether a thread is neither one of the simulation nor one by which the JDK collects garbage.
  private boolean isOutside(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return thread != world
        && group != null
        && group.getParent() != null
        && !BorderHook.isSimulated(thread);
  }
}
