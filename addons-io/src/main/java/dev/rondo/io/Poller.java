package dev.rondo.io;

import dev.rondo.io.internal.linux.EpollSelector;
import dev.rondo.scheduler.IdleStrategy;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The selector of the IO add-on: which channels are ready, and how the loop blocks until one is.
/// It is the scheduler's [IdleStrategy].
///
/// A `Selector` knows milliseconds only. Up to the last whole millisecond before a deadline it
/// selects; the rest it parks, in slices with a poll after each if somebody waits for IO. See
/// [WaitForIO] for what that means.
///
/// Confined to the scheduler's thread, except [#wakeup()], and [#blockElsewhere] of a thread that
/// the scheduler's has handed over to.
final class Poller implements IdleStrategy {

  private static final long FOR_EVER = Long.MAX_VALUE;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /// While tasks keep the loop busy it polls this often. A turn of the add-on comes more often; but
  /// most of those tasks are there because of the last select, and when they are through the loop
  /// blocks in the next: polls in between would find little, and each is a system call.
  private static final long POLL_INTERVAL_NANOS = 1_000_000;

  /// How long the loop may park between two polls in the last millisecond before a deadline.
  private static final long SLICE_NANOS = 50_000;

  /// A selector that returned so often in a row without a reason is taken to be broken, as old
  /// kernels' and JDKs' were (JDK-6670302), and replaced. The threshold is Netty's.
  private static final int MOST_PREMATURE = 512;

  /// What opens a selector.
  @FunctionalInterface
  interface Opening {
    Selector open() throws IOException;
  }

  private final Scheduler scheduler;
  private final WaitForIO io;
  private final Opening opening;

  /// Written by the loop; read by threads that wake it.
  private volatile Selector selector;

  /// What a select does with each ready channel while there are other things to do.
  private final Consumer<SelectionKey> whenPolled = this::polled;

  /// The same while there are none.
  private final Consumer<SelectionKey> whenBlocked = this::blocked;

  /// The same on another thread than the loop's.
  private final Consumer<SelectionKey> whenElsewhere = Poller::leaveAlone;

  /// Channels found ready whose waiters have not advanced yet.
  private final ReadyChannels found = new ReadyChannels();

  /// Channels that are in their users' hands and may be closed there, which no selector tells.
  private final List<ChannelRegistration> watched = new ArrayList<>();

  private long quantaNanos = FOR_EVER;

  /// When the selector was last asked.
  private long polledNanos;

  /// Whether a channel was closed: the selector lets go of it in its next select.
  private boolean closedSome;

  /// Whether another thread may be in the selector, so that to select here would block.
  private boolean lent;

  /// How often in a row the selector has returned without a reason.
  private int premature;

  /// What went wrong on another thread, which has handed over to the loop since.
  private @Nullable Exception failedElsewhere;

  /// Why the selector does not work any more.
  private @Nullable IOException broken;

  private long selects;
  private int replacements;

  /// Set by any thread, before it looks at `parked`; cleared by the loop.
  private volatile boolean woken;

  /// The loop's thread while it parks. Written by the loop, before it looks at `woken`; read by
  /// threads that wake it. So either the loop sees that it was woken or the other thread sees whom
  /// to unpark.
  private volatile @Nullable Thread parked;

  Poller(Scheduler scheduler, WaitForIO io, Selector selector, Opening opening) {
    this.scheduler = scheduler;
    this.io = io;
    this.selector = selector;
    this.opening = opening;
  }

  /// @param longest that one block may take, more than zero
  void quanta(Duration longest) {
    quantaNanos = longest.toSeconds() >= FOR_EVER / NANOS_PER_SECOND ? FOR_EVER : longest.toNanos();
  }

  // Channels.

  /// {@return how the bytes of a channel that is registered here are moved}
  ByteChannel stream(SocketChannel channel) {
    return selector instanceof EpollSelector epoll ? epoll.stream(channel) : channel;
  }

  Transport transport() {
    return selector instanceof EpollSelector ? Transport.EPOLL : Transport.NIO;
  }

  SelectionKey register(SelectableChannel channel, ChannelRegistration registration)
      throws IOException {
    if (broken != null) {
      throw new IOException("no IO on this scheduler any more: " + broken.getMessage(), broken);
    }
    return channel.register(selector, 0, registration);
  }

  @Nullable SelectionKey keyOf(SelectableChannel channel) {
    return channel.keyFor(selector);
  }

