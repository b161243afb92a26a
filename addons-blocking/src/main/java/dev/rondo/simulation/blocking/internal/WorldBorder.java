package dev.rondo.simulation.blocking.internal;

import dev.rondo.simulation.blocking.hook.Border;
import dev.rondo.simulation.blocking.hook.BorderHook;
import dev.rondo.simulation.blocking.hook.Program;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Notices that a simulated thread has waited up to a limit for a thread that is none of the
/// simulation: that one releases the same object later, in real time, or holds it when the limit is
/// over. The run fails at the next turn, or when the process ends.
///
/// Confined to the world's thread, except the methods of a [Border].
final class WorldBorder implements Border {

  /// How many of the last waits are known that have ended at their limit.
  private static final int KEPT = 64;

  /// A wait that has ended at its limit.
  ///
  /// @param on what it waited for
  /// @param stack where, of the first such wait
  private record Ended(
      WeakReference<Object> on,
      HostProgram program,
      String thread,
      List<StackTraceElement> stack) {}

  private record Report(HostProgram program, String thread, IllegalStateException failure) {}

  /// The oldest first. Replaced by the world's thread, read by others.
  private volatile Ended[] ended = {};

  /// Filled by threads that are none of the simulation.
  private final Queue<Report> reports = new ConcurrentLinkedQueue<>();

  /// The world's thread. Written by it, read by others.
  private volatile @Nullable Thread world;

  private int processes;

  /// A process begins.
  void begin() {
    world = Thread.currentThread();
    processes++;
    BorderHook.watch(this);
  }

  /// A process has ended: its threads do not wait any more.
  void end(HostProgram program) {
    deliver();
    ended = Arrays.stream(ended).filter(each -> each.program != program).toArray(Ended[]::new);
    if (--processes == 0) {
      BorderHook.watch(null);
    }
  }

  /// Fails the runs of which something was reported.
  void deliver() {
    if (!reports.isEmpty()) {
      for (Report each; (each = reports.poll()) != null; ) {
        each.program.failed(each.thread, each.failure);
      }
    }
  }

  /// A wait has ended at its limit.
  ///
  /// @param on what the thread waited for
  void endedAtLimit(Object on, HostProgram program, CoroutineThread thread) {
    Thread holder = ThreadFields.holderOf(on);
    if (holder != null && !holder.isVirtual() && isOutside(holder) && holder.isAlive()) {
      var failure = failure("a simulated thread has waited up to a limit for a lock of", holder);
      failure.setStackTrace(thread.where());
      program.failed(thread.name(), failure);
      return;
    }
    for (Ended each : ended) {
      if (each.on.refersTo(on)) {
        return;
      }
    }
    Ended[] before = ended;
    int from = before.length < KEPT ? 0 : 1;
    Ended[] now = Arrays.copyOfRange(before, from, before.length + 1);
    now[now.length - 1] =
        new Ended(new WeakReference<>(on), program, thread.name(), List.of(thread.where()));
    ended = now;
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
            each.thread,
            "a simulated thread has waited up to a limit for",
            each.stack);
        return;
      }
    }
  }

  @Override
  public void reached(Program of, Thread simulated) {
    if (of instanceof HostProgram own) {
      report(
          own,
          simulated.getName(),
          "a simulated thread was woken or interrupted by",
          List.of(simulated.getStackTrace()));
    }
  }

  /// The first report is enough: all others may follow from it.
  private void report(
      HostProgram program, String thread, String what, List<StackTraceElement> stack) {
    Thread by = Thread.currentThread();
    if (isOutside(by) && reports.isEmpty()) {
      IllegalStateException failure = failure(what, by);
      failure.setStackTrace(stack.toArray(StackTraceElement[]::new));
      reports.add(new Report(program, thread, failure));
    }
  }

  /// Whether a thread is neither the world's nor one by which the JDK collects garbage.
  private boolean isOutside(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return thread != world && group != null && group.getParent() != null;
  }
}
