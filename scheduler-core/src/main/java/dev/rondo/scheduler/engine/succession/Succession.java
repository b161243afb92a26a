package dev.rondo.scheduler.engine.succession;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.StackfulTask;
import org.jspecify.annotations.Nullable;

/// Lets tasks that never give way share a coroutine.
///
/// A task that ends in its first turn leaves behind a coroutine that was never suspended. If the
/// next turn is also the first turn of its task, the task begins on that coroutine and does not
/// need another. If the next task has a coroutine already, that coroutine is resumed above this
/// one. This one is left only when the loop has something else to decide. A task that gives way in
/// its first turn keeps the coroutine for good.
///
/// So a batch of children that never wait costs one coroutine. Children that their parent joins one
/// by one cost one coroutine, too. Each turn counts like any other turn, and observers see it. A
/// turn is given in this way only if the loop would give it next, and at once.
///
/// Confined to the scheduler's thread. On backends whose tasks have threads it is not used.
public final class Succession implements Rooms.FirstTurns, Coroutine.Body {

  private final Loop loop;

  /// Whether the current turn is the first on its coroutine, and others may follow on it.
  private boolean first;

  /// The task that was the last to begin; null if it has ended.
  private @Nullable StackfulTask<?> latest;

  /// Makes the succession of a loop.
  public Succession(Loop loop) {
    this.loop = loop;
  }

  @Override
  public void begin(StackfulTask<?> task) {
    CoroutineBackend backend = loop.backend;
    Coroutine own = backend.newCoroutine("", this);
    task.coroutine = own;
    latest = task;
    Coroutine.Pause pause;
    try {
      first = true;
      pause = own.resume();
    } finally {
      first = false;
    }
    StackfulTask<?> suspended = latest;
    if (suspended != null) {
      latest = null;
      left(task, suspended, pause);
    }
  }

  /// Called when a task has left the coroutine without ending.
  ///
  /// @param given the task to which the loop has given the turn
  private void left(StackfulTask<?> given, StackfulTask<?> task, Coroutine.Pause pause) {
    if (loop.errand != null) {
      task.left(pause);
    }
    if (task != given) {
      loop.endTurnAndReport(task);
    }
  }

  /// The body of the coroutine.
  @Override
  public void run() {
    StackfulTask<?> task = latest;
    while (task != null) {
      task.run();
      task = followerOf(task);
    }
  }

  /// The task that begins where another task has ended; null if there is none.
  private @Nullable StackfulTask<?> followerOf(StackfulTask<?> ended) {
    Coroutine own = ended.coroutine;
    ended.coroutine = null;
    latest = null;
    if (!first) {
      return null;
    }
    loop.endTurnAndReport(ended);
    StackfulTask<?> next = nextToBegin();
    if (next != null) {
      next.coroutine = own;
      latest = next;
      loop.beginInnerTurn(next);
    }
    return next;
  }

  /// Gives turns, above this coroutine, to tasks that have begun before.
  ///
  /// @return the first task behind these that has not begun; null if the loop has to decide first
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

  /// Not called: the coroutine shares the thread of the loop.
  @Override
  public void unblocked() {}
}
