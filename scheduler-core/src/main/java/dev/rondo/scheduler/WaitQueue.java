package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// The waiters of one event, first come first served: what most [Waitable]s keep their waiters in.
/// Intrusive, so that joining and leaving cost no allocation and no search.
///
/// Confined to the scheduler's thread. A waiter can be in one queue at a time. No method is a
/// suspension point.
///
/// @param <T> what the event carries
public final class WaitQueue<T extends @Nullable Object> {

  private @Nullable Waiter<?> first;
  private @Nullable Waiter<?> last;
  private int size;

  /// An empty queue.
  public WaitQueue() {}

  /// Puts a waiter at the end.
  ///
  /// @param waiter in no queue
  /// @throws IllegalStateException if it is in one already
  public void add(Waiter<? super T> waiter) {
    if (waiter.queue != null) {
      throw new IllegalStateException(
          "the waiter of task '" + waiter.task().name() + "' is in a wait queue already");
    }
    waiter.queue = this;
    waiter.previous = last;
    if (last == null) {
      first = waiter;
    } else {
      last.next = waiter;
    }
    last = waiter;
    size++;
  }

  /// Takes a waiter out.
  ///
  /// @param waiter any
  /// @return whether it was in this queue
  public boolean remove(Waiter<?> waiter) {
    if (waiter.queue != this) {
      return false;
    }
    Waiter<?> before = waiter.previous;
    Waiter<?> after = waiter.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    waiter.queue = null;
    waiter.next = null;
    waiter.previous = null;
    size--;
    return true;
  }

  /// Fires the one that has waited longest.
  ///
  /// @param value what its wait results in
  /// @return whether one took it; if not, the event is still the caller's
  public boolean fireFirst(T value) {
    Waiter<? super T> waiter;
    while ((waiter = poll()) != null) {
      if (waiter.fire(value)) {
        return true;
      }
    }
    return false;
  }

  /// Fires all, in the order they began to wait; they go to the back of the ready queue.
  ///
  /// @param value what their waits result in
  /// @return how many took it
  public int fireAll(T value) {
    int woken = 0;
    for (int left = size; left > 0; left--) {
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

  /// Fires all; they go to the front of the ready queue, still in the order they began to wait.
  ///
  /// @param value what their waits result in
  /// @return how many took it
  public int fireAllNext(T value) {
    int woken = 0;
    // From the end, each to the very front: the one that has waited longest ends up first.
    for (int left = size; left > 0; left--) {
      Waiter<? super T> waiter = cast(last);
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

  /// Fails all, in the order they began to wait.
  ///
  /// @param failure what their waits throw
  /// @return how many were told
  public int failAll(Throwable failure) {
    int told = 0;
    for (int left = size; left > 0; left--) {
      Waiter<? super T> waiter = poll();
      if (waiter == null) {
        break;
      }
      if (waiter.fail(failure)) {
        told++;
      }
    }
    return told;
  }

  /// Takes out the one that has waited longest; null if there is none.
  ///
  /// @return the one that has waited longest
  public @Nullable Waiter<? super T> poll() {
    Waiter<? super T> waiter = cast(first);
    if (waiter != null) {
      remove(waiter);
    }
    return waiter;
  }

  /// {@return the one that has waited longest, left in place; null if there is none}
  public @Nullable Waiter<? super T> peek() {
    return cast(first);
  }

  /// {@return how many wait}
  public int size() {
    return size;
  }

  /// {@return whether nobody waits}
  public boolean isEmpty() {
    return size == 0;
  }

  /// Only waiters of this type get in, see [#add].
  @SuppressWarnings("unchecked")
  private @Nullable Waiter<? super T> cast(@Nullable Waiter<?> waiter) {
    return (Waiter<? super T>) waiter;
  }
}
