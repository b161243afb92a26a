package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.WaitChain;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The waiters of one event, first come, first served: most [Waitable]s keep their waiters in one.
/// Intrusive: to add or remove a waiter needs no allocation and no search.
///
/// Confined to the scheduler's thread. A waiter can be in one queue at a time. No method is a
/// suspension point. A method that fires waiters, at the end of a deep recursion, fires all of them
/// or throws a `StackOverflowError` and fires none.
///
/// @param <T> the type of the value of the event
public final class WaitQueue<T extends @Nullable Object> {

  private WaitChain chain = new WaitChain();

  /// Makes an empty queue.
  public WaitQueue() {}

  /// Adds a waiter at the end.
  ///
  /// @param waiter in no queue
  /// @throws IllegalStateException if it is in one already
  public void add(Waiter<? super T> waiter) {
    if (WaitChain.isChained(waiter)) {
      throw new IllegalStateException(
          "the waiter of task '" + waiter.task().name() + "' is in a wait queue already");
    }
    chain.add(waiter);
  }

  /// Removes a waiter.
  ///
  /// @param waiter any
  /// @return whether it was in this queue
  public boolean remove(Waiter<?> waiter) {
    if (!chain.has(waiter)) {
      return false;
    }
    chain.remove(waiter);
    return true;
  }

  /// Fires the waiter that has waited longest.
  ///
  /// @param value the result of its wait
  /// @return whether a waiter received the value; if not, the caller keeps the event
  public boolean fireFirst(T value) {
    WaitChain.requireStackRoom();
    Waiter<? super T> waiter;
    while ((waiter = poll()) != null) {
      if (waiter.fire(value)) {
        return true;
      }
    }
    return false;
  }

  /// Fires all waiters, in the order they began to wait; their tasks go to the back of the ready
  /// queue. Takes constant time, however many there are, unless some of them wait in a select or
  /// the scheduler has a [SchedulingPolicy].
  ///
  /// @param value the result of their waits
  /// @return the number of waiters that received it
  public int fireAll(T value) {
    int called = callAll(value, null, Place.BACK);
    return called > 0 ? called : fireEach(value);
  }

  private int fireEach(T value) {
    int woken = 0;
    for (int left = chain.size(); left > 0; left--) {
      Waiter<? super T> waiter = poll();
      if (waiter == null) {
        break; // firing one disarmed another: a task that selects on this event twice
      }
      if (waiter.fire(value)) {
        woken++;
      }
    }
    return woken;
  }

  /// [#fireAll], but the tasks go to the front of the ready queue, still in the order they began to
  /// wait.
  ///
  /// @param value the result of their waits
  /// @return the number of waiters that received it
  public int fireAllNext(T value) {
    int called = callAll(value, null, Place.FRONT);
    return called > 0 ? called : fireEachNext(value);
  }

  private int fireEachNext(T value) {
    int woken = 0;
    // From the end, each to the very front: the one that has waited longest ends up first.
    for (int left = chain.size(); left > 0; left--) {
      Waiter<? super T> waiter = cast(chain.last());
      if (waiter == null) {
        break;
      }
      remove(waiter);
      if (waiter.fireNext(value)) {
        woken++;
      }
    }
    return woken;
  }

  /// Fails the waiter that has waited longest.
  ///
  /// @param failure what its wait throws
  /// @return whether a waiter received it; if not, the failure is the caller's
  public boolean failFirst(Throwable failure) {
    WaitChain.requireStackRoom();
    Objects.requireNonNull(failure, "failure is null");
    Waiter<? super T> waiter;
    while ((waiter = poll()) != null) {
      if (waiter.fail(failure)) {
        return true;
      }
    }
    return false;
  }

  /// Fails all waiters, in the order they began to wait, as [#fireAll] fires them.
  ///
  /// @param failure what their waits throw
  /// @return the number of waiters that received it
  public int failAll(Throwable failure) {
    int called = callAll(null, Objects.requireNonNull(failure, "failure is null"), Place.BACK);
    return called > 0 ? called : failEach(failure);
  }

  private int failEach(Throwable failure) {
    int failed = 0;
    for (int left = chain.size(); left > 0; left--) {
      Waiter<? super T> waiter = poll();
      if (waiter == null) {
        break;
      }
      if (waiter.fail(failure)) {
        failed++;
      }
    }
    return failed;
  }

  /// Wakes all waiters at once, if that is possible.
  ///
  /// @return how many; 0 if it was not possible
  private int callAll(@Nullable Object value, @Nullable Throwable failure, Place place) {
    WaitChain.requireStackRoom();
    WaitChain called = chain;
    int size = called.size(); // none of them rests
    if (!called.canWakeAll() || !called.wakeAll(value, failure, place)) {
      return 0;
    }
    chain = new WaitChain();
    return size;
  }

  /// Removes the waiter that has waited longest.
  ///
  /// @return the waiter; null if there is none
  public @Nullable Waiter<? super T> poll() {
    Waiter<? super T> waiter = cast(chain.first());
    if (waiter != null) {
      remove(waiter);
    }
    return waiter;
  }

  /// {@return the waiter that has waited longest, which stays in the queue; null if there is none}
  public @Nullable Waiter<? super T> peek() {
    return cast(chain.first());
  }

  /// {@return the tasks of the waiters now, first come first} A task with several waiters is there
  /// for each.
  public List<Task<?>> tasks() {
    return chain.tasks();
  }

  /// {@return how many waiters there are}
  public int size() {
    return chain.size();
  }

  /// {@return whether there are no waiters}
  public boolean isEmpty() {
    return chain.first() == null;
  }

  /// Only waiters of this type are added, see [#add].
  @SuppressWarnings("unchecked")
  private @Nullable Waiter<? super T> cast(@Nullable Waiter<?> waiter) {
    return (Waiter<? super T>) waiter;
  }
}
