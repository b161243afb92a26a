package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The waiters of a [WaitQueue], linked through themselves.
public final class WaiterList {

  private @Nullable WaiterCore<?> first;
  private @Nullable WaiterCore<?> last;
  private int size;

  /// How many of them are branches of a choice, which may rest: see [WaiterCore#isResting()].
  private int cases;

  /// An empty list.
  public WaiterList() {}

  /// {@return whether a waiter is in this list}
  public boolean has(Waiter<?> waiter) {
    return ((WaiterCore<?>) waiter).list == this;
  }

  /// {@return whether a waiter is in any list}
  public static boolean isListed(Waiter<?> waiter) {
    return ((WaiterCore<?>) waiter).list != null;
  }

  /// Puts a waiter at the end.
  public void add(Waiter<?> added) {
    var waiter = (WaiterCore<?>) added;
    waiter.list = this;
    waiter.before = last;
    if (last == null) {
      first = waiter;
    } else {
      last.after = waiter;
    }
    last = waiter;
    size++;
    if (waiter.mayRest) {
      cases++;
    }
  }

  /// Takes out a waiter that is in this list.
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
    waiter.list = null;
    waiter.after = null;
    waiter.before = null;
    size--;
    if (waiter.mayRest) {
      cases--;
    }
  }

  /// {@return the waiter that has waited longest}
  public @Nullable WaiterCore<?> first() {
    WaiterCore<?> oldest = first;
    return oldest == null || cases == 0 ? oldest : firstThatWaits();
  }

  private @Nullable WaiterCore<?> firstThatWaits() {
    WaiterCore<?> at;
    while ((at = first) != null && at.isResting()) {
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

  /// Drops all resting cases, which are in the list but do not wait. A caller that asks for
  /// waiters, or for their number, keeps its event if there are none. A case that was dropped polls
  /// for that event in its next wait.
  private void dropResting() {
    WaiterCore<?> at = cases > 0 ? first : null;
    while (at != null) {
      WaiterCore<?> next = at.after;
      if (at.isResting()) {
        remove(at);
      }
      at = next;
    }
  }

  /// Called where the stack ends between the removal of a waiter and its wakeup.
  ///
  /// @param waiter null if none was removed
  /// @return the error, for the caller to throw
  public static StackOverflowError cutShort(@Nullable Waiter<?> waiter, StackOverflowError error) {
    return waiter == null ? error : WaiterCore.loopOf(waiter).cutShort("it woke a task", error);
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
}
