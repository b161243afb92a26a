package dev.rondo.io.internal.channel;

import dev.rondo.io.internal.linux.EpollSelector;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.SimulatedEvents;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The selector of a scheduler: finds out which channels are ready, and keeps them until their
/// waits are served.
///
/// A selector that spins is replaced. One that fails is not used again: all waits fail, and the
/// loop parks instead.
///
/// Confined to the scheduler's thread, except [#wakeup()] and [#blockElsewhere(long)]. The latter
/// is for a thread to which the scheduler's thread has handed the selector.
public final class ChannelSelector {

  /// Blocks until a channel is ready or the selector is woken.
  static final long FOREVER = Parker.FOREVER;

  static final long NANOS_PER_MILLI = 1_000_000;

  /// A selector that has returned this often in a row without a reason is considered broken, as
  /// with old kernels and JDKs (JDK-6670302), and is replaced. The threshold is Netty's.
  private static final int MAX_PREMATURE = 512;

  /// Opens a selector.
  @FunctionalInterface
  public interface Opener {

    /// {@return a new selector}
    ///
    /// @throws IOException if the system has no descriptors left
    Selector open() throws IOException;
  }

  private final Scheduler scheduler;
  private final Opener opener;
  private final Parker parker;

  /// Written by the loop; read by threads that wake it.
  private volatile Selector selector;

  /// The action of a select for each ready channel while other tasks are ready.
  @SuppressWarnings("UnnecessaryLambda") // kept, so that a select makes none
  private final Consumer<SelectionKey> whenPolled =
      key -> ((ChannelRegistration) key.attachment()).ready(false);

  /// The same while nothing else is ready, so that the next select may block.
  @SuppressWarnings("UnnecessaryLambda") // kept, so that a select makes none
  private final Consumer<SelectionKey> whenBlocked =
      key -> ((ChannelRegistration) key.attachment()).ready(true);

  /// The same on another thread than the loop's: the loop's next select finds the channel again.
  @SuppressWarnings("UnnecessaryLambda") // kept, so that a select makes none
  private final Consumer<SelectionKey> whenElsewhere = key -> {};

  /// Channels found ready whose waits have not advanced yet.
  final ReadyChannels ready = new ReadyChannels();

  /// How often in a row the selector has returned without a reason.
  private int premature;

  /// The failure on another thread, which has handed the selector back since.
  private @Nullable Exception failedElsewhere;

  /// The failure that made the selector unusable; null if it can be used.
  @Nullable IOException broken;

  private long selects;
  private int replacements;

  ChannelSelector(Scheduler scheduler, Selector selector, Opener opener, Parker parker) {
    this.scheduler = scheduler;
    this.selector = selector;
    this.opener = opener;
    this.parker = parker;
  }

  // Channels.

  /// {@return whether this is a selector of Linux's own calls}
  public boolean isEpoll() {
    return selector instanceof EpollSelector;
  }

  /// {@return the selector if it uses Linux's own calls; null otherwise}
  @Nullable EpollSelector epoll() {
    return selector instanceof EpollSelector epoll ? epoll : null;
  }

  /// {@return the selector if its events are simulated; null if they are real}
  @Nullable SimulatedEvents simulated() {
    return selector instanceof SimulatedEvents events ? events : null;
  }

  /// {@return the stream that reads and writes the bytes of a registered channel}
  ByteChannel stream(SocketChannel channel) {
    return selector instanceof EpollSelector epoll ? epoll.stream(channel) : channel;
  }

  SelectionKey register(SelectableChannel channel, ChannelRegistration registration)
      throws IOException {
    if (broken != null) {
      throw new IOException("no IO on this scheduler any more: " + broken.getMessage(), broken);
    }
    return channel.register(selector, 0, registration);
  }

  @Nullable ChannelRegistration registrationOf(SelectableChannel channel) {
    SelectionKey key = keyOf(channel);
    return key == null ? null : registration(key);
  }

  @Nullable SelectionKey keyOf(SelectableChannel channel) {
    return channel.keyFor(selector);
  }

  private static ChannelRegistration registration(SelectionKey key) {
    return (ChannelRegistration) key.attachment();
  }

  int registeredCount() {
    if (!selector.isOpen()) {
      return 0;
    }
    Stream<? extends SelectionKey> keys =
        selector instanceof EpollSelector epoll ? epoll.keyStream() : selector.keys().stream();
    return (int) keys.filter(key -> key.channel().isOpen()).count();
  }

  /// {@return why the system refuses to watch a channel; null if it does not} Reported once.
  @Nullable IOException takeRefusal(SelectionKey key) {
    return selector instanceof EpollSelector epoll ? epoll.takeRefusal(key) : null;
  }

