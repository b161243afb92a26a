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
/// When an event wakes all waiters, the chain as a whole takes one place in the ready queue, and
/// the wait queue begins a new chain. So the notifier needs constant time. From then on each of the
/// tasks is ready, though its own fields do not say so yet. The chain *resolves* into its tasks one
/// by one, as their turns come, or all at once when the state of one of them is asked for. After M.
/// Maia's cothread, which splices a signal's list of tasks into that of the scheduler.
public final class WaitChain extends ReadyEntry {

  /// With fewer waiters it is as fast to wake them one by one.
  private static final int FEW = 16;

  private @Nullable WaiterCore<?> first;
  private @Nullable WaiterCore<?> last;
  private int size;

  /// How many waiters must be woken one by one: a branch of a choice, because of its siblings, and
  /// an add-on, which may have precedence.
  private int individuals;

  /// The loop in whose ready queue the chain is; null before it was woken.
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

  /// Called before waiters are woken, which must not stop half way.
  ///
  /// @throws StackOverflowError if the stack has no room for that
  public static void requireStackRoom() {
    StackRoom.requireForWaking();
  }

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
    return waiter instanceof SelectCase || waiter.task().isAddOn();
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

  /// {@return the waiter that came last; a resting case refuses to be fired}
  public @Nullable WaiterCore<?> last() {
    return last;
  }

  /// {@return how many waiters there are}
  public int size() {
    dropResting();
    return size;
  }

  /// Drops all resting cases, see [SelectCases], which are in the chain but do not wait. A caller
  /// that asks for waiters, or for their number, keeps its event if there are none. A case that was
  /// dropped polls for that event in its next wait.
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

  /// Whether all can be woken at once, and whether that is worth it.
  public boolean canWakeAll() {
    return size > FEW && individuals == 0;
  }

  boolean isWoken() {
    return wokenIn != null;
  }

  /// Makes all of them ready at once.
  ///
  /// @return false if the scheduling policy has to see each task; nothing has changed then
  public boolean wakeAll(@Nullable Object payload, @Nullable Throwable cause, Place place) {
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
    loop.enqueue(this, place);
    return true;
  }

  /// Resolves the first waiter of a woken chain: settles its wait and takes it out. Its task takes
  /// a place of its own if its state says that it is ready.
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

  /// Gives all tasks of a woken chain places of their own, where the chain was.
  void resolve() {
    Loop loop = wokenIn;
    if (loop != null) {
      loop.resolve(this);
    }
  }
}
