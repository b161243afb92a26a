package dev.rondo.scheduler.engine.select;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.TaskExtras;
import dev.rondo.scheduler.engine.TaskWaiter;
import dev.rondo.scheduler.engine.WaiterCore;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The cases of a choice, one for each part. The cases serve the waits of the choice one after
/// another.
///
/// | state | the wait | the winner |
/// |---|---|---|
/// | free | none | none |
/// | open | under way | none |
/// | won | settled, its result not taken yet | the case whose event came |
///
/// When a wait is won, the other cases have to leave their sources. In the first wait they do so at
/// once. A choice that is awaited again is probably awaited in a loop. So from then on the cases
/// *rest*, unless they are few. A case rests if the source [allows it][Source#mayStayArmed()]: it
/// stays in the source's queue, and the queue passes over it. The next wait finds the case armed,
/// and neither polls nor arms its source. So the cost of a wait depends on the number of sources
/// that have changed since the last wait, as with `epoll`, and not on the number of all sources.
///
/// A task keeps the resting cases of at most one choice, and none when it has ended.
final class SelectCases implements Consumer<TaskCore<?>> {

  /// With so few cases, leaving and coming back is as fast as resting.
  private static final int FEW = 3;

  private final SelectCase[] all;

  /// The wait that the cases serve; null while they are free.
  private @Nullable WaiterCore<?> wait;

  private @Nullable SelectCase winner;

  /// The value with which the winner was fired.
  private @Nullable Object raw;

  /// Whether the cases have served a wait before.
  private boolean servedBefore;

  /// The task whose wait ended when some cases began to rest; null if no case rests.
  private @Nullable TaskCore<?> restsFor;

  private final Loop loop;

  /// Makes cases that serve a wait.
  SelectCases(Waitable<?>[] parts, WaiterCore<?> wait, Loop loop) {
    this.wait = wait;
    this.loop = loop;
    all = new SelectCase[parts.length];
    for (int i = 0; i < parts.length; i++) {
      all[i] = new SelectCase(this, parts[i]);
    }
  }

  // The wait.

  /// Begins to serve a wait.
  void serve(WaiterCore<?> begun) {
    wait = begun;
  }

  /// Whether the cases can serve tasks of a loop. They can serve only the loop whose tasks they
  /// have served before. Tasks of any loop may wait for some choices.
  boolean canServe(Loop other) {
    return loop == other;
  }

  /// The wait that the cases serve, or have just served; null if they are free.
  @Nullable WaiterCore<?> waitIfAny() {
    return wait;
  }

  /// The wait that the cases serve, if no case has won it yet.
  @Nullable WaiterCore<?> openWait() {
    return winner == null ? wait : null;
  }

  @Nullable SelectCase winner() {
    return winner;
  }

  @Nullable Object raw() {
    return raw;
  }

  /// The index of a case among its siblings, counted from 0.
  int indexOf(SelectCase of) {
    int index = 0;
    while (all[index] != of) {
      index++;
    }
    return index;
  }

  /// Asks the sources of all cases that did not stay armed.
  ///
  /// @return whether the wait is settled
  boolean poll() {
    for (SelectCase each : all) {
      if (!each.staysArmed() && each.poll()) {
        return true;
      }
    }
    return winner != null; // polling one source has fired a case that stayed armed
  }

  /// Arms all cases that are not armed.
  void arm() {
    WaiterCore<?> served = Objects.requireNonNull(wait);
    for (SelectCase each : all) {
      if (each.arm() && served.isSettled()) {
        return; // a part fired while it was being armed: the other cases must not be armed
      }
    }
  }

  /// Called when a case has settled the wait. The other cases leave their sources, or rest.
  void wonBy(SelectCase by, @Nullable Object value) {
    winner = by;
    raw = value;
    if (servedBefore && all.length > FEW && wait instanceof TaskWaiter) {
      leaveOrRest(by.task());
    } else {
      leaveAll();
    }
  }

  private void leaveOrRest(TaskCore<?> task) {
    boolean resting = false;
    for (SelectCase each : all) {
      resting |= each.leaveOrRest();
    }
    if (resting) {
      restFor(task);
    }
  }

  private void leaveAll() {
    for (SelectCase each : all) {
      each.leave();
    }
  }

  /// Called when the wait ends without an event of a case. All cases leave their sources.
  void leave() {
    leaveAll();
    forget();
  }

  /// Called when the result of the wait was taken. Resting cases stay where they are.
  void forget() {
    SelectCase first = winner;
    if (first != null) {
      first.attachment = null;
    }
    wait = null;
    winner = null;
    raw = null;
    servedBefore = true;
  }

  /// Ends a poll that has found no event, if the cases will not be armed.
  void endPoll() {
    TaskCore<?> task = all[0].task();
    boolean resting = false;
    for (SelectCase each : all) {
      resting |= each.endPoll();
    }
    forget();
    if (resting) {
      restFor(task);
    }
  }

  // Resting.

  private void restFor(TaskCore<?> task) {
    restsFor = task;
    TaskExtras its = task.extras();
    Consumer<? super TaskCore<?>> before = its.leftover;
    if (before != this) {
      its.leftover = this;
      if (before != null) {
        before.accept(task);
      }
    }
  }

  /// Called when a task no longer keeps the cases. No effect if they have served another task
  /// since.
  @Override
  public void accept(TaskCore<?> task) {
    if (restsFor != task) {
      return;
    }
    restsFor = null;
    if (openWait() != null) {
      return; // the cases leave when that wait is over
    }
    for (SelectCase each : all) {
      each.endRest();
    }
  }
}