  static ChannelRegistration registration(SelectionKey key) {
    return (ChannelRegistration) key.attachment();
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

  void found(ChannelRegistration registration) {
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
    ChannelRegistration next;
    for (int i = 0; i < most && (next = found.poll()) != null; i++) {
      next.advance();
    }
    return foundSome();
  }

  /// Looks out for the registration's channel being closed by its user, while somebody waits for
  /// it.
  void watch(ChannelRegistration registration) {
    if (!watched.contains(registration)) {
      watched.add(registration);
    }
  }

  /// Tells who waits for a channel that its user has closed.
  ///
  /// @return whether there was one
  boolean failClosed() {
    boolean some = false;
    for (int i = watched.size() - 1; i >= 0; i--) {
      ChannelRegistration each = watched.get(i);
      if (!each.isAwaited()) {
        watched.remove(i);
      } else if (!each.channel.isOpen()) {
        watched.remove(i);
        each.failIfClosed();
        some = true;
      }
    }
    return some;
  }

  /// Selects without blocking, while there are other things to do: if a channel was closed, or it
  /// has not been done for a while and nothing is left of the last time.
  ///
  /// @param hasJustBegun whether there was nobody to select for until now
  void pollIfDue(boolean hasJustBegun) {
    if (closedSome
        || (!hasJustBegun
            && !foundSome()
            && scheduler.nowNanos() - polledNanos >= POLL_INTERVAL_NANOS)) {
      poll();
    }
  }

  private void poll() {
    closedSome = false;
    polledNanos = scheduler.nowNanos();
    select(whenPolled, 0);
  }

  void noteClosed() {
    closedSome = true;
  }

  /// Has the selector let go of closed channels now, unless it is another thread's at the moment.
  ///
  /// @return whether there were any
  boolean releaseClosed() {
    boolean some = closedSome && !lent;
    if (some) {
      poll();
    }
    return some;
  }

  // Blocking.

  @Override
  public void idleUntil(long deadlineNanos) {
    idleFor(deadlineNanos - scheduler.nowNanos());
  }

  @Override
  public void idle() {
    idleFor(FOR_EVER);
  }

  private void idleFor(long nanos) {
    if (!failClosed()) {
      closedSome = false;
      block(Math.min(nanos, quantaNanos));
      polledNanos = scheduler.nowNanos();
      io.selected();
    }
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

  // On another thread, see RemoteIdler.

  /// Leaves the selector to another thread, unless there is something to do here.
  ///
  /// @return whether it did
  boolean lend() {
    if (!failClosed()) {
      closedSome = false;
      look();
      polledNanos = scheduler.nowNanos();
      if (foundSome() || broken != null) {
        io.selected();
      }
    }
    lent = !scheduler.tasksArePending();
    return lent;
  }

  void takeBack() {
    lent = false;
  }

  /// Selects without blocking, while there is nothing else to do.
  private void look() {
    if (failedElsewhere != null) {
      breakDown(failedElsewhere);
      failedElsewhere = null;
    } else if (premature >= MOST_PREMATURE) {
      premature = 0;
      try {
        replaceSelector();
      } catch (IOException e) {
        breakDown(e);
      }
    }
    select(whenBlocked, 0);
  }

  /// Blocks in the place of the loop, and leaves what it finds for the next [#lend()].
  ///
  /// @param nanos how long it may block, rounded up to milliseconds
  void blockElsewhere(long nanos) {
    if (broken != null) {
      park(nanos);
      return;
    }
    long limit = Math.min(nanos, quantaNanos);
    try {
      if (!woken) {
        long before = System.nanoTime();
        int ready = selector.select(whenElsewhere, limit == FOR_EVER ? 0 : millisUp(limit));
        boolean early = ready == 0 && !woken && System.nanoTime() - before < limit / 2;
        premature = early ? premature + 1 : 0;
      }
    } catch (IOException | RuntimeException e) {
      failedElsewhere = e;
    }
    woken = false;
  }

  /// The loop's next select finds it again.
  private static void leaveAlone(SelectionKey key) {}

  private static long millisUp(long nanos) {
    return 1 + (Math.max(1, nanos) - 1) / NANOS_PER_MILLI;
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
  @Override
  public void wakeup() {
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
      if (nanos < NANOS_PER_MILLI) {
        selector.selectNow(action);
      } else if (nanos == FOR_EVER) {
        noteReturn(selector.select(action) == 0);
      } else {
        long before = System.nanoTime(); // what a selector goes by
        int ready = selector.select(action, nanos / NANOS_PER_MILLI);
        noteReturn(ready == 0 && System.nanoTime() - before < nanos / 2);
      }
    } catch (IOException | RuntimeException e) {
      breakDown(e);
    }
  }

  /// A select that could block has returned.
  ///
  /// @param early whether nothing was ready and the time was not over
  private void noteReturn(boolean early) throws IOException {
    if (!early || woken || Thread.currentThread().isInterrupted()) {
      premature = 0;
    } else if (++premature >= MOST_PREMATURE) {
      premature = 0;
      replaceSelector();
    }
  }

  private void replaceSelector() throws IOException {
    Selector old = selector;
    Selector fresh = opening.open();
    scheduler.report(
        "the selector, which is replaced",
        new IOException(
            "it returned %d times in a row with nothing ready: channels=%d"
                .formatted(MOST_PREMATURE, old.keys().size())));
    try {
      for (SelectionKey key : List.copyOf(old.keys())) {
        move(key, fresh);
      }
    } catch (IOException | RuntimeException e) {
      fresh.close();
      throw e;
    }
    selector = fresh;
    replacements++;
    if (woken) {
      fresh.wakeup(); // the thread that woke us may have told the old one
    }
    old.close();
  }

  private static void move(SelectionKey key, Selector fresh) throws IOException {
    ChannelRegistration registration = registration(key);
    try {
      if (key.isValid()) {
        registration.moveTo(registration.channel.register(fresh, 0, registration));
      }
    } catch (ClosedChannelException | CancelledKeyException e) {
      // its user has closed it at this moment, on another thread; who waits is told of that
    }
  }

  /// How often the selector was replaced.
  int replacements() {
    return replacements;
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
