package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.PromisedEvent;
import dev.rondo.scheduler.addon.WaitClaim;
import dev.rondo.scheduler.engine.util.SpinWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The queue by which other threads reach a scheduler. Any thread may post to it, and only the loop
/// takes from it. It also wakes the loop.
///
/// The queue is a list of chunks. A poster reserves a slot of the last chunk by one atomic
/// addition, and writes its element there. A poster that finds the chunk full appends another one.
/// So elements lie side by side, and a post allocates nothing but its share of a chunk. The queues
/// of JCTools work in the same way, but cannot be closed. Here a post is either refused or
/// delivered, and its caller knows which.
///
/// No wakeup is lost. A poster reserves its slot and then checks whether the loop sleeps; the loop
/// announces its sleep and then checks for reserved slots. Both pairs are ordered by volatile
/// accesses, so at least one of the two sees the other. For each sleep at most one poster wakes the
/// loop.
final class Inbox {

  /// An action of the engine for the loop.
  interface Entry {

    /// Runs on the loop, between turns.
    void deliver();
  }

  /// A chunk of slots, which are filled from the first to the last.
  private static final class Chunk {

    static final int SIZE = 128;

    /// How many slots the chunks before it have in all.
    final long before;

    /// An element is written by the poster that reserved the slot, and removed by the loop.
    final @Nullable Object[] slots;

    /// How many slots are reserved. It is more than there are if posters have found the chunk full.
    volatile int reserved;

    /// The next chunk; [#CLOSED] if none will follow, [#LEFT] if the loop has gone on to the next.
    volatile @Nullable Chunk next;

    Chunk(long before, int size) {
      this.before = before;
      this.slots = new Object[size];
    }

    /// Reserves a slot and returns its number. If the chunk is full there is no slot of that
    /// number.
    int reserve() {
      return reserved < SIZE ? (int) RESERVED.getAndAdd(this, 1) : SIZE;
    }

    /// The number of slots that are reserved: posters have written to them, or are about to.
    int used() {
      return Math.min(reserved, SIZE);
    }

    /// The chunk that follows; appends one if there is none.
    Chunk following() {
      Chunk seen = next;
      if (seen == null) {
        var fresh = new Chunk(before + SIZE, SIZE);
        seen = (Chunk) NEXT.compareAndExchange(this, null, fresh);
        return seen == null ? fresh : seen;
      }
      return seen;
    }
  }

  /// Stands for an element that was delivered before its turn.
  private static final Entry DELIVERED = () -> {};

  /// Full, and the last chunk of every inbox that is closed.
  private static final Chunk CLOSED = new Chunk(0, 0);

  /// Follows a chunk that the loop has left, so that garbage does not refer to a chunk in use.
  private static final Chunk LEFT = new Chunk(0, 0);

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final VarHandle RESERVED;
  private static final VarHandle NEXT;
  private static final VarHandle TAIL;
  private static final VarHandle ASLEEP;

