package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.engine.util.SpinWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The queue through which other threads reach a scheduler. Any thread may post to it, and only the
/// loop takes from it. A post also wakes the loop.
///
/// The queue is a list of chunks. A poster reserves a slot of the last chunk by one atomic
/// addition, and writes its element there. A poster that finds the chunk full appends another one.
/// So elements lie side by side, and a post allocates only its share of a chunk. The queues of
/// JCTools work in the same way, but cannot be closed. Here a post is either refused or delivered,
/// and the caller knows which.
///
/// No wakeup is lost. A poster reserves its slot and then checks whether the loop sleeps; the loop
/// announces its sleep and then checks for reserved slots. Both pairs are ordered by volatile
/// accesses, so at least one side sees the write of the other. For each sleep at most one poster
/// wakes the loop.
public final class Inbox {

  /// An action of the engine for the loop.
  public interface Entry {

    /// Runs on the loop, between turns.
    void deliver();
  }

  /// A part of the queue. Its slots are filled from the first to the last.
  private static final class Chunk {

    static final int SIZE = 128;

    /// A poster writes its element into the slot that it has reserved, and the loop removes the
    /// element.
    final @Nullable Object[] slots = new Object[SIZE];

    /// The number of slots that are reserved; more than [#SIZE] if posters found the chunk full.
    volatile int reserved;

    /// The chunk behind this one; [#CLOSED] if there will be none.
    volatile @Nullable Chunk next;

    /// The chunk behind this one. Appends a chunk if there is none.
    Chunk following() {
      Chunk seen = next;
      if (seen == null) {
        var fresh = new Chunk();
        seen = (Chunk) NEXT.compareAndExchange(this, null, fresh);
        return seen == null ? fresh : seen;
      }
      return seen;
    }
  }

  /// The number of times that the loop looks for more elements before it sleeps. These looks take
  /// about ten microseconds. More looks would slow down the posters, because each look reads a
  /// field that they write.
  private static final int MOST_LOOKS = 32;

  private static final int PAUSES_PER_LOOK = 16;

  /// The most delivered elements that count for the time until the first look. That time grows with
  /// the number of elements, because a loop that takes each at once slows down a thread that posts
  /// many: both write to the same cache lines.
  private static final int MOST_COUNTED = 16;

  /// With one processor no element can come while the loop looks.
  private static final int FEWEST_LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0;

  /// The thread that has promised an event posts it within some instructions, but may be preempted.
  private static final long LONGEST_PROMISE_NANOS = 1_000_000_000;

  /// Replaces an element that was delivered before its turn.
  private static final Entry DELIVERED = () -> {};

  /// The last chunk of every closed inbox, which is full.
  private static final Chunk CLOSED = new Chunk();

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

  /// The chunk in which posters reserve slots. A poster that finds the chunk full, or the loop when
  /// it leaves the chunk, replaces it by the next one.
  private volatile Chunk tail = new Chunk();

  /// Set by the loop before it sleeps; cleared by the loop, or by the poster that wakes it.
  private volatile boolean asleep;

  /// Set by any thread; the loop reads and clears it.
  private volatile boolean stopRequested;

  /// The chunk from which the loop takes elements. Loop only.
  private Chunk head = tail;

  /// The number of slots of that chunk from which the loop has taken the element. Loop only.
  private int taken;

  /// The number of successive deliveries that found only a slot that is not written yet. Loop only.
  private int stalled;

  /// The number of elements that were delivered since the last call of [#isMoreComing()], up to
  /// [#MOST_COUNTED]. Loop only.
  private int delivered;

  private int looks = FEWEST_LOOKS;

  private final Runnable wakeup;
  private final Consumer<? super Runnable> runner;

  /// @param wakeup ends the sleep of the loop
  /// @param runner runs user code
  Inbox(Runnable wakeup, Consumer<? super Runnable> runner) {
    this.wakeup = wakeup;
    this.runner = runner;
  }

