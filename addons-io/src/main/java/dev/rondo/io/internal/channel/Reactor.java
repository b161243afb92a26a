package dev.rondo.io.internal.channel;

import dev.rondo.io.internal.linux.EpollSelector;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/// The task of the IO add-on: asks the selector which channels are ready and lets the waits on them
/// advance. Sockets register their channels here.
///
/// Confined to the scheduler's thread.
public final class Reactor {

  /// How many channels advance in one turn, so that the turn is no longer than the turns of other
  /// tasks.
  private static final int MAX_PER_TURN = 128;

  final ByteCounts byteCounts = new ByteCounts();
  final Scheduler scheduler;
  final AddOnHost host;
  private final ChannelList openChannels;
  private final IoErrors failures;
  private final ChannelSelector selector;
  private final SelectorProvider provider;
  private final SideSelector side;
  private final CloseWatch closeWatch;
  private final LeakWatch leakWatch;
  private final SelectorIdleStrategy idleStrategy;
  private final BufferPool buffers = new BufferPool();
  private final Retries retries = new Retries();

  private @Nullable ByteBuffer datagramBuffer;

  /// Set by [#start(StepTask)].
  private @Nullable StepTask<?> task;

  /// How many waits for channels there are.
  int waitCount;

  private long waitsBegun;

  /// Whether the task idles or is about to; if not, it is suspended. It goes on idling when the
  /// last wait has ended, because the next one often begins at once.
  private boolean idling;

  /// Whether there was a wait at any time since the last turn.
  private boolean wasAwaited;

  /// Whether the next turn comes only to begin or to end idling.
  private boolean needsNoPoll;

  /// Nothing happens before [#start(StepTask)].
  ///
  /// @param scheduler whose tasks wait
  /// @param provider opens channels
  /// @param selector closed with this
  /// @param opener for another selector, if this one spins
  /// @param failures creates the exceptions that programs catch
  public Reactor(
      Scheduler scheduler,
      SelectorProvider provider,
      Selector selector,
      ChannelSelector.Opener opener,
      IoErrors failures) {
    var parker = new Parker();
    this.provider = provider;
    this.side = new SideSelector(provider);
    this.scheduler = scheduler;
    this.host = scheduler.host();
    this.openChannels = LoopView.of(scheduler).openChannels();
    this.failures = failures;
    this.selector = new ChannelSelector(scheduler, selector, opener, parker);
    this.idleStrategy = new SelectorIdleStrategy(scheduler, this, this.selector, parker);
    this.leakWatch = new LeakWatch(scheduler, provider);
    this.closeWatch = new CloseWatch(idleStrategy::wakeup, side);
  }

  /// Begins to block for the scheduler.
  ///
  /// @param self the task whose turns are [#turn(StepTask)]
  public void start(StepTask<?> self) {
    task = self;
    host.join(idleStrategy);
  }

  // The task.

  /// Polls if that is due, and lets waits advance.
  ///
  /// @param self the task of the add-on
  /// @return when the next turn is needed
  /// @throws IOException if the selector is broken
  public StepResult turn(StepTask<?> self) throws IOException {
    idleStrategy.pollIfDue(needsNoPoll);
    needsNoPoll = false;
    if (failClosed()) {
      var _ = idleStrategy.releaseClosed(); // this may be the last turn for long
    }
    IOException broken = selector.broken;
    if (broken != null) {
      throw broken;
    }
    if (selector.advance(MAX_PER_TURN)) {
      return StepResult.AGAIN;
    }
    if (!retries.isEmpty()) {
      retries.runIfDue(host.nowNanos());
    }
    idling = wasAwaited;
    wasAwaited = waitCount > 0;
    if (!idling) {
      return StepResult.SUSPEND;
    }
    return retries.isEmpty() ? self.idle() : self.idleUntil(retries.dueNanos());
  }