  static {
    CLOSED.reserved = Chunk.SIZE;
    CLOSED.next = CLOSED;
    try {
      var lookup = MethodHandles.lookup();
      RESERVED = lookup.findVarHandle(Chunk.class, "reserved", int.class);
      NEXT = lookup.findVarHandle(Chunk.class, "next", Chunk.class);
      TAIL = lookup.findVarHandle(Inbox.class, "tail", Chunk.class);
      ASLEEP = lookup.findVarHandle(Inbox.class, "asleep", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The chunk in which posters reserve. A poster that finds it full, and the loop that leaves it,
  /// move on to the next.
  private volatile Chunk tail = new Chunk(0, Chunk.SIZE);

  /// Set by the loop before it sleeps; cleared by the loop, or by the poster that wakes it.
  private volatile boolean asleep;

  /// Set by any thread; the loop reads and clears it.
  private volatile boolean stopRequested;

  /// The chunk from which the loop takes. Loop only.
  private Chunk head = tail;

  /// The element [#TAKEN] is the number of elements that the loop has taken in all. This is an
  /// array so that posters do not share a cache line with a field that the loop writes all the
  /// time. Loop only.
  private final long[] counts = new long[2 * TAKEN];

  private static final int TAKEN = 16;

  private boolean closed;

  private final Runnable wakeup;

  /// @param wakeup ends the loop's sleep, or the next one if it does not sleep now; any thread
  Inbox(Runnable wakeup) {
    this.wakeup = wakeup;
  }

  /// Posts an [Entry], or user code as a [Runnable], and wakes the loop if it sleeps. Any thread.
  ///
  /// @return false if the inbox is closed; the element was not taken
  boolean post(Object element) {
    while (true) {
      Chunk chunk = tail;
      int slot = chunk.reserve();
      if (slot < Chunk.SIZE) {
        SLOT.setRelease(chunk.slots, slot, element);
        wakeIfAsleep();
        return true;
      }
      Chunk next = chunk.following();
      if (next == CLOSED) {
        return false;
      }
      if (next != LEFT) {
        TAIL.compareAndSet(this, chunk, next);
      }
    }
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

  /// Loop only.
  ///
  /// @return whether there was one
  boolean takeStopRequest() {
    boolean requested = stopRequested;
    if (requested) {
      stopRequested = false;
    }
    return requested;
  }

  /// Loop only.
  boolean isEmpty() {
    if (closed) {
      return true;
    }
    long taken = counts[TAKEN] - head.before;
    if (taken < Chunk.SIZE) {
      return head.reserved <= taken;
    }
    Chunk next = head.next;
    return next == null || next.reserved == 0;
  }

  /// Whether the poster that has reserved the next slot has not written to it yet. That takes two
  /// instructions, unless the thread is preempted between them. The inbox must not be empty: how
  /// many slots are reserved is not read again, because posters write that all the time. Loop only.
  boolean isStalled() {
    long taken = counts[TAKEN] - head.before;
    return taken < Chunk.SIZE && SLOT.getAcquire(head.slots, (int) taken) == null;
  }

  /// Announces that the loop is about to sleep. Loop only.
  ///
  /// @return whether the loop may sleep; if not, there is something to do and the announcement is
  ///   withdrawn
  boolean tryFallAsleep() {
    asleep = true;
    if (isEmpty() && !stopRequested) {
      return true;
    }
    asleep = false;
    return false;
  }

  /// Called when the loop is awake again. Loop only.
  void awake() {
    asleep = false;
  }

  /// How many elements have been posted so far and not taken. Loop only.
  long size() {
    Chunk last = tail;
    return closed ? 0 : last.before + last.used() - counts[TAKEN];
  }

  /// Delivers the oldest elements. Ends early at a slot that was reserved and is not written yet.
  /// Loop only.
  ///
  /// @param most at most [#size()]
  /// @param runner runs user code
  void deliver(long most, Consumer<Runnable> runner) {
    long end = counts[TAKEN] + most;
    while (end - counts[TAKEN] > 0 && deliverOfChunk(end, runner)) {
      if (counts[TAKEN] - head.before == Chunk.SIZE) {
        leave(head, head.following());
      }
    }
  }

  /// Delivers the elements of one chunk, and then clears its slots. If each were cleared at once,
  /// the loop and the posters would contend for it.
  ///
  /// @return whether all elements were there
  private boolean deliverOfChunk(long end, Consumer<Runnable> runner) {
    Chunk chunk = head;
    int first = (int) (counts[TAKEN] - chunk.before);
    int last = (int) Math.min(end - chunk.before, Chunk.SIZE);
    int slot = first;
    try {
      while (slot < last) {
        Object element = SLOT.getAcquire(chunk.slots, slot);
        if (element == null) {
          return false;
        }
        slot++;
        counts[TAKEN]++;
        if (element instanceof Entry entry) {
          entry.deliver();
        } else {
          runner.accept((Runnable) element);
        }
      }
    } finally {
      Arrays.fill(chunk.slots, first, slot, null);
    }
    return true;
  }

  /// Delivers the event that was promised to a wait, before the elements that were posted earlier.
  /// Loop only.
  ///
  /// @return whether it was there
  boolean deliverPromised(WaitClaim claim) {
    int slot = (int) (counts[TAKEN] - head.before);
    for (Chunk chunk = head; chunk != null && chunk != CLOSED; chunk = chunk.next) {
      for (; slot < chunk.used(); slot++) {
        if (SLOT.getAcquire(chunk.slots, slot) instanceof PromisedEvent event
            && event.claim() == claim) {
          event.run();
          SLOT.setRelease(chunk.slots, slot, DELIVERED);
          return true;
        }
      }
      slot = 0;
    }
    return false;
  }

  /// The element that is being delivered; null between two calls of [#deliver]. Any thread: reads
  /// without synchronization, and may see an earlier element.
  @Nullable Object beingDelivered() {
    Chunk chunk = head;
    long slot = counts[TAKEN] - chunk.before - 1;
    return slot >= 0 && slot < chunk.slots.length ? chunk.slots[(int) slot] : null;
  }

  /// Moves to the next chunk.
  private void leave(Chunk chunk, Chunk next) {
    if (next != CLOSED) {
      TAIL.compareAndSet(this, chunk, next); // if no poster has
      chunk.next = LEFT;
      head = next;
    }
  }

  /// Refuses elements from now on, and delivers those it has. Loop only.
  ///
  /// @param runner runs user code
  void close(Consumer<Runnable> runner) {
    if (closed) {
      return;
    }
    long end = seal();
    for (int tries = 1; end - counts[TAKEN] > 0; tries++) {
      deliver(end - counts[TAKEN], runner);
      if (end - counts[TAKEN] > 0 && isStalled()) {
        SpinWait.pause(tries);
      }
    }
  }

  /// Refuses elements from now on.
  ///
  /// @return how many were ever accepted
  private long seal() {
    Chunk last = tail;
    while (!NEXT.compareAndSet(last, null, CLOSED)) {
      last = last.following();
    }
    int used = Math.min((int) RESERVED.getAndAdd(last, Chunk.SIZE), Chunk.SIZE);
    tail = CLOSED;
    closed = true;
    return last.before + used;
  }

  /// Whether it refuses elements, because the loop has ended or is about to. Loop only.
  boolean isClosed() {
    return closed;
  }

  /// Refuses elements from now on, and forgets those it has. Loop only.
  void discard() {
    if (!closed) {
      seal();
      head = CLOSED;
    }
    asleep = false;
  }
}
