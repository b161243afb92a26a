package dev.rondo.io.internal.channel;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.OpenChannel;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A channel registered with the selector, and the waits on it: at most one inward and one outward.
///
/// Interest in *reading and accepting* stays with the selector when a wait is over, because the
/// next wait will most likely want the same: in steady state there is no `epoll_ctl` at all. It is
/// dropped when an event comes and no task waits for it. Interest in *writing and connecting* is
/// dropped with the wait: a socket is nearly always writable, so the event would come back at once.
///
/// Confined to the scheduler's thread.
public final class ChannelRegistration {

  /// How many polls in a row may report an event without a waiting task before the interest is
  /// dropped: the task may just not have had its turn yet. A select that may block drops the
  /// interest at once. There is no such task then, and the next select would not block.
  private static final int MAX_UNATTENDED = 8;

  final Reactor reactor;
  private final ChannelSelector selector;
  final SelectableChannel channel;

  /// Whether the program has the channel itself and may close it directly.
  final boolean exposed;

  private SelectionKey key;

  /// Its text is the channel's name in messages.
  private Object name;

  /// The place among the open channels; [ChannelList#NONE] if the channel is not open any more.
  private int place;

  private int interest;

  /// The operations that the last select found ready, until the add-on's turn.
  private int found;

  /// The number of the channel's last turn, counted over all channels; see [ReadyChannels].
  long served;

  /// Whether the last read took all there was, and no select has reported more since.
  boolean drained;

  /// The failure that broke the connection; null if none is known. The system reports the failure
  /// to the first call in either direction. Later reads find the end of the stream, as if the peer
  /// had sent everything.
  private @Nullable IOException brokenBy;

  private int unattended;

  /// Kept here while the selector has the channel, see [LeakWatch].
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private LeakWatch.@Nullable Guard guard;

  /// Whether the channel was given up while it was open.
  private boolean detached;

  private @Nullable ChannelWait inward;
  private @Nullable ChannelWait outward;

  /// @param channel open and in non-blocking mode
  ChannelRegistration(Reactor reactor, SelectableChannel channel, Object name, boolean exposed)
      throws IOException {
    this.reactor = reactor;
    this.channel = channel;
    this.name = name;
    this.exposed = exposed;
    this.selector = reactor.selector();
    this.key =
        exposed
            ? reactor.closeWatch().register(this, () -> selector.register(channel, this))
            : selector.register(channel, this);
    this.place = reactor.openChannels().add(this::describe);
  }

  /// Replaces the channel's name in messages.
  ///
  /// @param better its text is the name
  public void rename(Object better) {
    name = better;
  }

  /// Moves to another selector.
  void moveTo(SelectionKey replacement) {
    key = replacement;
    interest(interest);
  }

  /// {@return why a task cannot wait here; null if it can}
  @Nullable IOException unusable() {
    return isOpen() ? selector.broken : closedByThisSide();
  }

  private boolean isOpen() {
    return !detached && channel.isOpen();
  }

  private ClosedChannelException closedByThisSide() {
    return reactor.failures().closed(name + ": this side has closed it");
  }

  /// {@return whether the selector has the channel} A channel that is being closed on another
  /// thread counts.
  boolean isRegistered() {
    return key.isValid();
  }

  /// A read or a write has failed.
  void noteBroken(IOException why) {
    if (brokenBy == null && IoErrors.isBreak(why)) {
      brokenBy = why;
    }
  }

  /// Checks what is known of the connection, because the system reports a break only once.
  ///
  /// @throws IOException if the connection was broken
  public void requireWhole() throws IOException {
    IOException why = brokenBy;
    if (why != null) {
      var again = new SocketException(why.getMessage());
      again.initCause(why);
      throw again;
    }
  }

  /// Forgets the failure, because this side does not read any more.
  void forgetBroken() {
    brokenBy = null;
  }

  /// Watches the socket that has the channel: a socket that the program loses is closed.
  ///
  /// @param socket neither the channel's name nor the closing may refer to it
  /// @param closing closes the channel through this
  /// @return the guard that closes the socket
  public LeakWatch.Guard watch(Object socket, LeakWatch.Closing closing) {
    LeakWatch.Guard made = reactor.leakWatch().watch(socket, this, closing);
    guard = made;
    return made;
  }

  /// {@return whether the system finds the channel ready now} Never blocks, and takes nothing.
  boolean isReady(int operation) {
    return isOpen() && selector.broken == null && reactor.isReady(channel, operation);
  }

  // Waits.

  /// @throws IllegalStateException if another wait has the direction
  void requireFree(ChannelWait wanted, Waiter<?> asking) {
    ChannelWait other = wanted.inward ? inward : outward;
    if (other != null) {
      throw busy(wanted, asking.task(), other.task());
    }
  }

  /// @throws IllegalStateException if another wait has the direction
  void requireFree(ChannelWait wanted, @Nullable Task<?> asking) {
    ChannelWait other = wanted.inward ? inward : outward;
    if (other != null) {
      throw busy(wanted, asking, other.task());
    }
  }

  static IllegalStateException busy(Object wanted, @Nullable Task<?> asking, Task<?> first) {
    return new IllegalStateException(
        "%s: task '%s' is doing this already, and only one task may at a time; task '%s' must wait"
            .formatted(wanted, first.name(), asking == null ? "none" : asking.name()));
  }