  /// Lets waits advance after the loop has blocked in the selector; the rest advances in the next
  /// turn.
  void selected() {
    if (selector.broken != null || selector.advance(MAX_PER_TURN)) {
      wake();
    }
  }

  /// The loop is about to block. If there are no waits the task suspends first: a loop in which
  /// only this task idles would wait for nothing.
  ///
  /// @return whether the task suspends, so that the loop must not block yet
  boolean stopIdling() {
    if (!idling || waitCount > 0) {
      return false;
    }
    wasAwaited = false;
    wakeWithoutPoll();
    return true;
  }

  /// Fails the waits on channels that the program has closed itself.
  ///
  /// @return whether there were such channels
  boolean failClosed() {
    if (closeWatch.closed.isEmpty()) {
      return false;
    }
    closeWatch.failClosed();
    retries.makeDue(host.nowNanos());
    idleStrategy.noteClosed();
    return true;
  }

  /// Takes a turn for channels that the program has closed itself, if there are any. Without waits
  /// the task has no turns, and a loop that is busy does not block.
  void noticeClosed() {
    if (waitCount == 0 && !closeWatch.closed.isEmpty()) {
      wakeWithoutPoll();
    }
  }

  private boolean wake() {
    StepTask<?> own = task;
    return own != null && own.wake();
  }

  private void wakeWithoutPoll() {
    if (wake()) {
      needsNoPoll = true;
    }
  }

  /// Closes all channels that are still registered, and the selector.
  ///
  /// @throws IOException if closing fails; the rest is closed all the same
  public void close() throws IOException {
    idleStrategy.close();
    try (side) {
      selector.close();
    } finally {
      leakWatch.close();
    }
  }

  // For sockets.

  /// {@return the scheduler whose tasks wait}
  public Scheduler scheduler() {
    return scheduler;
  }

  /// {@return the provider that opens the channels}
  public SelectorProvider provider() {
    return provider;
  }

  /// {@return the factory of the exceptions that programs catch}
  public IoErrors failures() {
    return failures;
  }

  /// {@return the buffers that sockets share}
  public BufferPool buffers() {
    return buffers;
  }

  /// {@return the idle strategy, by which the loop blocks}
  public SelectorIdleStrategy idleStrategy() {
    return idleStrategy;
  }

  /// {@return the selector, which finds ready channels}
  public ChannelSelector selector() {
    return selector;
  }

  /// Checks the calling thread.
  ///
  /// @throws WrongThreadException if it is not the scheduler's
  public void checkThread() {
    if (scheduler.currentTask() == null && !scheduler.inMainTask()) {
      throw new WrongThreadException(
          "called on thread '%s', which is not the scheduler's; hand the call over with post(..), or as a task with post(() -> spawn(..))"
              .formatted(Thread.currentThread().getName()));
    }
  }

  /// Registers a channel, to be closed through its registration.
  ///
  /// @param channel open and in non-blocking mode
  /// @param name its text is the channel's name in messages
  /// @return the registration, from which waits are made
  /// @throws IOException if the selector is broken or the channel closed
  public ChannelRegistration register(SelectableChannel channel, Object name) throws IOException {
    return new ChannelRegistration(this, channel, name, false);
  }

  /// {@return the stream that reads and writes the bytes of a registered channel}
  ///
  /// @param channel connected
  public ByteChannel stream(SocketChannel channel) {
    return selector.stream(channel);
  }

  /// {@return a wait until a program's own channel is ready for an operation}
  ///
  /// @param <C> the kind of channel
  /// @param channel in non-blocking mode; closed with [#close(SelectableChannel)] from now on
  /// @param operation a bit of [java.nio.channels.SelectionKey]
  /// @throws IllegalStateException if the channel is in blocking mode
  /// @throws IllegalArgumentException if the channel has no such operation, or is of another
  ///   provider
  public <C extends SelectableChannel> Waitable<C> ready(C channel, int operation) {
    if (channel.provider() != provider) {
      throw new IllegalArgumentException(
          "the channel has another provider than this scheduler: open it with WaitForIO.provider(); channel=%s, provider=%s, required=%s"
              .formatted(channel, channel.provider(), provider));
    }
    return Readiness.of(this, channel, operation);
  }

