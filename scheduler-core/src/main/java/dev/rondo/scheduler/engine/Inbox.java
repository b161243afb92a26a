package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.internal.PromisedEvent;
import dev.rondo.scheduler.internal.WaitClaim;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
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
final class Inbox {

  /// An action of the engine for the loop.
  interface Entry {

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

  private final Runnable wakeup;

  /// @param wakeup ends the sleep of the loop
  Inbox(Runnable wakeup) {
    this.wakeup = wakeup;
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
  void clearStopRequest() {
    stopRequested = false;
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

  /// Delivers the oldest elements. Takes the posted elements if none are left from an earlier call.
  /// Loop only.
  ///
  /// @param most how many
  /// @param runner runs user code
  /// @return whether elements are left that were posted before this call
  boolean deliver(int most, Consumer<Runnable> runner) {
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

  /// Delivers the event that was promised to a wait, before the elements that were posted earlier.
  /// Loop only.
  ///
  /// @return whether the event was there
  boolean deliverPromised(WaitClaim claim) {
    return deliverPromised(claim, taken) || deliverPromised(claim, top);
  }

  private static boolean deliverPromised(WaitClaim claim, @Nullable Node first) {
    for (Node each = first; each != null; each = each.next) {
      if (each.element instanceof PromisedEvent event && event.claim() == claim) {
        event.run();
        each.element = DELIVERED;
        return true;
      }
    }
    return false;
  }

  /// Refuses elements from now on, and delivers the elements that are there. Loop only.
  ///
  /// @param runner runs user code
  void close(Consumer<Runnable> runner) {
    if (!isClosed()) {
      append(take(CLOSED)); // an event that comes after the last turn is refused, not lost
      boolean _ = deliver(Integer.MAX_VALUE, runner);
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
