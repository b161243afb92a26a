package dev.rondo.scheduler.engine.lazy;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.TaskCore;
import org.jspecify.annotations.Nullable;

/// The body of the coroutine on which lazy tasks with stacks run. A task that is made during its
/// turn keeps the coroutine. If a task ends without being made, the next task of the chain runs on
/// the same coroutine, see [LazyChain#passesTurnOn]. A body whose last task ended in this way is
/// reused for another coroutine.
///
/// Confined to the scheduler's thread.
///
/// @param <E> the type of the subjects of the tasks
final class LazyCoroutineBody<E> implements Coroutine.Body {

  private final Loop loop;
  private final LazyStackfulTasks<E> kind;
  private final LazyTasks.Body<E> body;

  /// Null between turns, and after the task was made, because the body may stay on the stack of
  /// that task for long.
  private @Nullable LazyChain chain;

  private @Nullable Coroutine coroutine;

  /// The task, if it was made in this turn; null otherwise.
  private @Nullable StackfulTask<@Nullable Void> task;

  /// Whether the code of the task has returned, and `ended` of its [LazyTasks.Body] has been
  /// called.
  private boolean trapped;

  LazyCoroutineBody(Loop loop, LazyStackfulTasks<E> kind, LazyTasks.Body<E> body) {
    this.loop = loop;
    this.kind = kind;
    this.body = body;
  }

  /// Runs the code of the first task of a chain, and of the tasks that follow it, until a task
  /// leaves the stack.
  Coroutine.Pause begin(LazyChain of) {
    chain = of;
    CoroutineBackend backend = loop.backend;
    Coroutine own = backend.newCoroutine("", this);
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
      runOne(kind.of(own.firstSubject()));
    }
    chain = null;
    coroutine = null;
  }

  /// The chain whose first task has its turn on this coroutine now; null if there is none.
  private @Nullable LazyChain chainOfFollower() {
    LazyChain own = chain;
    return own != null && own.passesTurnOn() ? own : null;
  }

  private void runOne(E own) {
    Throwable failure = null;
    try {
      body.run(own);
    } catch (Throwable e) {
      failure = e;
    }
    if (task == null && (failure != null || Thread.currentThread().isInterrupted())) {
      var _ = loop.runningTask(); // made, because observers see its failure, or its interrupt
    }
    StackfulTask<@Nullable Void> made = task;
    if (made != null) {
      made.finish(failure == null ? TaskCore.success(null) : made.endedBy(failure));
    } else {
      end(own);
    }
  }

  /// Ends a task that was not made, unless `ended` asks for the task and so makes it.
  private void end(E own) {
    trapped = true;
    Outcome<@Nullable Void> outcome = TaskCore.success(null);
    try {
      body.ended(own, null, outcome);
    } catch (Throwable e) {
      outcome = new Outcome.Failure<>(e);
      var _ = loop.runningTask(); // made, because observers see its failure
    }
    StackfulTask<@Nullable Void> made = task;
    if (made != null) {
      made.finish(outcome);
    }
  }

  /// Never called: the coroutine shares the thread of the loop.
  @Override
  public void unblocked() {}
}
