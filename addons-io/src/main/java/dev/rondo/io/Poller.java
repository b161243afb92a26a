package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The selector of the IO add-on: which channels are ready, and how the loop blocks until one is.
///
/// A `Selector` knows milliseconds only. Up to the last whole millisecond before a deadline it
/// selects; the rest it parks, in slices with a poll after each if somebody waits for IO. See
/// [WaitForIO] for what that means.
///
/// Confined to the scheduler's thread, except [#wakeup()].
final class Poller {

  private static final long FOR_EVER = Long.MAX_VALUE;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /// How long the loop may park between two polls in the last millisecond before a deadline.
  private static final long SLICE_NANOS = 50_000;

  private final Scheduler scheduler;
  private final WaitForIO io;
  private final Selector selector;

  /// What a select does with each ready channel while there are other things to do.
  private final Consumer<SelectionKey> whenPolled = this::polled;

  /// The same while there are none.
  private final Consumer<SelectionKey> whenBlocked = this::blocked;

  /// Channels found ready whose waiters have not advanced yet.
  private final Queue<Registration> found = new ArrayDeque<>();

  private long quantaNanos = FOR_EVER;

  /// Why the selector does not work any more.
  private @Nullable IOException broken;

  private long selects;

  /// Set by any thread, before it looks at `parked`; cleared by the loop.
  private volatile boolean woken;

  /// The loop's thread while it parks. Written by the loop, before it looks at `woken`; read by
  /// threads that wake it. So either the loop sees that it was woken or the other thread sees whom
  /// to unpark.
  private volatile @Nullable Thread parked;

  Poller(Scheduler scheduler, WaitForIO io, Selector selector) {
    this.scheduler = scheduler;
    this.io = io;
    this.selector = selector;
  }

  /// @param longest that one block may take, more than zero
  void quanta(Duration longest) {
    quantaNanos = longest.toSeconds() >= FOR_EVER / NANOS_PER_SECOND ? FOR_EVER : longest.toNanos();
  }

  // Channels.

  SelectionKey register(SelectableChannel channel, Registration registration) throws IOException {
    if (broken != null) {
      throw new IOException("no IO on this scheduler any more: " + broken.getMessage(), broken);
    }
    return channel.register(selector, 0, registration);
  }

  @Nullable SelectionKey keyOf(SelectableChannel channel) {
    return channel.keyFor(selector);
  }

  static Registration registration(SelectionKey key) {
    return (Registration) key.attachment();
  }

  int registered() {
    return selector.isOpen()
        ? (int) selector.keys().stream().filter(SelectionKey::isValid).count()
        : 0;
  }

  @Nullable IOException broken() {
    return broken;
  }

  // Ready channels.

  private void polled(SelectionKey key) {
    registration(key).ready(false);
  }

  private void blocked(SelectionKey key) {
    registration(key).ready(true);
  }

  void found(Registration registration) {
    found.add(registration);
  }

  boolean foundSome() {
    return !found.isEmpty();
  }

  /// Lets the waiters of channels that were found advance.
  ///
  /// @param most how many channels
  /// @return whether there are more
  boolean advance(int most) {
    for (int i = 0; i < most && !found.isEmpty(); i++) {
      found.remove().advance();
    }
    return !found.isEmpty();
  }

  /// Selects without blocking, while there are other things to do.
  void poll() {
    select(whenPolled, 0);
  }

  // Blocking.

  void blockUntil(long deadlineNanos) {
    block(Math.min(deadlineNanos - scheduler.nowNanos(), quantaNanos));
  }

  void block() {
    block(quantaNanos);
  }

  private void block(long nanos) {
    if (broken != null) {
      park(nanos);
    } else if (nanos >= NANOS_PER_MILLI) {
      select(whenBlocked, nanos); // which remembers a wakeup that came before
      woken = false;
    } else if (io.waiting() == 0) {
      park(nanos);
    } else {
      park(Math.min(nanos, SLICE_NANOS));
      select(whenBlocked, 0);
    }
  }

  private void park(long nanos) {
    parked = Thread.currentThread();
    if (!woken && nanos > 0) {
      if (nanos == FOR_EVER) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, nanos);
      }
    }
    parked = null;
    woken = false;
  }

  /// Ends the current block, or the next one if there is none. Any thread.
  void wakeup() {
    woken = true;
    Thread loop = parked;
    if (loop != null) {
      LockSupport.unpark(loop);
    } else {
      selector.wakeup();
    }
  }

  /// @param nanos how long it may block, rounded down to milliseconds
  private void select(Consumer<SelectionKey> action, long nanos) {
    if (broken != null) {
      return;
    }
    selects++;
    try {
      if (nanos == FOR_EVER) {
        selector.select(action);
      } else if (nanos >= NANOS_PER_MILLI) {
        selector.select(action, nanos / NANOS_PER_MILLI);
      } else {
        selector.selectNow(action);
      }
    } catch (IOException | RuntimeException e) {
      breakDown(e);
    }
  }

  /// How many selects there were, blocking or not.
  long selects() {
    return selects;
  }

  // The end.

  /// The selector is of no use any more: everybody is told, and the loop parks from now on.
  private void breakDown(Exception cause) {
    var failure = new IOException("the selector failed: " + cause.getMessage(), cause);
    broken = failure;
    found.clear();
    if (selector.isOpen()) {
      for (SelectionKey key : List.copyOf(selector.keys())) {
        registration(key).failAll(failure);
      }
    }
  }

  /// Closes whatever is still registered, and the selector.
  void close() throws IOException {
    IOException failure = null;
    if (broken == null) {
      broken = new IOException("the IO add-on was closed with its scheduler");
    }
    if (selector.isOpen()) {
      for (SelectionKey key : List.copyOf(selector.keys())) {
        try {
          registration(key).close();
        } catch (IOException e) {
          failure = e;
        }
      }
    }
    selector.close();
    if (failure != null) {
      throw failure;
    }
  }
}
