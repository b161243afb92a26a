package dev.rondo.computicle;

import dev.rondo.application.internal.MainListener;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The computicles and pools that tasks of a scheduler have started. They end with the scheduler,
/// after its tasks. As in a task group, the outcome of the main task matters. If it has returned,
/// or there is no main task, the children have their grace. If it has failed or was cancelled, the
/// children are cancelled at once. A cancellation goes down all levels: when a computicle or pool
/// is cancelled, its children are cancelled too, whatever the outcome of its main task.
final class Children implements MainListener {

  private final Set<Child> alive = ConcurrentHashMap.newKeySet();

  /// Whether the last main task has returned. Confined to the scheduler's thread.
  private boolean mainReturned = true;

  /// Whether the computicle or pool of this scheduler was cancelled. Set by any thread.
  private volatile boolean cancelled;

  /// Whether the scheduler waits for the children. Set by its thread.
  private volatile boolean closing;

  static Children of(Scheduler parent) {
    Children found = parent.host().addOn(Children.class);
    if (found == null) {
      found = new Children();
      parent.host().install(found);
    }
    return found;
  }

  void add(Child child) {
    alive.add(child);
  }

  /// Any thread.
  void remove(Child child) {
    alive.remove(child);
  }

  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  @Override
  public void mainEnded(Outcome<?> outcome) {
    mainReturned = outcome instanceof Outcome.Success<?>;
  }

  /// The computicle or pool of this scheduler is cancelled. The children are cancelled when the
  /// scheduler closes, or now if it is closing already. Any thread.
  void cancel() {
    cancelled = true; // before it reads the other flag; close() does the reverse
    if (closing) {
      alive.forEach(Child::cancel);
    }
  }

  /// Ends all children, and blocks until they have ended.
  @Override
  public void close() {
    closing = true;
    List<Child> left = List.copyOf(alive);
    left.forEach(mainReturned && !cancelled ? Child::quit : Child::cancel);
    left.forEach(Child::blockUntilEnded);
  }
}
