package dev.rondo.simulation;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

/// The calls of `blocking(..)` that tasks of hosts have begun: they run after the turn, one after
/// the other, while all hosts stand still. So their ends have the order of their beginnings, and a
/// place among the turns that does not depend on how long they take.
///
/// Confined to the world's thread and that of the task which has the turn.
final class HostCalls {

  /// @param name of the call, which has that of the task
  private record Call(WorldHost host, String name, Runnable code) {}

  private final WorldFailures failures;
  private final Queue<Call> begun = new ArrayDeque<>();

  /// The real time that a call may take.
  private Duration limit;

  HostCalls(WorldFailures failures, Duration limit) {
    this.failures = failures;
    this.limit = limit;
  }

  void limit(Duration real) {
    limit = real;
  }

  /// Runs a call when the turn is over.
  ///
  /// @param code returns when the host has the outcome
  void add(WorldHost host, String name, Runnable code) {
    begun.add(new Call(host, name, code));
  }

  /// Runs what was added. A call that does not end is a failure of the run.
  void run() {
    for (Call call; (call = begun.poll()) != null; ) {
      run(call);
    }
  }

  private void run(Call call) {
    Thread thread = Thread.ofVirtual().name(call.name).start(call.code);
    try {
      if (!thread.join(limit)) {
        fail(
            call,
            thread,
            "has not ended within %s of real time, while the world stood still for it; it must not wait for what a task does"
                .formatted(ReportText.duration(limit)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(call, thread, "had not ended when the world's thread was interrupted");
    }
  }

  /// @param thread whose stack the failure has
  private void fail(Call call, Thread thread, String how) {
    var failure = new SimulationStalledException("'%s' %s".formatted(call.name, how));
    failure.setStackTrace(thread.getStackTrace());
    failures.add(call.host, call.name, failure);
  }
}
