package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import sun.nio.ch.SelChImpl;

/// A selector for the JDK's channels that uses Linux's `epoll`, level-triggered like the JDK's own.
/// It does without a hash table from descriptors to keys, without sets of selected keys, and takes
/// one lock for a select and none for an event.
///
/// One thread at a time selects; others wait for it. Meanwhile other threads may register channels
/// and change their interests, which take effect with the next select; call [#wakeup()], close a
/// channel or cancel a key; and close the selector, which ends the select. An interrupt wakes the
/// thread. Only the selects that take an action are supported.
public final class EpollSelector extends AbstractSelector {

  /// How many ready channels one select reports; the others follow in the next one. As in the
  /// JDK's.
  private static final int MAX_EVENTS = 1_024;

  private static final int INITIAL_DESCRIPTORS = 64;

  /// `epoll_event` is packed on amd64 and aligned elsewhere.
  private static final long DATA_OFFSET =
      System.getProperty("os.arch").equals("amd64") ? Integer.BYTES : Long.BYTES;

  private static final long EVENT_BYTES = DATA_OFFSET + Long.BYTES;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private static final long NO_WAIT = 0;
  private static final long FOREVER = -1;

  private final Libc calls = new Libc();

  /// For the streams, because another thread may select while they are used.
  private final StreamCalls callsOfStreams = new StreamCalls();

  private final int epoll;
  private final MemorySegment event = Arena.ofAuto().allocate(EVENT_BYTES, Long.BYTES);
  private final MemorySegment events =
      Arena.ofAuto().allocate(EVENT_BYTES * MAX_EVENTS, Long.BYTES);

  /// Indexed by descriptor. The key of a closed channel keeps its place until the next select;
  /// until then the system keeps the descriptor, too. Written under the lock of `changed`; the
  /// system reports a descriptor only after it is registered, which happens later under the same
  /// lock.
  private volatile @Nullable EpollKey[] keys = new EpollKey[INITIAL_DESCRIPTORS];

  /// Keys whose new interests the next select registers. Guarded by itself, as are the interests.
  private final List<EpollKey> changed = new ArrayList<>();

  /// Keys whose interests the system has refused to register. Used by the thread that selects.
  private final Set<SelectionKey> refused = new HashSet<>();

  private final EventCounter wakeups;

  /// Whether the thread that selects is within a select. Guarded by this.
  private boolean selecting;

