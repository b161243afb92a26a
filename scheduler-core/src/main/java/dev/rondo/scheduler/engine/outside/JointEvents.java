package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.internal.rooms.LendableEventSource;
import org.jspecify.annotations.Nullable;

/// Two sources of events for one thread, combined into one source.
///
/// The thread blocks in the source whose events tasks wait for. If tasks wait for events of both,
/// the thread blocks in one of them. A [SleepHelper] waits for the other source, which is lendable,
/// and wakes the thread.
///
/// Confined to the scheduler's thread, except [#wakeup()].
public final class JointEvents implements EventSource {

  private final EventSource first;
  private final EventSource second;

  /// The source in which the loop blocks while a helper waits for the other source; null if both
  /// have virtual time.
  private final @Nullable EventSource resident;

  private final @Nullable SleepHelper helper;

  /// Set by any thread, before it reads `blocking`; cleared by the loop.
  private volatile boolean woken;

  /// The source in which the loop blocks. The loop writes this field before it reads `woken`. A
  /// thread that wakes the loop writes `woken` before it reads this field. So either the loop sees
  /// the wakeup, or the other thread sees which source to wake.
  private volatile @Nullable EventSource blocking;

  private JointEvents(
      EventSource first, EventSource second, @Nullable LendableEventSource lendable) {
    this.first = first;
    this.second = second;
    if (lendable == null) {
      resident = null;
      helper = null;
    } else {
      EventSource other = lendable == first ? second : first;
      resident = other;
      helper = new SleepHelper(lendable, other);
    }
  }

  /// See [dev.rondo.scheduler.internal.rooms.LendableEventSource#both].
  ///
  /// @param first a source
  /// @param second another source
  /// @return a source with the events of both
  public static EventSource of(EventSource first, EventSource second) {
    if (first.isReal() != second.isReal()) {
      throw new IllegalArgumentException(
          "one source of events is real and the other has virtual time: give both the channels of"
              + " the simulated host, or both the system's; first=%s, second=%s"
                  .formatted(first, second));
    }
    if (!first.isReal()) {
      return new JointEvents(first, second, null);
    }
    if (first instanceof LendableEventSource lendable) {
      return new JointEvents(first, second, lendable);
    }
    if (second instanceof LendableEventSource lendable) {
      return new JointEvents(first, second, lendable);
    }
    throw new IllegalArgumentException(
        "both sources of events block the loop's thread, and another thread can wait for neither:"
            + " first=%s, second=%s".formatted(first, second));
  }

  @Override
  public boolean poll() {
    boolean foundFirst = first.poll();
    boolean foundSecond = second.poll();
    return foundFirst || foundSecond;
  }

  @Override
  public boolean pollIfAwaited() {
    boolean goesOn = first.pollIfAwaited();
    return second.pollIfAwaited() || goesOn;
  }

  @Override
  public void pass() {
    first.pass();
    second.pass();
  }

  @Override
  public boolean await(long nanos) {
    if (poll()) {
      return true;
    }
    boolean firstIsAwaited = first.waitCount() > 0;
    boolean secondIsAwaited = second.waitCount() > 0;
    if (helper == null || resident == null) {
      return awaitIn(secondIsAwaited ? second : first, nanos);
    }
    if (!firstIsAwaited || !secondIsAwaited) {
      EventSource only = firstIsAwaited ? first : secondIsAwaited ? second : resident;
      return awaitIn(only, nanos);
    }
    return !helper.begin() || awaitBoth(resident, helper, nanos);
  }

  private boolean awaitBoth(EventSource own, SleepHelper other, long nanos) {
    boolean found = false;
    try {
      found = awaitIn(own, nanos);
    } finally {
      found |= other.end();
    }
    return found;
  }

  private boolean awaitIn(EventSource source, long nanos) {
    blocking = source;
    boolean found = woken || source.await(nanos);
    blocking = null;
    woken = false;
    return found;
  }

  @Override
  public void wakeup() {
    woken = true;
    EventSource source = blocking;
    if (source != null) {
      source.wakeup();
    }
  }

  @Override
  public boolean isReal() {
    return first.isReal();
  }

  @Override
  public long untilNextNanos() {
    return Math.min(first.untilNextNanos(), second.untilNextNanos());
  }

  @Override
  public int waitCount() {
    return first.waitCount() + second.waitCount();
  }

  @Override
  public long waitsBegun() {
    return first.waitsBegun() + second.waitsBegun();
  }

  @Override
  public String toString() {
    return first + " and " + second;
  }
}
