package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.addon.LazyTasks;
import dev.rondo.scheduler.coroutine.Coroutine;
import org.jspecify.annotations.Nullable;

/// The body of the coroutine on which a lazy task with a stack runs. If the task is made meanwhile,
/// it keeps the coroutine for good. If it ends without being made, those behind it in the chain
/// follow on the same coroutine, as tasks do in a [Succession], and after the last of them the next
/// coroutine has this body.
///
/// Confined to the scheduler's thread.
///
/// @param <E> the subject of a task
final class LazyCoroutineBody<E> implements Coroutine.Body {

  private final Loop loop;
  private final LazyStackfulTasks<E> kind;
  private final LazyTasks.Body<E> body;

  /// Null between turns, and when the task is made: it may be on this stack for long.
  private @Nullable LazyChain chain;

  private @Nullable Coroutine coroutine;

  /// Null as long as it is not made.
  private @Nullable StackfulTask<@Nullable Void> task;

  /// Whether the body has returned, and its `ended` is called with the outcome.
  private boolean trapped;

  LazyCoroutineBody(Loop loop, LazyStackfulTasks<E> kind, LazyTasks.Body<E> body) {
    this.loop = loop;
    this.kind = kind;
    this.body = body;
  }

  /// Runs the body of the first task of a chain until that leaves its stack, and those of the tasks
  /// that follow on it.
  Coroutine.Pause begin(LazyChain of) {
    chain = of;
    Coroutine own = loop.newCoroutine("", this);
    coroutine = own;
    return own.resume();
  }

  @Nullable StackfulTask<?> task() {
    return task;
  }

  boolean isTrapped() {
    return trapped;
  }

  /// Called when the task is made, in its turn.
  void becomes(StackfulTask<@Nullable Void> made) {
    Coroutine own = coroutine;
    if (own == null) {
      throw new AssertionError("no turn is under way of " + made);
    }
    task = made;
    made.coroutine = own;
    coroutine = null;
    chain = null;
  }

  @Override
  public void run() {
    for (LazyChain own = chain; own != null; own = chainOfFollower()) {
      trapped = false;
      runOne(kind.of(own.beginFirst()));
    }
    chain = null;
    coroutine = null;
  }

  /// The chain whose first task has its turn on this coroutine now; null if none has.
  private @Nullable LazyChain chainOfFollower() {
    LazyChain own = chain;
    return own != null && loop.goesOnWith(own) ? own : null;
  }

  private void runOne(E own) {
    Throwable failure = null;
    try {
      body.run(own);
    } catch (Throwable e) {
      failure = e;
    }
    if (task == null && (failure != null || Thread.currentThread().isInterrupted())) {
      loop.makeRunning(); // observers see its failure, or its interrupt
    }
    StackfulTask<@Nullable Void> made = task;
    if (made != null) {
      made.finish(failure == null ? TaskResult.success(null) : made.endedBy(failure));
    } else {
      end(own);
    }
  }

  /// Ends without a task, unless the body asks for the task at its end.
  private void end(E own) {
    trapped = true;
    Outcome<@Nullable Void> outcome = TaskResult.success(null);
    try {
      body.ended(own, null, outcome);
    } catch (Throwable e) {
      outcome = new Outcome.Failure<>(e);
      loop.makeRunning();
    }
    StackfulTask<@Nullable Void> made = task;
    if (made != null) {
      made.finish(outcome);
    }
  }

  /// Not called: it shares the thread of the loop.
  @Override
  public void unblocked() {}
}
