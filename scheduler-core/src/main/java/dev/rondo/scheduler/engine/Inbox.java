package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.engine.util.SpinWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The queue through which other threads reach a scheduler. Any thread may post to it, and only the
/// loop takes from it. A post also wakes the loop.
///
/// The queue is a stack: a poster puts its element on top with one compare-and-set. The loop takes
/// the whole stack, and delivers the elements in the order in which they were posted. A closed
/// inbox has a mark on top. So a post is either refused or delivered, and the caller knows which.
///
/// No wakeup is lost. A poster adds its element and then checks whether the loop sleeps; the loop
/// announces its sleep and then checks for elements. Both pairs are ordered by volatile accesses,
/// so at least one side sees the write of the other. For each sleep at most one poster wakes the
/// loop.
public final class Inbox {

  /// An action of the engine for the loop.
  public interface Entry {

    /// Runs on the loop, between turns.
    void deliver();
  }

  /// An element and the element below it. In a list that the loop has taken, the link is to the
  /// element behind it.
  private static final class Node {

    private Object element;
    private @Nullable Node next;

    Node(Object element) {
      this.element = element;
    }
  }

  /// The number of times that the loop looks for more elements before it sleeps. These looks take
  /// about ten microseconds. More looks would slow down the posters, because each look reads a
  /// field that they write.
  private static final int MOST_LOOKS = 32;

  private static final int PAUSES_PER_LOOK = 16;

  /// With one processor no element can come while the loop looks.
  private static final int FEWEST_LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0;

  /// The thread that has promised an event posts it within some instructions, but may be preempted.
  private static final long LONGEST_PROMISE_NANOS = 1_000_000_000;

  /// Replaces an element that was delivered before its turn.
  private static final Entry DELIVERED = () -> {};

  /// The top of every closed inbox.
  private static final Node CLOSED = new Node(DELIVERED);

  private static final VarHandle TOP;
  private static final VarHandle ASLEEP;

  static {
    try {
      var lookup = MethodHandles.lookup();
      TOP = lookup.findVarHandle(Inbox.class, "top", Node.class);
      ASLEEP = lookup.findVarHandle(Inbox.class, "asleep", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The element that was posted last; null if the loop has taken all.
  private volatile @Nullable Node top;

  /// Set by the loop before it sleeps; cleared by the loop, or by the poster that wakes it.
  private volatile boolean asleep;

  /// Set by any thread; the loop reads and clears it.
  private volatile boolean stopRequested;

  /// The oldest element that the loop has taken and not delivered. Loop only.
  private @Nullable Node taken;

  /// Whether an element was delivered since the last call of [#isMoreComing()]. Loop only.
  private boolean delivered;

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
    var node = new Node(element);
    Node below;
    do {
      below = top;
      if (below == CLOSED) {
        return false;
      }
      node.next = below;
    } while (!TOP.compareAndSet(this, below, node));
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
    Node posted = top;
    return taken == null && (posted == null || posted == CLOSED);
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
    if (!delivered) {
      return false;
    }
    delivered = false;
    for (int look = looks; look > 0; look--) {
      for (int pause = PAUSES_PER_LOOK; pause > 0; pause--) {
        Thread.onSpinWait();
      }
      if (!isEmpty()) {
        looks = Math.min(looks << 1, MOST_LOOKS);
        return true;
      }
    }
    looks = Math.max(looks >> 1, FEWEST_LOOKS);
    return false;
  }

  /// Delivers the oldest elements. Takes the posted elements if none are left from an earlier call.
  /// Loop only.
  ///
  /// @param most how many
  /// @return whether elements are left that were posted before this call
  boolean deliver(int most) {
    delivered = true;
    Node next = taken;
    if (next == null && !isEmpty()) {
      next = take(null);
    }
    try {
      for (int left = most; next != null && left > 0; left--) {
        Object element = next.element;
        next = next.next;
        if (element instanceof Entry entry) {
          entry.deliver();
        } else {
          runner.accept((Runnable) element);
        }
      }
    } finally {
      taken = next; // once: posters write to the same cache line
    }
    return next != null;
  }

  /// Takes all elements that were posted.
  ///
  /// @param mark replaces the elements
  /// @return the oldest, followed by the others
  private @Nullable Node take(@Nullable Node mark) {
    Node oldest = null;
    for (Node each = (Node) TOP.getAndSet(this, mark); each != null; ) {
      Node below = each.next;
      each.next = oldest;
      oldest = each;
      each = below;
    }
    return oldest;
  }

  /// Delivers an element that another thread has promised to post, before the elements that were
  /// posted earlier. Waits until that thread has posted it, but not for ever: the thread need not
  /// post such an element. Loop only.
  ///
  /// @param deliver delivers an element if it is the promised one, and returns whether it is
  void deliverPromised(Predicate<Object> deliver) {
    long begin = System.nanoTime();
    for (int tries = 1; !deliverFirst(taken, deliver) && !deliverFirst(top, deliver); tries++) {
      if (isClosed() || System.nanoTime() - begin > LONGEST_PROMISE_NANOS) {
        return;
      }
      SpinWait.pause(tries);
    }
  }

  private static boolean deliverFirst(@Nullable Node first, Predicate<Object> deliver) {
    for (Node each = first; each != null; each = each.next) {
      if (deliver.test(each.element)) {
        each.element = DELIVERED;
        return true;
      }
    }
    return false;
  }

  /// Refuses elements from now on, and delivers the elements that are there. Loop only.
  void close() {
    if (!isClosed()) {
      append(take(CLOSED)); // an event that comes after the last turn is refused, not lost
      boolean _ = deliver(Integer.MAX_VALUE);
    }
  }

  private void append(@Nullable Node posted) {
    Node last = taken;
    if (last == null) {
      taken = posted;
      return;
    }
    while (last.next != null) {
      last = last.next;
    }
    last.next = posted;
  }

  /// Whether this inbox refuses elements, because the loop has ended or is about to end. Loop only.
  boolean isClosed() {
    return top == CLOSED;
  }

  /// Refuses elements from now on, and drops the elements that are there. Loop only.
  void discard() {
    top = CLOSED;
    taken = null;
    asleep = false;
  }
}