  void arm(ChannelWait wait) {
    if (wait.inward) {
      inward = wait;
    } else {
      outward = wait;
    }
    if ((interest & wait.operation) == 0 && !wait.isHeld()) {
      addInterest(wait.operation);
    }
    reactor.waitBegun();
  }

  private void addInterest(int operation) {
    if ((interest & operation) == 0) {
      interest(interest | operation);
    }
  }

  private void removeInterest(int operation) {
    interest(interest & ~operation);
  }

  private void interest(int operations) {
    interest = operations;
    try {
      key.interestOps(operations);
    } catch (CancelledKeyException e) {
      // the program has closed the channel on another thread just now, see CloseWatch
    }
  }

  /// Tries a held wait again, see [ChannelWait#isHeld()].
  void resume(int operation) {
    ChannelWait wait = waitFor(operation);
    if (wait != null && !wait.isHeld() && !wait.advance() && !wait.isHeld()) {
      addInterest(operation);
    }
  }

  private @Nullable ChannelWait waitFor(int operation) {
    return (operation & ChannelWait.INWARD) != 0 ? inward : outward;
  }

  boolean isAwaited() {
    return inward != null || outward != null;
  }

  /// Describes the channel for observers; null if it is closed.
  @Nullable OpenChannel describe() {
    return isOpen() ? new OpenChannel(toString(), describeWaits()) : null;
  }

  private List<String> describeWaits() {
    return Stream.of(inward, outward)
        .filter(Objects::nonNull)
        .map(wait -> "task '%s': %s".formatted(ReportText.escaped(wait.task().name()), wait))
        .toList();
  }

  /// The wait has ended.
  void settled(ChannelWait wait) {
    if (wait.inward) {
      inward = null;
    } else {
      outward = null;
      removeInterest(wait.operation);
    }
    reactor.waitCount--;
  }

  // Events.

  /// A select found the channel ready. Its waits advance in the add-on's turn, see [#advance()]. A
  /// failure of one channel does not affect the others.
  ///
  /// @param mayBlock whether the next select must not report again an event without a waiting task
  void ready(boolean mayBlock) {
    try {
      IOException refusal = selector.takeRefusal(key);
      if (refusal != null) {
        interest(0); // so that the next wait asks again
        failAll(refusal);
        return;
      }
      int ops = key.readyOps();
      ChannelWait in = inward;
      ChannelWait out = outward;
      int awaited = ops & ((in == null ? 0 : in.operation) | (out == null ? 0 : out.operation));
      if ((ops & ChannelWait.INWARD) != 0) {
        drained = false;
      }
      if (awaited != 0) {
        unattended = 0;
        if (found == 0) {
          ReadyChannels ready = selector.ready;
          ready.add(this);
        }
        found = awaited;
      } else if (mayBlock || ++unattended > MAX_UNATTENDED) {
        unattended = 0;
        removeInterest(ops);
      }
    } catch (CancelledKeyException e) {
      // the program has closed the channel on another thread just now, see CloseWatch
    } catch (RuntimeException e) {
      failAll(new IOException("the selector's key failed: " + e, e));
    }
  }

  /// Retries the operations for which the channel has become ready.
  void advance() {
    int ops = found;
    found = 0;
    ChannelWait in = inward;
    if (in != null && (in.operation & ops) != 0) {
      advance(in);
    }
    ChannelWait out = outward;
    if (out != null && (out.operation & ops) != 0) {
      advance(out);
    }
  }

  private void advance(ChannelWait wait) {
    if (!wait.advance() && wait.isHeld()) {
      removeInterest(wait.operation);
    }
  }

  /// Retries the wait of a direction, because this side has changed the channel.
  ///
  /// @param operation a bit of [SelectionKey]
  public void retry(int operation) {
    drained = false;
    ChannelWait wait = waitFor(operation);
    if (wait != null) {
      wait.advance();
    }
  }

  // The end.

  /// Gives the channel up, open and registered with no selector. Operations fail from now on as if
  /// it was closed. There must be no waits.
  ///
  /// @throws IllegalStateException if another thread has the selector
  public void detach() {
    reactor.forget(key);
    detached = true;
    strikeOut();
  }

  /// Closes the channel, unless it was given up. Waits on it fail at once. Later calls do nothing.
  ///
  /// @throws IOException if closing fails; it counts as closed all the same
  public void close() throws IOException {
    if (detached) {
      return;
    }
    if (!channel.isOpen()) {
      failIfClosed(); // the program may have closed it itself
      return;
    }
    try {
      channel.close();
    } finally {
      strikeOut();
      failAll(closedByThisSide());
      reactor.closed();
    }
  }

  private void strikeOut() {
    if (place != ChannelList.NONE) {
      reactor.openChannels().remove(place);
      place = ChannelList.NONE;
    }
  }

  /// Fails the waits if the program has closed the channel itself.
  void failIfClosed() {
    if (!channel.isOpen()) {
      strikeOut();
      if (isAwaited()) {
        failAll(closedByThisSide());
      }
    }
  }

  void failAll(IOException why) {
    ChannelWait in = inward;
    if (in != null) {
      in.fail(why);
    }
    ChannelWait out = outward;
    if (out != null) {
      out.fail(why);
    }
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
