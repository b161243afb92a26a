package dev.rondo.io;

import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/// A channel registered with the IO add-on, and who waits for what on it: at most one wait inward
/// and one outward.
///
/// Interest in *reading and accepting* stays with the selector when a wait is over, because the
/// next wait will most likely want the same: in steady state there is no `epoll_ctl` at all. It is
/// dropped when an event comes and nobody waits for it. Interest in *writing and connecting* is
/// dropped with the wait: a socket is nearly always writable, so it would come back at once.
///
/// Confined to the scheduler's thread.
final class ChannelRegistration {

  /// How often in a row polls may report an event that nobody waits for before its interest is
  /// dropped. The task it will be for may just not have had its turn yet. A select that may block
  /// drops it at once: there is no such task then, and the next select would not block.
  private static final int MOST_UNATTENDED = 8;

  final WaitForIO io;
  final SelectableChannel channel;

  /// Whether its user has the channel and may close it behind our back.
  final boolean exposed;

  private SelectionKey key;

  /// What messages call the channel.
  private Object name;

  private int interest;

  /// What the last select found, until the add-on's turn.
  private int found;

  /// When it was its turn for the last time, counted in turns of all channels; see [ReadyChannels].
  long served;

  /// Whether the last read got all there was, and no select has said since that there is more.
  private boolean drained;

  private int unattended;
  private @Nullable ChannelWait inward;
  private @Nullable ChannelWait outward;

  /// @param channel open and in non-blocking mode
  /// @param name its text is what messages call the channel
  ChannelRegistration(WaitForIO io, SelectableChannel channel, Object name) throws IOException {
    this(io, channel, name, false);
  }

  private ChannelRegistration(WaitForIO io, SelectableChannel channel, Object name, boolean exposed)
      throws IOException {
    this.io = io;
    this.channel = channel;
    this.name = name;
    this.exposed = exposed;
    this.key = io.poller().register(channel, this);
  }

  /// The registration of a channel that is its user's.
  static ChannelRegistration ofExposed(WaitForIO io, SelectableChannel channel) throws IOException {
    return new ChannelRegistration(io, channel, channel.toString(), true);
  }

  /// Goes over to another selector.
  void moveTo(SelectionKey replacement) {
    key = replacement;
    key.interestOps(interest);
  }

  void rename(Object better) {
    name = better;
  }

  /// Why nobody can wait here; null if one can.
  @Nullable IOException whyNot() {
    return channel.isOpen() ? io.poller().broken() : closed();
  }

  private ChannelClosedException closed() {
    return new ChannelClosedException(name + ": this side has closed it");
  }

  // Waits.

  /// @throws IllegalStateException if the direction of a wait is taken
  void requireFree(ChannelWait wanted, Task<?> asking) {
    ChannelWait other = wanted.isInward() ? inward : outward;
    if (other != null) {
      throw busy(wanted, asking, other.task());
    }
  }

  static IllegalStateException busy(Object wanted, @Nullable Task<?> asking, Task<?> first) {
    return new IllegalStateException(
        "%s: task '%s' is at it already, and there can be one at a time; task '%s' must come later"
            .formatted(wanted, first.name(), asking == null ? "none" : asking.name()));
  }

  void arm(ChannelWait wait) {
    if (wait.isInward()) {
      inward = wait;
    } else {
      outward = wait;
    }
    if (!wait.isHeld()) {
      listen(wait.operation);
    }
    if (exposed) {
      io.poller().watch(this);
    }
    io.waitBegun();
  }

  private void listen(int operation) {
    if ((interest & operation) == 0) {
      interest(interest | operation);
    }
  }

  /// Has the wait hear nothing from the selector until [#resume]: it is not the channel that it
  /// waits for.
  private void hold(int operation) {
    interest(interest & ~operation);
  }

  /// Has a wait that was held try again.
  void resume(int operation) {
    ChannelWait wait = waitFor(operation);
    if (wait != null && !wait.isHeld() && !wait.advance()) {
      if (wait.isHeld()) {
        return;
      }
      listen(operation);
    }
  }

  private @Nullable ChannelWait waitFor(int operation) {
    return (operation & ChannelWait.INWARD) != 0 ? inward : outward;
  }

  boolean isAwaited() {
    return inward != null || outward != null;
  }

  // What reads have found out.

  boolean isDrained() {
    return drained;
  }

  void drained(boolean all) {
    drained = all;
  }

  void disarm(ChannelWait wait) {
    settled(wait);
    io.waitDropped();
  }

  /// The wait has ended.
  void settled(ChannelWait wait) {
    if (wait.isInward()) {
      inward = null;
    } else {
      outward = null;
      if (key.isValid()) {
        interest(interest & ~wait.operation);
      }
    }
    io.waitEnded();
  }

  private void interest(int ops) {
    interest = ops;
    key.interestOps(ops);
  }

  // Events.

  /// A select found the channel ready. The waits advance in the add-on's turn, see [#advance()].
  ///
  /// @param mayBlock whether the next select must not find this again unless somebody waits for it
  void ready(boolean mayBlock) {
    int ops = key.readyOps();
    int awaited = awaited();
    if ((ops & ChannelWait.INWARD) != 0) {
      drained = false;
    }
    if ((ops & awaited) != 0) {
      unattended = 0;
      if (found == 0) {
        io.poller().found(this);
      }
      found = ops & awaited;
    } else if (mayBlock || ++unattended > MOST_UNATTENDED) {
      unattended = 0;
      interest(interest & ~ops);
    }
  }

  private int awaited() {
    ChannelWait in = inward;
    ChannelWait out = outward;
    return (in == null ? 0 : in.operation) | (out == null ? 0 : out.operation);
  }

  /// Tries again what the channel has become ready for.
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
      hold(wait.operation);
    }
  }

  /// Tries again what waits inward, or outward, because this side has changed the channel.
  void retry(int operation) {
    drained = false;
    ChannelWait wait = waitFor(operation);
    if (wait != null) {
      wait.advance();
    }
  }

  // The end.

  /// Closes the channel. Whoever waits is told at once. Later calls do nothing.
  void close() throws IOException {
    if (!channel.isOpen()) {
      failIfClosed(); // behind our back
      return;
    }
    try {
      channel.close();
    } finally {
      failAll(closed());
      io.closed();
    }
  }

  /// Tells who waits, if the channel was closed by its user.
  void failIfClosed() {
    if (!channel.isOpen() && isAwaited()) {
      failAll(closed());
    }
  }

  /// Ends all waits with a failure.
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
