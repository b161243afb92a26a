package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The waiters of a [WaitQueue], linked through themselves.
///
/// When an event wakes all of them, the chain as a whole takes one place in the ready queue, in
/// constant time for the notifier, and the queue begins a new one. From then on each of the tasks
/// is ready, though its own fields do not say so yet: the chain *resolves* into its tasks, one by
/// one as their turns come, or all at once when the state of one of them is asked for. After M.
/// Maia's cothread, where a signal's list of tasks is spliced into that of the scheduler.
public final class WaitChain extends ReadyEntry {

  /// Below this, waking one after the other is as fast.
  private static final int FEW = 16;

  private @Nullable WaiterCore<?> first;
  private @Nullable WaiterCore<?> last;
  private int size;

  /// How many of them must be woken one by one: a branch of a choice, for the sake of its sister
  /// branches, and an add-on, which may have precedence.
  private int individuals;

  /// The loop whose ready queue the chain is in; null before it was woken.
  private @Nullable Loop wokenIn;

  private @Nullable Object value;
  private @Nullable Throwable failure;

  /// Whether a waiter is in this chain.
  public boolean has(Waiter<?> waiter) {
    return ((WaiterCore<?>) waiter).chain == this;
  }

  /// Whether a waiter is in some chain.
  public static boolean isChained(Waiter<?> waiter) {
    return ((WaiterCore<?>) waiter).chain != null;
  }

  /// An empty chain.
  public WaitChain() {}

  /// Puts a waiter at the end.
  public void add(Waiter<?> added) {
    var waiter = (WaiterCore<?>) added;
    waiter.chain = this;
    waiter.before = last;
    if (last == null) {
      first = waiter;
    } else {
      last.after = waiter;
    }
    last = waiter;
    size++;
    if (isIndividual(waiter)) {
      individuals++;
    }
  }

  /// Takes out a waiter that is in this chain.
  public void remove(Waiter<?> removed) {
    var waiter = (WaiterCore<?>) removed;
    WaiterCore<?> before = waiter.before;
    WaiterCore<?> after = waiter.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    waiter.chain = null;
    waiter.after = null;
    waiter.before = null;
    size--;
    if (isIndividual(waiter)) {
      individuals--;
    }
  }

  private static boolean isIndividual(WaiterCore<?> waiter) {
    return waiter instanceof SelectCase || waiter.task().addOn;
  }

  /// {@return the waiter that has waited longest}
  public @Nullable WaiterCore<?> first() {
    WaiterCore<?> oldest = first;
    return oldest == null || individuals == 0 ? oldest : firstThatWaits();
  }

  private @Nullable WaiterCore<?> firstThatWaits() {
    WaiterCore<?> at;
    while ((at = first) != null && isResting(at)) {
      remove(at);
    }
    return at;
  }

  /// {@return the waiter that came last; if its case rests, it refuses to be fired}
  public @Nullable WaiterCore<?> last() {
    return last;
  }

  /// {@return how many waiters there are}
  public int size() {
    dropResting();
    return size;
  }

  /// A resting case is in here, see [SelectCases], but does not wait. A caller that asks for a
  /// waiter, or for their number, may be about to keep an event because there is none. So what it
  /// passes over is dropped, and will look for that event itself.
  private void dropResting() {
    WaiterCore<?> at = individuals > 0 ? first : null;
    while (at != null) {
      WaiterCore<?> next = at.after;
      if (isResting(at)) {
        remove(at);
      }
      at = next;
    }
  }

  private static boolean isResting(WaiterCore<?> waiter) {
    return waiter instanceof SelectCase branch && branch.isOver();
  }

  /// {@return the tasks of the waiters, in order}
  public List<Task<?>> tasks() {
    dropResting();
    var tasks = new ArrayList<Task<?>>(size);
    for (WaiterCore<?> each = first; each != null; each = each.after) {
      tasks.add(each.task());
    }
    return Collections.unmodifiableList(tasks);
  }

  /// Whether it is worth, and right, to wake all at once.
  public boolean canWakeAll() {
    return size > FEW && individuals == 0;
  }

  boolean isWoken() {
    return wokenIn != null;
  }

  /// Makes all of them ready at once.
  ///
  /// @return false if the scheduling policy has to see each; nothing has changed then
  public boolean wakeAll(@Nullable Object payload, @Nullable Throwable cause, boolean front) {
    WaiterCore<?> any = first;
    if (any == null) {
      return false;
    }
    Loop loop = any.loop();
    loop.checkCaller();
    if (loop.hasPolicy()) {
      return false;
    }
    value = payload;
    failure = cause;
    wokenIn = loop;
    loop.enqueue(this, front);
    return true;
  }

  /// Resolves the first of a woken chain: its wait is settled, and it is not in here any more. Its
  /// task takes a place of its own if its state says that it is ready.
  ///
  /// @return the task; null if there is none left
  @Nullable TaskCore<?> resolveFirst() {
    if (!(first instanceof TaskWaiter waiter)) {
      return null;
    }
    remove(waiter);
    waiter.woken(value, failure);
    return waiter.task();
  }

  /// Has all tasks of a woken chain take places of their own, where the chain was.
  void resolve() {
    Loop loop = wokenIn;
    if (loop != null) {
      loop.resolve(this);
    }
  }
}