  // Ready channels.

  boolean hasReady() {
    return !ready.isEmpty();
  }

  /// Lets the waits of ready channels advance.
  ///
  /// @param max how many channels
  /// @return whether more are ready
  boolean advance(int max) {
    ChannelRegistration next;
    for (int left = max; (next = ready.poll()) != null; ) {
      next.advance();
      if (--left == 0) {
        return !ready.isEmpty();
      }
    }
    return false;
  }

  // Selecting.

  /// Selects without blocking, while other tasks are ready.
  void poll() {
    select(whenPolled, 0);
  }

  /// Selects while nothing else is ready.
  ///
  /// @param nanos how long it may block; rounded down to milliseconds unless [#countsNanos()]
  void block(long nanos) {
    select(whenBlocked, nanos);
  }

  private void select(Consumer<SelectionKey> action, long nanos) {
    if (broken != null) {
      return;
    }
    selects++;
    try {
      if (nanos == FOREVER) {
        noteReturn(selector.select(action) == 0);
      } else if (nanos >= (countsNanos() ? 1 : NANOS_PER_MILLI)) {
        long before = System.nanoTime(); // the selector's own clock
        int count = selectFor(nanos, action);
        noteReturn(count == 0 && System.nanoTime() - before < nanos / 2);
      } else {
        selector.selectNow(action);
      }
    } catch (IOException | RuntimeException e) {
      breakDown(e);
    }
  }

  private int selectFor(long nanos, Consumer<SelectionKey> action) throws IOException {
    return selector instanceof EpollSelector epoll
        ? epoll.selectNanos(action, nanos)
        : selector.select(action, nanos / NANOS_PER_MILLI);
  }

  /// {@return whether it blocks to the nanosecond, and not to the millisecond}
  boolean countsNanos() {
    return selector instanceof EpollSelector epoll && epoll.countsNanos();
  }

  /// Notes that a select which could block has returned.
  ///
  /// @param early whether nothing was ready and the time was not over
  private void noteReturn(boolean early) throws IOException {
    if (!early || parker.isWoken() || Thread.currentThread().isInterrupted()) {
      premature = 0;
    } else if (++premature >= MAX_PREMATURE) {
      premature = 0;
      replaceSelector();
    }
  }

  /// Ends the current select, or the next one if there is none. Any thread.
  void wakeup() {
    selector.wakeup();
  }

  // On another thread.

  /// Blocks in place of the loop, and leaves the ready channels for [#lookAfterElsewhere()].
  ///
  /// @param nanos how long it may block, rounded up to milliseconds
  void blockElsewhere(long nanos) {
    try {
      if (!parker.isWoken()) {
        long before = System.nanoTime();
        int count = selector.select(whenElsewhere, nanos == FOREVER ? 0 : millisRoundedUp(nanos));
        boolean early = count == 0 && !parker.isWoken() && System.nanoTime() - before < nanos / 2;
        premature = early ? premature + 1 : 0;
      }
    } catch (IOException | RuntimeException e) {
      failedElsewhere = e;
    }
  }

  private static long millisRoundedUp(long nanos) {
    return 1 + (Math.max(1, nanos) - 1) / NANOS_PER_MILLI;
  }

  /// Selects without blocking, while nothing else is ready, and handles a failure on the other
  /// thread.
  void lookAfterElsewhere() {
    if (failedElsewhere != null) {
      breakDown(failedElsewhere);
      failedElsewhere = null;
    } else if (premature >= MAX_PREMATURE) {
      premature = 0;
      try {
        replaceSelector();
      } catch (IOException e) {
        breakDown(e);
      }
    }
    block(0);
  }

  // Replacing it.

  private void replaceSelector() throws IOException {
    Selector old = selector;
    Selector fresh = opener.open();
    scheduler
        .host()
        .report(
            "the selector, which is replaced",
            new IOException(
                "it returned %d times in a row with nothing ready: channels=%d"
                    .formatted(MAX_PREMATURE, old.keys().size())));
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
    if (parker.isWoken()) {
      fresh.wakeup(); // the thread that woke the loop may have woken the old selector
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
      // its owner has closed it on another thread just now; its waits fail because of that
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

  /// Fails all waits: the selector cannot be used any more.
  private void breakDown(Exception cause) {
    var failure = new IOException("the selector failed: " + cause.getMessage(), cause);
    broken = failure;
    ready.clear();
    if (selector.isOpen()) {
      for (SelectionKey key : List.copyOf(selector.keys())) {
        registration(key).failAll(failure);
      }
    }
  }

  /// Closes all channels that are still registered, and the selector.
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