  /// @throws IOException if the system has no descriptors left; nothing stays open
  EpollSelector() throws IOException {
    super(SelectorProvider.provider());
    epoll = calls.epollCreate();
    try {
      wakeups = new EventCounter();
    } catch (IOException e) {
      calls.close(epoll);
      throw e;
    }
    try {
      control(Libc.EPOLL_CTL_ADD, wakeups.descriptor, Libc.EPOLLIN);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /// {@return the stream that reads and writes the bytes of a channel by Linux's own calls} All
  /// streams of a selector are for one thread.
  ///
  /// @param channel connected, and registered here while it is open
  public ByteChannel stream(SocketChannel channel) {
    return new LinuxStream(callsOfStreams, channel);
  }

  /// {@return whether a channel is ready for an operation, or broken} Never blocks. For the thread
  /// that uses the streams.
  ///
  /// @param channel of the JDK, open and registered here
  /// @param operation a bit of [SelectionKey]
  public boolean isReady(SelectableChannel channel, int operation) throws IOException {
    return callsOfStreams.isReady(
        ((SelChImpl) channel).getFDVal(),
        (operation & EpollKey.INWARD) != 0 ? Libc.POLLIN : Libc.POLLOUT);
  }

  // Channels.

  @Override
  protected SelectionKey register(
      AbstractSelectableChannel channel, int operations, @Nullable Object attachment) {
    if (!(channel instanceof SelChImpl)) {
      throw new IllegalSelectorException();
    }
    var key = new EpollKey(this, channel);
    key.attach(attachment);
    synchronized (changed) {
      requireOpen(); // under the lock, under which a close later looks for keys
      if (key.descriptor >= keys.length) {
        keys = Arrays.copyOf(keys, Math.max(2 * keys.length, key.descriptor + 1));
      }
      keys[key.descriptor] = key;
    }
    key.interestOps(operations);
    return key;
  }

  void changeInterest(EpollKey key, int operations) {
    synchronized (changed) {
      if (key.interest(operations)) {
        changed.add(key);
      }
    }
  }

  private void applyChanges() {
    synchronized (changed) {
      if (!changed.isEmpty()) {
        for (EpollKey each : changed) {
          try {
            applyChange(each);
          } catch (IOException e) {
            each.refuse(e);
            refused.add(each);
          }
        }
        changed.clear();
      }
    }
  }

  private void applyChange(EpollKey key) throws IOException {
    if (key.isValid()) {
      int before = key.registered();
      int now = key.wantedEvents();
      if (before != now) {
        control(operation(before, now), key.descriptor, now);
      }
      key.register(now);
    }
  }

  private static int operation(int before, int now) {
    return before == 0 ? Libc.EPOLL_CTL_ADD : now == 0 ? Libc.EPOLL_CTL_DEL : Libc.EPOLL_CTL_MOD;
  }

  private void control(int operation, int descriptor, int wantedEvents) throws IOException {
    event.set(INT, 0, wantedEvents);
    event.set(LONG, DATA_OFFSET, descriptor);
    calls.epollControl(epoll, operation, descriptor, event);
  }

  /// {@return why the system has refused to register the interest of a key; null if it has not}
  /// Until this was called, each select returns at once and reports the key as ready. The other
  /// keys are not affected. Only a new interest is registered afterwards.
  ///
  /// @param key of this selector
  public @Nullable IOException takeRefusal(SelectionKey key) {
    return refused.remove(key) ? ((EpollKey) key).takeRefusal() : null;
  }

  private void removeCancelled() {
    Set<SelectionKey> cancelled = cancelledKeys();
    synchronized (cancelled) {
      if (!cancelled.isEmpty()) {
        for (Iterator<SelectionKey> each = cancelled.iterator(); each.hasNext(); ) {
          var key = (EpollKey) each.next();
          each.remove();
          remove(key);
        }
      }
    }
  }

  /// A failure here does not affect other channels, and `close(2)` has released the descriptor all
  /// the same.
  private void remove(EpollKey key) {
    refused.remove(key);
    synchronized (changed) {
      keys[key.descriptor] = null;
    }
    try {
      if (key.registered() != 0) {
        control(Libc.EPOLL_CTL_DEL, key.descriptor, 0);
      }
    } catch (IOException closedMeanwhile) {
      // the system has removed it
    }
    try {
      release(key);
    } catch (IOException closedAllTheSame) {
      // its owner has closed it already and has no use for this
    }
  }

  /// Makes the system close the descriptor of a closed channel that no selector has any more.
  private void release(EpollKey key) throws IOException {
    deregister(key);
    var channel = (AbstractSelectableChannel) key.channel();
    if (!channel.isOpen() && !channel.isRegistered()) {
      ((SelChImpl) channel).kill();
    }
  }

  @Override
  public Set<SelectionKey> keys() {
    requireOpen();
    return keyStream().collect(Collectors.toUnmodifiableSet());
  }

  /// {@return the keys, without a copy of all of them} On the thread that selects.
  public Stream<SelectionKey> keyStream() {
    return Arrays.stream(keys)
        .<SelectionKey>mapMulti((key, each) -> {
          if (key != null) {
            each.accept(key);
          }
        });
  }

  // Selecting.

  @Override
  public int selectNow(Consumer<SelectionKey> action) throws IOException {
    return selectFor(NO_WAIT, action);
  }

  @Override
  public int select(Consumer<SelectionKey> action) throws IOException {
    return selectFor(FOREVER, action);
  }

  @Override
  public int select(Consumer<SelectionKey> action, long millis) throws IOException {
    if (millis < 0) {
      throw new IllegalArgumentException("the timeout must not be negative: millis=" + millis);
    }
    return selectFor(millis == 0 ? FOREVER : TimeUnit.MILLISECONDS.toNanos(millis), action);
  }

  /// {@return whether the system blocks to the nanosecond, and not to the millisecond} Linux does
  /// since 5.11, with glibc 2.35.
  public boolean countsNanos() {
    return calls.countsNanos();
  }

  /// Selects as [#select(Consumer, long)] does.
  ///
  /// @param nanos how long it may block, more than 0; rounded down to milliseconds unless
  ///   [#countsNanos()]
  public int selectNanos(Consumer<SelectionKey> action, long nanos) throws IOException {
    if (nanos <= 0) {
      throw new IllegalArgumentException("the timeout must be positive: nanos=" + nanos);
    }
    return selectFor(nanos, action);
  }

  private synchronized int selectFor(long nanos, Consumer<SelectionKey> action) throws IOException {
    requireOpen();
    if (selecting) {
      throw new IllegalStateException("a select must not be called in the action of a select");
    }
    selecting = true;
    try {
      removeCancelled();
      applyChanges();
      int found = await(refused.isEmpty() ? nanos : NO_WAIT);
      removeCancelled();
      return reportRefused(action) + report(action, found);
    } finally {
      selecting = false;
    }
  }

  private int await(long nanos) throws IOException {
    if (nanos == NO_WAIT) {
      return calls.epollWait(epoll, events, MAX_EVENTS, NO_WAIT);
    }
    begin();
    try {
      return block(nanos);
    } finally {
      end();
    }
  }

  private int block(long nanos) throws IOException {
    long start = nanos < 0 ? 0 : System.nanoTime();
    long left = nanos;
    int found = calls.epollWait(epoll, events, MAX_EVENTS, left);
    while (found == Libc.INTERRUPTED) {
      if (nanos >= 0) {
        left = Math.max(NO_WAIT, nanos - (System.nanoTime() - start));
      }
      found = calls.epollWait(epoll, events, MAX_EVENTS, left);
    }
    return found;
  }

  private int reportRefused(Consumer<SelectionKey> action) {
    if (refused.isEmpty()) {
      return 0;
    }
    List<SelectionKey> all = List.copyOf(refused);
    for (SelectionKey each : all) {
      action.accept(each);
      requireOpen();
    }
    return all.size();
  }

  /// @return how many channels are ready
  private int report(Consumer<SelectionKey> action, int found) throws IOException {
    int ready = 0;
    for (int i = 0; i < found; i++) {
      int descriptor = (int) events.get(LONG, i * EVENT_BYTES + DATA_OFFSET);
      if (descriptor == wakeups.descriptor) {
        wakeups.reset();
        continue;
      }
      EpollKey key = keys[descriptor];
      if (key != null && key.isValid() && key.found(events.get(INT, i * EVENT_BYTES))) {
        ready++;
        action.accept(key);
        requireOpen(); // the other descriptors found may belong to other files by now
      }
    }
    return ready;
  }

  @Override
  public Selector wakeup() {
    wakeups.signal();
    return this;
  }

  // The end.

  private void requireOpen() {
    if (!isOpen()) {
      throw new ClosedSelectorException();
    }
  }

  /// Waits until the select of another thread has ended. Channels need not be removed from a closed
  /// `epoll`.
  @Override
  protected void implCloseSelector() throws IOException {
    wakeup();
    synchronized (this) {
      try {
        wakeups.close();
      } finally {
        try {
          calls.close(epoll);
        } finally {
          releaseAll();
        }
      }
    }
  }

  private void releaseAll() throws IOException {
    @Nullable EpollKey[] all;
    synchronized (changed) {
      all = keys;
      keys = new EpollKey[0];
      changed.clear();
    }
    for (EpollKey key : all) {
      if (key != null) {
        release(key);
      }
    }
    Set<SelectionKey> cancelled = cancelledKeys();
    synchronized (cancelled) {
      cancelled.clear();
    }
  }

  // Not supported.

  @Override
  public Set<SelectionKey> selectedKeys() {
    throw withAction();
  }

  @Override
  public int selectNow() {
    throw withAction();
  }

  @Override
  public int select(long millis) {
    throw withAction();
  }

  @Override
  public int select() {
    throw withAction();
  }

  private static UnsupportedOperationException withAction() {
    return new UnsupportedOperationException("this selector supports only selects with an action");
  }
}