  /// The registration of a program's own channel. Made when it is first awaited.
  ChannelRegistration exposed(SelectableChannel channel) throws IOException {
    ChannelRegistration known = selector.registrationOf(channel);
    return known != null ? known : new ChannelRegistration(this, channel, channel.toString(), true);
  }

  /// Closes a program's own channel; waits on it fail at once.
  ///
  /// @param channel any
  /// @throws IOException if closing fails; it counts as closed all the same
  public void close(SelectableChannel channel) throws IOException {
    ChannelRegistration known = selector.registrationOf(channel);
    if (known == null) {
      channel.close();
    } else {
      known.close();
    }
  }

  /// {@return the open channels, for onlookers}
  ChannelList openChannels() {
    return openChannels;
  }

  /// {@return how many waits for channels there are}
  public int waitCount() {
    return waitCount;
  }

  /// {@return how many bytes went through the byte streams}
  public ByteCounts byteCounts() {
    return byteCounts;
  }

  /// {@return how many waits for channels there were so far}
  long waitsBegun() {
    return waitsBegun;
  }

  /// {@return how many channels are open and registered}
  public int registeredCount() {
    return selector.registeredCount();
  }

  // For waits.

  /// A buffer for one receive at a time: a datagram of any size, and a byte more.
  ByteBuffer datagramBuffer() {
    ByteBuffer buffer = datagramBuffer;
    if (buffer == null) {
      buffer = ByteBuffer.allocateDirect(DatagramReceiver.LARGEST_BYTES);
      datagramBuffer = buffer;
    }
    return buffer.clear();
  }

  /// Runs an action when a channel was closed, and after [Retries#DELAY_NANOS] at the latest.
  void retryLater(Runnable action) {
    retries.add(action, host.nowNanos());
    wakeWithoutPoll();
  }

  /// Asks the system, not the selector. Another thread may have the selector, and it would report
  /// other channels, too.
  boolean isReady(SelectableChannel channel, int operation) {
    try {
      EpollSelector epoll = selector.epoll();
      return epoll == null ? side.isReady(channel, operation) : epoll.isReady(channel, operation);
    } catch (IOException e) {
      return false; // the loop's selector is asked next, and reports it
    }
  }

  LeakWatch leakWatch() {
    return leakWatch;
  }

  CloseWatch closeWatch() {
    return closeWatch;
  }

  void waitBegun() {
    waitCount++;
    waitsBegun++;
    wasAwaited = true;
    if (!idling) {
      idling = true;
      wakeWithoutPoll();
    }
  }

  /// Called when a channel was closed. The system closes the descriptor in the select that releases
  /// the channel. If a task closes it, that is the select of the add-on's next turn, so that many
  /// closes share one select. Elsewhere there may be no next turn, so this method selects. While
  /// another thread has the selector there is a next turn, and a select here would block.
  void closed() {
    retries.makeDue(host.nowNanos());
    idleStrategy.noteClosed();
    if (scheduler.currentTask() != null || !releaseClosed()) {
      wake();
    }
  }

  /// Removes an open channel from the selector, which forgets it in a select.
  ///
  /// @throws IllegalStateException if another thread has the selector, so that a select would block
  void forget(SelectionKey key) {
    if (idleStrategy.isLent()) {
      throw new IllegalStateException(
          "a connection can be detached only in a task, because the loop of a user interface waits"
              + " on another thread");
    }
    key.cancel();
    idleStrategy.noteClosed();
    boolean _ = releaseClosed();
  }

  /// Makes the system close the descriptors of closed channels.
  ///
  /// @return whether there were any
  public boolean releaseClosed() {
    boolean any = idleStrategy.releaseClosed();
    if (any && selector.hasReady()) {
      wake();
    }
    return any;
  }
}
