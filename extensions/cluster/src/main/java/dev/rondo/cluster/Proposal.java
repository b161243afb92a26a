package dev.rondo.cluster;

import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Result;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A command that was proposed, and its result to come.
///
/// Confined to the scheduler's thread.
final class Proposal implements Source<Result> {

  private final Scheduler scheduler;
  final long id;
  final Command command;

  /// Receives the result; an unknown session if the node leaves.
  private final Consumer<Result> then;

  private final WaitQueue<Result> waiters = new WaitQueue<>();
  private @Nullable Result result;
  private @Nullable RuntimeException failure;

  Proposal(Scheduler scheduler, long id, Command command, Consumer<Result> then) {
    this.scheduler = scheduler;
    this.id = id;
    this.command = command;
    this.then = then;
  }

  void succeed(Result answer) {
    result = answer;
    then.accept(answer);
    var _ = waiters.fireAll(answer);
  }

  void fail(RuntimeException reason) {
    failure = reason;
    then.accept(Result.UNKNOWN_SESSION);
    var _ = waiters.failAll(reason);
  }

  @Override
  public boolean poll(Waiter<? super Result> waiter) {
    Result answer = result;
    if (answer != null) {
      return waiter.fire(answer);
    }
    RuntimeException reason = failure;
    return reason != null && waiter.fail(reason);
  }

  @Override
  public void arm(Waiter<? super Result> waiter) {
    if (!poll(waiter)) {
      waiters.add(waiter);
    }
  }

  @Override
  public void disarm(Waiter<? super Result> waiter) {
    var _ = waiters.remove(waiter);
  }

  @Override
  public boolean isEager() {
    return false;
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public String toString() {
    return "an answer of the cluster about '" + command.name() + "'";
  }
}
