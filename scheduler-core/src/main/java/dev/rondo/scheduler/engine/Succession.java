package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.coroutine.Coroutine;
import org.jspecify.annotations.Nullable;

/// Lets tasks that never give way share a coroutine.
///
/// A task that ends in its first turn leaves behind a coroutine that was never suspended. If the
/// next turn is the first one of its task, too, the task begins on that coroutine and needs none of
/// its own. If the next turn is that of a task which has a coroutine already, that one is resumed
/// above this one, which is left only when the loop has something else to decide. A task that gives
/// way in its first turn keeps the coroutine for good.
///
/// So a batch of children that never wait costs one coroutine, and so do children that their parent
/// joins one by one. Each turn counts as any other, and observers see it. It is given in this way
/// only if the loop would give it next, and at once.
///
/// Confined to the scheduler's thread. On backends whose tasks have threads it is not used.
final class Succession implements Coroutine.Body {

  private final Loop loop;

  /// Whether tasks may share a coroutine in the turns that the loop gives.
  boolean open;

  /// Whether the turn under way is the first one on its coroutine, and others may follow on it.
  private boolean first;

  /// The task that has begun last; null if it has ended.
  private @Nullable StackfulTask<?> latest;

  Succession(Loop loop) {
    this.loop = loop;
  }

  /// Called when a run is over, however it ended: no turn is under way.
  void end() {
    open = false;
    first = false;
  }

  /// Gives a task its first turn, and then those that follow it theirs.
  ///
  /// @return false if none may follow: the caller gives the turn
  boolean begin(StackfulTask<?> task) {
    if (!open) {
      return false;
    }
    Coroutine own = loop.newCoroutine("", this);
    task.coroutine = own;
    latest = task;
    first = true;
    Coroutine.Pause pause = own.resume();
    first = false;
    StackfulTask<?> suspended = latest;
    if (suspended != null) {
      latest = null;
      left(task, suspended, pause);
    }
    return true;
  }

  /// Called when a task has left the coroutine without ending.
  ///
  /// @param given the task to which the loop has given the turn
  private void left(StackfulTask<?> given, StackfulTask<?> task, Coroutine.Pause pause) {
    if (loop.errand != null) {
      task.left(pause);
    }
    if (task != given) {
      loop.endInnerTurn(task);
    }
  }

  /// The body of the coroutine.
  @Override
  public void run() {
    StackfulTask<?> task = loop.currentStackful("its first turn");
    while (task != null) {
      task.run();
      task = followerOf(task);
    }
  }

  /// The task that begins where another one has ended; null if none does.
  private @Nullable StackfulTask<?> followerOf(StackfulTask<?> ended) {
    Coroutine own = ended.coroutine;
    ended.coroutine = null;
    latest = null;
    if (!first) {
      return null;
    }
    loop.endInnerTurn(ended);
    StackfulTask<?> next = nextToBegin();
    if (next != null) {
      next.coroutine = own;
      latest = next;
      loop.beginInnerTurn(next);
    }
    return next;
  }

  /// Gives the tasks that have begun before their turns above this coroutine.
  ///
  /// @return the first task behind them that has not begun; null if the loop has to decide first
  private @Nullable StackfulTask<?> nextToBegin() {
    StackfulTask<?> next = loop.nextStackful();
    while (next != null && next.coroutine != null) {
      first = false;
      loop.turn(next);
      first = true;
      next = loop.nextStackful();
    }
    return next;
  }

  /// Not called: it shares the thread of the loop.
  @Override
  public void unblocked() {}
}