  /// Posts an [Entry], or user code as a [Runnable], and wakes the loop if it sleeps. Any thread.
  ///
  /// @return false if the inbox is closed; the element will not be delivered
  boolean post(Object element) {
    while (true) {
      Chunk chunk = tail;
      int slot = chunk.reserved < Chunk.SIZE ? (int) RESERVED.getAndAdd(chunk, 1) : Chunk.SIZE;
      if (slot < Chunk.SIZE) {
        SLOT.setRelease(chunk.slots, slot, element);
        wakeIfAsleep();
        return true;
      }
      if (chunk == CLOSED) {
        return false;
      }
      TAIL.compareAndSet(this, chunk, chunk.following());
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

  /// Loop only.
  ///
  /// @return whether there was a request
  boolean takeStopRequest() {
    boolean requested = stopRequested;
    if (requested) {
      stopRequested = false;
    }
    return requested;
  }

  /// Loop only.
  boolean isEmpty() {
    return head.reserved <= taken || isClosed();
  }

  /// {@return the number of elements that were posted so far} Loop only.
  ///
  /// @param most a limit of the result
  int count(int most) {
    int count = -taken;
    for (Chunk chunk = head; chunk != null && count < most; chunk = chunk.next) {
      count += Math.min(chunk.reserved, Chunk.SIZE);
    }
    return Math.min(count, most);
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

  /// Looks for more elements for a short time, if one was delivered since the last call, because a
  /// sleep and a wakeup would cost both threads more. The time grows up to about ten microseconds
  /// while elements come, and shrinks to half a microsecond while none come. Loop only.
  ///
  /// @return whether more elements have come
  boolean isMoreComing() {
    if (delivered == 0) {
      return false;
    }
    int pauses = delivered * PAUSES_PER_LOOK;
    delivered = 0;
    for (int look = looks; look > 0; look--) {
      for (int pause = pauses; pause > 0; pause--) {
        Thread.onSpinWait();
      }
      pauses = PAUSES_PER_LOOK;
      if (!isEmpty()) {
        looks = Math.min(looks << 1, MOST_LOOKS);
        return true;
      }
    }
    looks = Math.max(looks >> 1, FEWEST_LOOKS);
    return false;
  }

  /// Delivers the oldest elements. Ends early at a slot that a poster has reserved and not written
  /// yet. That takes two instructions, unless the poster is preempted between them; if there is no
  /// other element, this method waits a little. Loop only.
  ///
  /// @param most how many
  /// @return whether there may be more
  boolean deliver(int most) {
    int left = most;
    for (int some; left > 0 && (some = deliverOfChunk(left)) > 0; ) {
      left -= some;
    }
    if (left < most) {
      delivered = Math.min(delivered + most - left, MOST_COUNTED);
      stalled = 0;
    } else if (!isEmpty()) {
      SpinWait.pause(++stalled);
    }
    return left == 0;
  }

  /// Delivers elements of the first chunk, and leaves the chunk if they were its last.
  ///
  /// @return how many
  private int deliverOfChunk(int most) {
    Chunk chunk = head;
    int first = taken;
    int slot = first;
    int end = Math.min(chunk.reserved, Chunk.SIZE);
    try {
      Object element;
      while (slot < end
          && slot - first < most
          && (element = SLOT.getAcquire(chunk.slots, slot)) != null) {
        slot++;
        if (element instanceof Entry entry) {
          entry.deliver();
        } else {
          runner.accept((Runnable) element);
        }
      }
    } finally { // once: if each slot were cleared at once, posters would wait for its cache line
      Arrays.fill(chunk.slots, first, slot, null);
      taken = slot;
      if (slot == Chunk.SIZE) {
        leave(chunk);
      }
    }
    return slot - first;
  }

  /// Goes on to the next chunk, if there will be one. Posters that still find this chunk do not
  /// find the next one here.
  private void leave(Chunk chunk) {
    Chunk next = chunk.following();
    if (next != CLOSED) {
      TAIL.compareAndSet(this, chunk, next); // if no poster has
      chunk.next = null; // garbage would keep the next chunks in memory
      head = next;
      taken = 0;
    }
  }

  /// Delivers an element that another thread has promised to post, before the elements that were
  /// posted earlier. Waits until that thread has posted it, but not for ever: the thread need not
  /// post such an element. Loop only.
  ///
  /// @param deliver delivers an element if it is the promised one, and returns whether it is
  void deliverPromised(Predicate<Object> deliver) {
    long begin = System.nanoTime();
    for (int tries = 1; !deliverFirst(deliver); tries++) {
      if (isClosed() || System.nanoTime() - begin > LONGEST_PROMISE_NANOS) {
        return;
      }
      SpinWait.pause(tries);
    }
  }

  private boolean deliverFirst(Predicate<Object> deliver) {
    int slot = taken;
    for (Chunk chunk = head; chunk != null && chunk != CLOSED; chunk = chunk.next) {
      for (; slot < Math.min(chunk.reserved, Chunk.SIZE); slot++) {
        Object element = SLOT.getAcquire(chunk.slots, slot);
        if (element != null && deliver.test(element)) {
          SLOT.setRelease(chunk.slots, slot, DELIVERED);
          return true;
        }
      }
      slot = 0;
    }
    return false;
  }

  /// Refuses elements from now on, and delivers the elements that are there. Loop only.
  void close() {
    if (!isClosed()) {
      Chunk last = seal();
      tail = CLOSED; // an event that comes after the last turn is refused, not lost
      int end = Math.min((int) RESERVED.getAndAdd(last, Chunk.SIZE), Chunk.SIZE);
      for (int tries = 1; head != last || taken < end; tries++) {
        boolean _ = deliver(Integer.MAX_VALUE);
        SpinWait.pause(tries);
      }
      discard();
    }
  }

  /// Refuses elements from now on, except in the slots that are left of the last chunk.
  ///
  /// @return that chunk
  private Chunk seal() {
    Chunk last = tail;
    while (!NEXT.compareAndSet(last, null, CLOSED)) {
      last = last.following();
    }
    return last;
  }

  /// Whether this inbox refuses elements, because the loop has ended or is about to end. Loop only.
  boolean isClosed() {
    return tail == CLOSED;
  }

  /// Refuses elements from now on, and drops the elements that are there. Loop only.
  void discard() {
    tail = CLOSED;
    head = CLOSED;
    taken = Chunk.SIZE;
    asleep = false;
  }
}
