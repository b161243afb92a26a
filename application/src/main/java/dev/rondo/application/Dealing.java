package dev.rondo.application;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Distributes items to loops. An item goes to the loop with the fewest untaken items; of several
/// such loops, to the next in turn. Each item reaches exactly one loop, or is dropped if there is
/// no loop. If a loop closes before it has taken an item, the item is sent to another loop.
///
/// Any thread, except where a [Share] says otherwise.
///
/// @param <T> the type of the items
final class Dealing<T> {

  /// The share of one loop.
  ///
  /// @param <T> the type of the items
  static final class Share<T> {

    private final Dealing<T> dealing;
    private final Predicate<Runnable> door;
    private final Consumer<? super T> arrival;

    /// The number of items that were sent to the loop and that it has not taken.
    private final AtomicInteger untaken = new AtomicInteger();

    /// Confined to the loop's thread.
    private boolean closed;

    private Share(Dealing<T> dealing, Predicate<Runnable> door, Consumer<? super T> arrival) {
      this.dealing = dealing;
      this.door = door;
      this.arrival = arrival;
    }

    /// {@return whether the loop takes it} Any thread.
    private boolean offer(T item) {
      untaken.incrementAndGet();
      return door.test(() -> arrive(item));
    }

    private void arrive(T item) {
      if (closed) {
        dealing.deal(item);
      } else {
        arrival.accept(item);
      }
    }

    /// Called when the program has taken an item that had arrived. On the loop's thread.
    void taken() {
      untaken.decrementAndGet();
      dealing.settled.run();
    }

    /// Makes the share take no more items. On the loop's thread.
    ///
    /// @param left the items that arrived and were not taken: they go to the other loops
    void close(Collection<T> left) {
      if (!closed) {
        closed = true;
        dealing.leave(this);
        left.forEach(dealing::deal);
      }
    }
  }

  private final Consumer<? super T> dropped;
  private final Runnable settled;

  /// The shares, in the order in which their loops have joined. Guarded by this.
  private final List<Share<T>> shares = new ArrayList<>();

  /// The index of the share whose turn it is. Guarded by this.
  private int next;

  /// @param dropped receives the items that no loop takes; any thread
  /// @param settled called once for each item that was taken or dropped; any thread
  Dealing(Consumer<? super T> dropped, Runnable settled) {
    this.dropped = dropped;
    this.settled = settled;
  }

  /// Adds a loop.
  ///
  /// @param door posts an action to the loop's thread, which runs it; false if it refuses the
  ///   action
  /// @param arrival receives items on the loop's thread
  synchronized Share<T> join(Predicate<Runnable> door, Consumer<? super T> arrival) {
    var share = new Share<>(this, door, arrival);
    shares.add(share);
    return share;
  }

  private synchronized void leave(Share<T> share) {
    shares.remove(share);
  }

  /// Whether any loop is left.
  synchronized boolean isShared() {
    return !shares.isEmpty();
  }

  void deal(T item) {
    for (Share<T> share; (share = choose()) != null; ) {
      if (share.offer(item)) {
        return;
      }
      leave(share); // its loop is closed
    }
    dropped.accept(item);
    settled.run();
  }

  private synchronized @Nullable Share<T> choose() {
    Share<T> best = null;
    int bestIndex = 0;
    for (int i = 0; i < shares.size(); i++) {
      int index = (next + i) % shares.size();
      Share<T> each = shares.get(index);
      if (best == null || each.untaken.get() < best.untaken.get()) {
        best = each;
        bestIndex = index;
      }
    }
    next = bestIndex + 1;
    return best;
  }
}
