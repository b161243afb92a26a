package dev.rondo.simulation.internal.nio;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.internal.rooms.SimulatedEvents;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.Timeline;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A selector of a simulated host. A select that may block lets the network's time pass.
///
/// Any thread may wake it.
final class SimulatedSelector extends AbstractSelector implements SimulatedEvents {

  private static final long NANOS_PER_MILLI = 1_000_000;

  /// As many as the JDK's has on Linux: one for `epoll`, one to wake it.
  private static final int DESCRIPTORS = 2;

  /// How many channels a message names.
  private static final int MOST_NAMED = 8;

  private final Host host;
  private final Descriptors descriptors;
  private final Set<SelectionKey> keys = new LinkedHashSet<>();
  private final Set<SelectionKey> keysForPrograms = Collections.unmodifiableSet(keys);
  private final SelectedKeys selected = new SelectedKeys();

  /// All that are ready, and maybe others.
  private final Candidates candidates = new Candidates();

  private final AtomicBoolean woken = new AtomicBoolean();
  private long registered;

  SimulatedSelector(SelectorProvider provider, Host host) throws IOException {
    super(provider);
    this.host = host;
    this.descriptors = Descriptors.open(host, this, DESCRIPTORS);
  }

  // Keys.

  @Override
  protected SelectionKey register(
      AbstractSelectableChannel channel, int operations, @Nullable Object attachment) {
    if (channel.provider() != provider() || !(channel instanceof Selectable selectable)) {
      throw new IllegalSelectorException();
    }
    requireOpen();
    var key = new SimulatedKey(this, channel, selectable, registered++);
    key.attach(attachment);
    keys.add(key);
    key.interestOps(operations);
    return key;
  }

  void mayBeReady(SimulatedKey key) {
    candidates.add(key);
    host.mayBeReady();
  }

  private void requireOpen() {
    if (!isOpen()) {
      throw new ClosedSelectorException();
    }
  }

  @Override
  public Set<SelectionKey> keys() {
    requireOpen();
    return keysForPrograms;
  }

  @Override
  public Set<SelectionKey> selectedKeys() {
    requireOpen();
    return selected;
  }

  /// Releases the keys that were cancelled, in the order in which they were registered.
  private void releaseCancelled() {
    List<SimulatedKey> cancelled;
    Set<SelectionKey> all = cancelledKeys();
    synchronized (all) {
      if (all.isEmpty()) {
        return;
      }
      cancelled = new ArrayList<>(all.size());
      all.forEach(key -> cancelled.add((SimulatedKey) key));
      all.clear();
    }
    cancelled.sort((one, other) -> Long.compare(one.number, other.number));
    cancelled.forEach(this::release);
  }

  private void release(SimulatedKey key) {
    keys.remove(key);
    selected.remove(key);
    candidates.remove(key);
    deregister(key);
    key.released();
  }

  // Selecting.

  @Override
  public int selectNow() throws IOException {
    return selectWithin(null, 0);
  }

  @Override
  public int select(long timeout) throws IOException {
    return selectWithin(null, nanos(timeout));
  }

  @Override
  public int select() throws IOException {
    return selectWithin(null, Timeline.NEVER);
  }

  @Override
  public int selectNow(Consumer<SelectionKey> action) throws IOException {
    return selectWithin(requireNonNull(action), 0);
  }

  @Override
  public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
    return selectWithin(requireNonNull(action), nanos(timeout));
  }

  @Override
  public int select(Consumer<SelectionKey> action) throws IOException {
    return selectWithin(requireNonNull(action), Timeline.NEVER);
  }

  private static long nanos(long timeoutMillis) {
    if (timeoutMillis < 0) {
      throw new IllegalArgumentException("the timeout is negative: timeout=" + timeoutMillis);
    }
    return timeoutMillis == 0 || timeoutMillis >= Timeline.NEVER / NANOS_PER_MILLI
        ? Timeline.NEVER
        : timeoutMillis * NANOS_PER_MILLI;
  }

  private int selectWithin(@Nullable Consumer<SelectionKey> action, long nanos) throws IOException {
    requireOpen();
    host.network().enter();
    releaseCancelled();
    if (nanos > 0) {
      block(nanos);
      requireOpen();
    }
    releaseCancelled();
    woken.set(false);
    return action == null ? addSelected() : passTo(action);
  }

  private void block(long nanos) {
    try {
      begin();
      boolean found = host.network().runUntil(() -> woken.get() || !isOpen() || hasReady(), nanos);
      if (!found && nanos == Timeline.NEVER) {
        throw host.network().stalled(waitedFor());
      }
    } finally {
      end();
    }
  }

  private String waitedFor() {
    String channels =
        keys.stream()
            .limit(MOST_NAMED)
            .map(key -> ((SimulatedKey) key).text())
            .collect(Collectors.joining(", "));
    return "select on host '%s' one of %d channels: %s".formatted(host, keys.size(), channels);
  }

  private boolean hasReady() {
    for (SimulatedKey key; (key = candidates.first()) != null; candidates.remove(key)) {
      if (key.poll() != 0) {
        return true;
      }
    }
    return false;
  }

  private int addSelected() {
    int count = 0;
    SimulatedKey next;
    for (SimulatedKey key = candidates.first(); key != null; key = next) {
      next = key.next;
      int ready = key.poll();
      if (ready == 0) {
        candidates.remove(key);
      } else if (!selected.contains(key)) {
        key.setReady(ready);
        selected.select(key);
        count++;
      } else if (key.addReady(ready)) {
        count++;
      }
    }
    return count;
  }

  private int passTo(Consumer<SelectionKey> action) {
    int count = 0;
    for (SimulatedKey key : candidates.toArray()) {
      int ready = key.poll();
      if (ready == 0) {
        candidates.remove(key);
      } else {
        key.setReady(ready);
        count++;
        action.accept(key);
        requireOpen();
      }
    }
    return count;
  }

  @Override
  public long untilNextNanos() {
    Timeline timeline = host.network().timeline();
    long next = timeline.nextInstant();
    return next == Timeline.NEVER ? next : next - timeline.now();
  }

  @Override
  public Selector wakeup() {
    woken.set(true);
    return this;
  }

  // The end.

  @Override
  protected void implCloseSelector() {
    host.network().enter();
    for (SelectionKey key : List.copyOf(keys)) {
      release((SimulatedKey) key);
    }
    descriptors.close();
  }

  @Override
  public String toString() {
    return "selector of host '" + host + "'";
  }
}
