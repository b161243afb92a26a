package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.Faces.Waiting;
import dev.rondo.scheduler.engine.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The waiters of one event, first come, first served. Most [Waitable]s keep their waiters in a
/// queue of this class. The queue is intrusive: adding or removing a waiter needs no allocation and
/// no search.
///
/// Confined to the scheduler's thread. A waiter can be in one queue at a time. No method is a
/// suspension point.
///
/// @param <T> the type of the value of the event
public final class WaitQueue<T extends @Nullable Object> {

  private @Nullable Waiting<?> first;
  private @Nullable Waiting<?> last;
  private int size;

  /// The number of waiters that are branches of a choice, which may rest: see
  /// [Waiting#isResting()].
  private int cases;

  /// Makes an empty queue.
  public WaitQueue() {}

  /// Adds a waiter at the end.
  ///
  /// @param waiter in no queue
  /// @throws IllegalStateException if the waiter is in a queue already
  public void add(Waiter<? super T> waiter) {
    Waiting<?> added = Waiting.of(waiter);
    if (added.queue != null) {
      throw new IllegalStateException(
          "the waiter of task '" + waiter.task().name() + "' is in a wait queue already");
    }
    added.queue = this;
    added.before = last;
    if (last == null) {
      first = added;
    } else {
      last.after = added;
    }
    last = added;
    size++;
    if (added.mayRest) {
      cases++;
    }
  }

  /// Removes a waiter.
  ///
  /// @param waiter any
  /// @return whether the waiter was in this queue
  public boolean remove(Waiter<?> waiter) {
    Waiting<?> removed = Waiting.of(waiter);
    if (removed.queue != this) {
      return false;
    }
    unlink(removed);
    return true;
  }

  private void unlink(Waiting<?> waiter) {
    Waiting<?> before = waiter.before;
    Waiting<?> after = waiter.after;
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
    waiter.queue = null;
    waiter.after = null;
    waiter.before = null;
    size--;
    if (waiter.mayRest) {
      cases--;
    }
  }

  /// Fires the waiter that has waited longest.
  ///
  /// @param value the result of its wait
  /// @return whether a waiter received the value; if not, the caller keeps the event
  public boolean fireFirst(T value) {
    return wake(Integer.MAX_VALUE, 1, value, null, Place.BACK) > 0;
  }

  /// Fires all waiters, in the order they began to wait; their tasks go to the back of the ready
  /// queue.
  ///
  /// @param value the result of their waits
  /// @return the number of waiters that were settled
  public int fireAll(T value) {
    return wake(size(), Integer.MAX_VALUE, value, null, Place.BACK);
  }

  /// [#fireAll], but the tasks go to the front of the ready queue, still in the order they began to
  /// wait.
  ///
  /// @param value the result of their waits
  /// @return the number of waiters that were settled
  public int fireAllNext(T value) {
    return wake(size(), Integer.MAX_VALUE, value, null, Place.FRONT);
  }

  /// Fails all waiters, in the order they began to wait, as [#fireAll] fires them.
  ///
  /// @param failure what their waits throw
  /// @return the number of waiters that were settled
  public int failAll(Throwable failure) {
    Objects.requireNonNull(failure, "failure is null");
    return wake(size(), Integer.MAX_VALUE, null, failure, Place.BACK);
  }

  /// Removes waiters, and settles them.
  ///
  /// @param tries how many to remove at most
  /// @param most how many to settle at most
  /// @param place at the FRONT the last waiter is settled first, so that the waiter that has waited
  ///   longest ends up at the head
  /// @return how many were settled
  private int wake(
      int tries, int most, @Nullable Object value, @Nullable Throwable failure, Place place) {
    int woken = 0;
    Waiting<?> waiter = null;
    try {
      for (int left = tries; left > 0 && woken < most; left--) {
        waiter = place == Place.FRONT ? last : first();
        if (waiter == null) {
          break; // a task that selects on this event twice: waking one waiter disarmed the other
        }
        unlink(waiter);
        waiter.checkCaller();
        if (waiter.settle(value, failure, place)) {
          woken++;
        }
      }
    } catch (StackOverflowError e) {
      if (waiter == null) {
        throw e;
      }
      throw waiter.cutShort("it woke a task", e);
    }
    return woken;
  }

  /// Removes the waiter that has waited longest.
  ///
  /// @return the waiter; null if there is none
  public @Nullable Waiter<? super T> poll() {
    Waiter<? super T> waiter = peek();
    if (waiter != null) {
      remove(waiter);
    }
    return waiter;
  }

  /// {@return the waiter that has waited longest, which stays in the queue; null if there is none}
  @SuppressWarnings("unchecked") // only waiters of this type are added
  public @Nullable Waiter<? super T> peek() {
    return (Waiter<? super T>) first();
  }

  private @Nullable Waiting<?> first() {
    Waiting<?> oldest = first;
    while (oldest != null && oldest.mayRest && oldest.isResting()) {
      unlink(oldest);
      oldest = first;
    }
    return oldest;
  }

  /// {@return the tasks of the waiters now, in the order they began to wait} A task with several
  /// waiters is listed once for each.
  public List<Task<?>> tasks() {
    dropResting();
    var tasks = new ArrayList<Task<?>>(size);
    for (Waiting<?> each = first; each != null; each = each.after) {
      tasks.add(each.task());
    }
    return Collections.unmodifiableList(tasks);
  }

  /// {@return the number of waiters}
  public int size() {
    dropResting();
    return size;
  }

  /// {@return whether there are no waiters}
  public boolean isEmpty() {
    return first() == null;
  }

  /// Drops all resting cases, which are in the queue but do not wait. A caller that finds no
  /// waiters keeps its event. A dropped case polls for that event in its next wait.
  private void dropResting() {
    Waiting<?> at = cases > 0 ? first : null;
    while (at != null) {
      Waiting<?> next = at.after;
      if (at.isResting()) {
        unlink(at);
      }
      at = next;
    }
  }
}
