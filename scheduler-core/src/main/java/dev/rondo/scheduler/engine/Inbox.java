package dev.rondo.scheduler.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The one door through which other threads reach a scheduler: a queue of entries that any thread
/// may post to and only the loop drains, and the wakeup that goes with it.
///
/// The queue is a stack of linked entries (R. K. Treiber, *Systems Programming: Coping with
/// Parallelism*, 1986) that the loop takes whole and turns round: one atomic operation for a post,
/// one for a drain of any size, first in first out.
///
/// No wakeup is lost: a poster publishes its entry and then looks whether the loop sleeps; the loop
/// announces its sleep and then looks for entries. Both pairs are ordered by volatile accesses, so
/// at least one of the two sees the other. At most one poster pays for the wakeup of one sleep.
final class Inbox {

  /// Something for the loop to do.
  abstract static class Entry {

    /// Written by the poster before it publishes the entry, then by the loop only.
    private @Nullable Entry next;

    /// Runs on the loop, between turns.
    abstract void deliver();
  }

  /// Stands at the bottom of a stack that takes no more.
  private static final class Closed extends Entry {
    @Override
    void deliver() {
      throw new AssertionError("the closed mark is not an entry");
    }
  }

  private static final Entry CLOSED = new Closed();

  private static final VarHandle HEAD;
  private static final VarHandle ASLEEP;

  static {
    try {
      var lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(Inbox.class, "head", Entry.class);
      ASLEEP = lookup.findVarHandle(Inbox.class, "asleep", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Newest entry. Compare-and-set by posters, get-and-set by the loop.
  private volatile @Nullable Entry head;

  /// Set by the loop before it sleeps; cleared by the loop, or by the poster that wakes it.
  private volatile boolean asleep;

  /// Asked for by any thread, taken note of by the loop.
  private volatile boolean stopRequested;

  private final Runnable wakeup;

  /// @param wakeup ends the loop's sleep, or the next one if it does not sleep now; any thread
  Inbox(Runnable wakeup) {
    this.wakeup = wakeup;
  }

  /// Posts an entry and wakes the loop if it sleeps. Any thread.
  ///
  /// @return false if the inbox is closed; the entry was not taken
  boolean post(Entry entry) {
    Entry top;
    do {
      top = head;
      if (top == CLOSED) {
        return false;
      }
      entry.next = top;
    } while (!HEAD.compareAndSet(this, top, entry));
    wakeIfAsleep();
    return true;
  }

  /// Asks the loop to stop, and wakes it if it sleeps. Any thread.
  void requestStop() {
    stopRequested = true;
    wakeIfAsleep();
  }

  void wakeIfAsleep() {
    if (asleep && ASLEEP.compareAndSet(this, true, false)) {
      wakeup.run();
    }
  }

  boolean isStopRequested() {
    return stopRequested;
  }

  /// Loop only.
  void clearStopRequest() {
    stopRequested = false;
  }

  boolean isEmpty() {
    Entry top = head;
    return top == null || top == CLOSED;
  }

  /// Announces that the loop is about to sleep. Loop only.
  ///
  /// @return whether it may; if not, there is something to do and the announcement is withdrawn
  boolean mayFallAsleep() {
    asleep = true;
    if (isEmpty() && !stopRequested) {
      return true;
    }
    asleep = false;
    return false;
  }

  /// Says that the loop is awake again. Loop only.
  void awake() {
    asleep = false;
  }

  /// Delivers everything posted so far, oldest first. Loop only.
  void drain() {
    if (isEmpty()) {
      return;
    }
    deliver((Entry) HEAD.getAndSet(this, null));
  }

  /// Takes no more entries, and delivers those it has. Loop only.
  void close() {
    Entry left = (Entry) HEAD.getAndSet(this, CLOSED);
    if (left != CLOSED) {
      deliver(left);
    }
  }

  /// Takes no more entries, and forgets those it has. Loop only.
  void discard() {
    head = CLOSED;
    asleep = false;
  }

  private static void deliver(@Nullable Entry newest) {
    Entry oldest = null;
    for (Entry entry = newest; entry != null; ) {
      Entry before = entry.next;
      entry.next = oldest;
      oldest = entry;
      entry = before;
    }
    for (Entry entry = oldest; entry != null; ) {
      Entry after = entry.next;
      entry.next = null;
      entry.deliver();
      entry = after;
    }
  }
}
