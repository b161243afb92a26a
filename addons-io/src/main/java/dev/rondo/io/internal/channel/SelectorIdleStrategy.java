package dev.rondo.io.internal.channel;

import dev.rondo.io.internal.alarm.Alarm;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.internal.rooms.LendableEventSource;
import dev.rondo.scheduler.internal.rooms.SimulatedEvents;
import java.time.Duration;

/// Decides when the selector polls, and how the loop blocks until a channel is ready.
///
/// Linux's own calls block until a deadline to the nanosecond. A `Selector` counts in milliseconds,
/// so the loop blocks in it until the last whole millisecond before a deadline. Then the loop
/// parks. While a task waits for a channel, it blocks in the selector without a limit instead, and
/// an [Alarm] wakes it. So a deadline does not delay events.
///
/// Confined to the scheduler's thread, except [#wakeup()] and [#blockElsewhere(long)]. The latter
/// is for a thread to which the scheduler's thread has handed the selector.
public final class SelectorIdleStrategy implements LendableEventSource {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /// How often the selector polls while other tasks keep the loop busy. The add-on's turn comes
  /// more often. But most of those tasks are ready because of the last select, and when they are
  /// done the loop blocks in the next one. Polls in between would find little, and each is a system
  /// call.
  private static final long POLL_INTERVAL_NANOS = 1_000_000;

  /// The loop parks for times as short as this, because the alarm would not be faster.
  private static final long SHORT_NANOS = 50_000;

  private final Scheduler scheduler;
  private final AddOnHost host;
  private final Reactor reactor;
  private final ChannelSelector selector;
  private final Parker parker;
  private final Alarm alarm = new Alarm(this::wakeup);

  private long maxBlockNanos = FOREVER;

  /// When the selector was last asked.
  private long polledNanos;

  /// Whether a channel was closed: the selector releases it in its next select.
  private boolean closedSome;

  /// Whether another thread may be in the selector, so that a select here would block.
  private boolean lent;

  SelectorIdleStrategy(
      Scheduler scheduler, Reactor reactor, ChannelSelector selector, Parker parker) {
    this.scheduler = scheduler;
    this.host = scheduler.host();
    this.reactor = reactor;
    this.selector = selector;
    this.parker = parker;
  }

  /// Sets how long the loop may block at a time.
  ///
  /// @param longest more than zero
  public void maxBlock(Duration longest) {
    maxBlockNanos = longest.toSeconds() >= FOREVER / NANOS_PER_SECOND ? FOREVER : longest.toNanos();
  }

  // Without blocking.

  /// Polls while other tasks are ready: if a channel was closed, or if the last select is a while
  /// ago and all channels that it found were served.
  ///
  /// @param needless whether the turn comes for another reason
  void pollIfDue(boolean needless) {
    if (closedSome
        || (!needless
            && !selector.hasReady()
            && host.nowNanos() - polledNanos >= POLL_INTERVAL_NANOS)) {
      select();
    }
  }

  private void select() {
    closedSome = false;
    polledNanos = host.nowNanos();
    selector.poll();
  }

  void noteClosed() {
    closedSome = true;
  }

  boolean isLent() {
    return lent;
  }

  /// Makes the selector release closed channels now, unless another thread has it.
  ///
  /// @return whether there were any
  boolean releaseClosed() {
    boolean any = closedSome && !lent;
    if (any) {
      select();
    }
    return any;
  }

  // Blocking.

  /// Blocks until an instant, or until an event or a wakeup.
  void idleUntil(long deadlineNanos) {
    boolean _ = idleFor(deadlineNanos - host.nowNanos());
  }

  /// Blocks until an event or a wakeup.
  public void idle() {
    boolean _ = idleFor(FOREVER);
  }

  /// Blocks, unless there is something to do first.
  ///
  /// @return whether it did
  private boolean idleFor(long nanos) {
    if (reactor.failClosed() || reactor.stopIdling()) {
      return false;
    }
    closedSome = false;
    block(Math.min(nanos, maxBlockNanos));
    polledNanos = host.nowNanos();
    reactor.selected();
    return true;
  }

  private void block(long nanos) {
    if (selector.broken != null) {
      parker.park(nanos);
    } else if (nanos >= ChannelSelector.NANOS_PER_MILLI) {
      blockInSelector(nanos);
    } else if (reactor.waitCount() == 0) {
      parker.park(nanos);
    } else if (nanos <= SHORT_NANOS) {
      parker.park(nanos);
      selector.block(0);
    } else if (selector.countsNanos()) {
      blockInSelector(nanos);
    } else {
      alarm.set(System.nanoTime() + nanos);
      blockInSelector(FOREVER);
      alarm.clear();
    }
  }

  private void blockInSelector(long nanos) {
    selector.block(nanos); // remembers a wakeup that came before
    parker.clear();
  }

  /// The selector is about to be closed.
  void close() {
    alarm.close();
  }

  // Beside a virtual clock.

  @Override
  public void pass() {
    reactor.noticeClosed();
  }

  @Override
  public boolean poll() {
    if (reactor.failClosed() || reactor.stopIdling()) {
      return true;
    }
    closedSome = false;
    selector.block(0);
    polledNanos = host.nowNanos();
    reactor.selected();
    return scheduler.tasksPending() > 0;
  }

  @Override
  public boolean await(long nanos) {
    return !idleFor(nanos) || scheduler.tasksPending() > 0;
  }

  @Override
  public void sleep(long nanos) {
    boolean _ = idleFor(nanos);
  }

  @Override
  public boolean isReal() {
    return selector.simulated() == null;
  }

  @Override
  public long untilNextNanos() {
    SimulatedEvents events = selector.simulated();
    return events == null || selector.broken != null ? FOREVER : events.untilNextNanos();
  }

  @Override
  public int waitCount() {
    return reactor.waitCount();
  }

  @Override
  public long waitsBegun() {
    return reactor.waitsBegun();
  }

  /// Ends the current block, or the next one if there is none. Any thread.
  @Override
  public void wakeup() {
    if (!parker.wakeup()) {
      selector.wakeup();
    }
  }

  // On another thread.

  /// Hands the selector to another thread, unless a task is ready here.
  ///
  /// @return whether it did
  @Override
  public boolean lend() {
    if (!reactor.failClosed()) {
      closedSome = false;
      selector.lookAfterElsewhere();
      polledNanos = host.nowNanos();
      if (selector.hasReady() || selector.broken != null) {
        reactor.selected();
      }
      var _ = reactor.stopIdling();
    }
    lent = scheduler.tasksPending() == 0;
    return lent;
  }

  /// Takes the selector back.
  @Override
  public void takeBack() {
    lent = false;
  }

  @Override
  public void awaitElsewhere() {
    blockElsewhere(FOREVER);
  }

  /// Blocks in place of the loop, and leaves the ready channels for the next [#lend()].
  ///
  /// @param nanos how long it may block, rounded up to milliseconds
  public void blockElsewhere(long nanos) {
    if (selector.broken != null) {
      parker.park(nanos);
    } else {
      selector.blockElsewhere(Math.min(nanos, maxBlockNanos));
      parker.clear();
    }
  }
}
