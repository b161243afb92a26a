package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.WaiterList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The waiters of one event, first come, first served: most [Waitable]s keep their waiters in one.
/// Intrusive: to add or remove a waiter needs no allocation and no search.
///
/// Confined to the scheduler's thread. A waiter can be in one queue at a time. No method is a
/// suspension point.
///
/// @param <T> the type of the value of the event
public final class WaitQueue<T extends @Nullable Object> {

  private final WaiterList waiters = new WaiterList();

  /// Makes an empty queue.
  public WaitQueue() {}

  /// Adds a waiter at the end.
  ///
  /// @param waiter in no queue
  /// @throws IllegalStateException if it is in one already
  public void add(Waiter<? super T> waiter) {
    if (WaiterList.isListed(waiter)) {
      throw new IllegalStateException(
          "the waiter of task '" + waiter.task().name() + "' is in a wait queue already");
    }
    waiters.add(waiter);
  }

  /// Removes a waiter.
  ///
  /// @param waiter any
  /// @return whether it was in this queue
  public boolean remove(Waiter<?> waiter) {
    if (!waiters.has(waiter)) {
      return false;
    }
    waiters.remove(waiter);
    return true;
  }

  /// Fires the waiter that has waited longest.
  ///
  /// @param value the result of its wait
  /// @return whether a waiter received the value; if not, the caller keeps the event
  public boolean fireFirst(T value) {
    Waiter<? super T> waiter = null;
    try {
      while ((waiter = poll()) != null) {
        if (waiter.fire(value)) {
          return true;
        }
      }
    } catch (StackOverflowError e) {
      throw WaiterList.cutShort(waiter, e);
    }
    return false;
  }

  /// Fires all waiters, in the order they began to wait; their tasks go to the back of the ready
  /// queue.
  ///
  /// @param value the result of their waits
  /// @return the number of waiters that received it
  public int fireAll(T value) {
    int woken = 0;
    Waiter<? super T> waiter = null;
    try {
      for (int left = waiters.size(); left > 0; left--) {
        waiter = poll();
        if (waiter == null) {
          break; // firing one disarmed another: a task that selects on this event twice
        }
        if (waiter.fire(value)) {
          woken++;
        }
      }
    } catch (StackOverflowError e) {
      throw WaiterList.cutShort(waiter, e);
    }
    return woken;
  }

  /// [#fireAll], but the tasks go to the front of the ready queue, still in the order they began to
  /// wait.
  ///
  /// @param value the result of their waits
  /// @return the number of waiters that received it
  public int fireAllNext(T value) {
    int woken = 0;
    // From the end, each to the very front: the one that has waited longest ends up first.
    Waiter<? super T> waiter = null;
    try {
      for (int left = waiters.size(); left > 0; left--) {
        waiter = cast(waiters.last());
        if (waiter == null) {
          break;
        }
        remove(waiter);
        if (waiter.fireNext(value)) {
          woken++;
        }
      }
    } catch (StackOverflowError e) {
      throw WaiterList.cutShort(waiter, e);
    }
    return woken;
  }

  /// Fails the waiter that has waited longest.
  ///
  /// @param failure what its wait throws
  /// @return whether a waiter received it; if not, the failure is the caller's
  public boolean failFirst(Throwable failure) {
    Objects.requireNonNull(failure, "failure is null");
    Waiter<? super T> waiter = null;
    try {
      while ((waiter = poll()) != null) {
        if (waiter.fail(failure)) {
          return true;
        }
      }
    } catch (StackOverflowError e) {
      throw WaiterList.cutShort(waiter, e);
    }
    return false;
  }

  /// Fails all waiters, in the order they began to wait, as [#fireAll] fires them.
  ///
  /// @param failure what their waits throw
  /// @return the number of waiters that received it
  public int failAll(Throwable failure) {
    Objects.requireNonNull(failure, "failure is null");
    int failed = 0;
    Waiter<? super T> waiter = null;
    try {
      for (int left = waiters.size(); left > 0; left--) {
        waiter = poll();
        if (waiter == null) {
          break;
        }
        if (waiter.fail(failure)) {
          failed++;
        }
      }
    } catch (StackOverflowError e) {
      throw WaiterList.cutShort(waiter, e);
    }
    return failed;
  }

  /// Removes the waiter that has waited longest.
  ///
  /// @return the waiter; null if there is none
  public @Nullable Waiter<? super T> poll() {
    Waiter<? super T> waiter = cast(waiters.first());
    if (waiter != null) {
      remove(waiter);
    }
    return waiter;
  }

  /// {@return the waiter that has waited longest, which stays in the queue; null if there is none}
  public @Nullable Waiter<? super T> peek() {
    return cast(waiters.first());
  }

  /// {@return the tasks of the waiters now, first come first} A task with several waiters is there
  /// for each.
  public List<Task<?>> tasks() {
    return waiters.tasks();
  }

  /// {@return how many waiters there are}
  public int size() {
    return waiters.size();
  }

  /// {@return whether there are no waiters}
  public boolean isEmpty() {
    return waiters.first() == null;
  }

  /// Only waiters of this type are added, see [#add].
  @SuppressWarnings("unchecked")
  private @Nullable Waiter<? super T> cast(@Nullable Waiter<?> waiter) {
    return (Waiter<? super T>) waiter;
  }
}
