package dev.rondo.netty;

import com.google.common.base.Ticker;
import dev.rondo.io.internal.alarm.Alarm;
import dev.rondo.netty.internal.ReusingAllocator;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.internal.rooms.SimulatedEvents;
import dev.rondo.scheduler.internal.rooms.StepControl;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFutureListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Drives Netty's event loop. The scheduler's loop sleeps in it, and polls it in each pass. Netty's
/// timers are deadlines of the add-on's task.
///
/// Netty's selector counts in milliseconds, and does not block at all for less than half a
/// millisecond. The loop blocks in the selector up to the last whole millisecond before a deadline.
/// For the rest it blocks without a limit until an [Alarm] wakes it, so that a deadline does not
/// delay events. While nothing can happen in Netty, it parks.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
final class NettyEvents implements EventSource, NettyGroup.Observer {

  private static final long NANOS_PER_MILLI = 1_000_000;

  /// The longest wait for which the loop parks instead of setting an alarm, which would be no
  /// faster.
  private static final long SHORT_NANOS = 50_000;

  private final Scheduler scheduler;
  private final AddOnHost host;
  private final TaskControl tasks;
  private final NettyGroup group;
  private final NettyLoop loop;

  /// Whether the selector counts in milliseconds.
  private final boolean wholeMillis;

  private final Alarm alarm = new Alarm(this::wakeup);

  /// Whether tasks run on the loop's own thread.
  private final boolean sharesThread;

  /// Whether code outside of tasks runs on the loop's own thread when a task calls it.
  private final boolean writesHere;

  /// The allocator of read buffers; null for Netty's usual one, if tasks release buffers on threads
  /// of their own.
  private final @Nullable ByteBufAllocator readAllocator;

  private final @Nullable CapturingProvider simulation;
  private final Set<Channel> open = new HashSet<>();

  /// Requests of waiting tasks. They are done outside of tasks because they run handlers.
  private final ArrayDeque<Runnable> requests = new ArrayDeque<>();

  /// Flushes that are done before Netty polls: one system call sends all that tasks have written
  /// since the last poll.
  private final ArrayDeque<Runnable> flushes = new ArrayDeque<>();

  private @Nullable StepTask<Void> task;
  private boolean owned;
  private int waits;
  private long waitsBegun;

  /// Whether the add-on's task idles or is about to.
  private boolean idling;

  /// Netty's deadline as far as the add-on's task knows.
  private long notedNanos = NettyLoop.NO_DEADLINE;

  private final PollPace pace = new PollPace();

  /// Whether Netty has polled since the last pass.
  private boolean polled;

  private long sleeps;
  private boolean closing;

  /// The loop's thread while it parks. The loop writes this before it looks whether it was woken.
  /// The threads that wake it read this.
  private volatile @Nullable Thread parked;

  /// @param simulation the simulated host's; null if the channels are real
  NettyEvents(Scheduler scheduler, TransportParts parts, @Nullable CapturingProvider simulation) {
    this.scheduler = scheduler;
    this.host = scheduler.host();
    this.tasks = TaskControl.of(host);
    this.wholeMillis = parts.wholeMillis();
    this.sharesThread = LoopControl.of(host).backend().sharesThread();
    this.writesHere = sharesThread || !LoopControl.of(host).backend().mountsOnLoopThread();
    this.readAllocator = sharesThread ? ReusingAllocator.ofReads(ByteBufAllocator.DEFAULT) : null;
    this.simulation = simulation;
    Ticker ticker = LoopView.of(scheduler).ticker();
    Thread owner = sharesThread ? Thread.currentThread() : null;
    this.owned = owner != null;
    this.group =
        new NettyGroup(parent -> new NettyLoop(parent, owner, parts.handlers(), ticker), this);
    this.loop = group.loop();
  }

  Scheduler scheduler() {
    return scheduler;
  }

  NettyGroup group() {
    return group;
  }

  /// {@return the allocator of channels; null for Netty's usual one}
  @Nullable ByteBufAllocator readAllocator() {
    return readAllocator;
  }

  boolean sharesThread() {
    return sharesThread;
  }

  /// Begins to wait for Netty.
  void start(StepTask<Void> self) {
    task = self;
    host.join(this);
  }

  // The add-on's task.

  StepResult turn(StepTask<Void> self) {
    notedNanos = loop.deadlineNanos();
    idling = isActive();
    if (notedNanos != NettyLoop.NO_DEADLINE) {
      idling = true;
      return self.idleUntil(loop.onSchedulersTicker(notedNanos));
    }
    return idling ? self.idle() : StepResult.SUSPEND;
  }

  private boolean isActive() {
    return waits > 0 || !open.isEmpty();
  }

  private void wakeTask() {
    StepTask<Void> own = task;
    if (own != null) {
      var _ = own.wake();
    }
  }

  /// Something can happen from now on.
  private void activate() {
    if (!idling) {
      idling = true;
      wakeTask();
    }
  }

  /// Has the task idle until Netty's next timer.
  ///
  /// @return whether that has changed
  private boolean noteDeadline() {
    long next = loop.deadlineNanos();
    if (next == notedNanos) {
      return false;
    }
    notedNanos = next;
    StepTask<Void> own = task;
    if (next == NettyLoop.NO_DEADLINE) {
      wakeTask();
    } else if (own != null && StepControl.moveDeadline(own, loop.onSchedulersTicker(next))) {
      idling = true;
    }
    return true;
  }

  /// Whether the loop must not block before the add-on's task has taken note of a change.
  private boolean mustGoOn() {
    boolean changed = noteDeadline();
    if (!idling || notedNanos != NettyLoop.NO_DEADLINE || isActive()) {
      return changed;
    }
    idling = false; // a loop in which only this task idles would wait for nothing
    StepTask<Void> own = task;
    return own != null && StepControl.dropDeadline(own);
  }

  /// The number of times that the loop was about to block here.
  long sleeps() {
    return sleeps;
  }

  // Waits and channels.

  void waitBegun() {
    waits++;
    waitsBegun++;
    activate();
  }

  void waitEnded() {
    waits--;
  }

  int openCount() {
    return open.size();
  }

  /// Any thread.
  @Override
  public void opening(Channel channel) {
    if (loop.inEventLoop()) {
      opened(channel);
    } else {
      loop.execute(() -> opened(channel));
      boolean _ = scheduler.post(this::activate); // the loop may sleep elsewhere
    }
  }

  /// {@return a factory whose channels are known here from the beginning} A library may register
  /// them with the event loop itself, past its group.
  <C extends Channel> ChannelFactory<C> noted(ChannelFactory<? extends C> factory) {
    return () -> {
      C made = factory.newChannel();
      opening(made);
      return made;
    };
  }

  private void opened(Channel channel) {
    if (channel.isOpen() && open.add(channel)) {
      activate();
      int place = OpenNettyChannel.isListed(channel) ? list(channel) : ChannelList.NONE;
      channel.closeFuture().addListener((ChannelFutureListener) done -> closed(channel, place));
    }
  }

  private int list(Channel channel) {
    return LoopView.of(scheduler).openChannels().add(new OpenNettyChannel(channel)::describe);
  }

  private void closed(Channel channel, int place) {
    open.remove(channel);
    if (place != ChannelList.NONE) {
      LoopView.of(scheduler).openChannels().remove(place);
    }
  }

  /// Does something on the loop's thread: at once if this is it, soon otherwise. Any thread.
  void onLoop(Runnable action) {
    if (loop.inEventLoop()) {
      action.run();
    } else {
      boolean _ = scheduler.post(action);
    }
  }

  /// Does something on the loop's thread, outside of tasks, before the loop sleeps.
  void soon(Runnable request) {
    requests.add(request);
  }

  /// Flushes a channel before Netty polls the next time.
  void flushSoon(Runnable flush) {
    flushes.add(flush);
  }

  void readSoon(Channel channel) {
    requests.add(channel::read);
  }

  /// Runs an action at once and outside of tasks, because it runs handlers. On BOUND, Netty runs
  /// the action soon, on the loop's thread.
  <T extends @Nullable Object> T outsideOfTasks(Supplier<T> action) {
    if (sharesThread) {
      return tasks.withoutTask(action);
    }
    return writesHere ? tasks.offStack(action) : action.get();
  }

  // As a source of events.

  /// The loop's own thread calls this, on every backend.
  ///
  /// @return whether there was a request
  private boolean adopt() {
    if (!owned) {
      owned = true;
      loop.setOwningThread(Thread.currentThread());
    }
    Runnable first = requests.poll();
    for (Runnable each = first; each != null; each = requests.poll()) {
      each.run();
    }
    return first != null;
  }

  /// Flushes what tasks have written, because no poll follows.
  ///
  /// @return whether there was something to flush
  boolean flush() {
    Runnable first = flushes.poll();
    for (Runnable each = first; each != null; each = flushes.poll()) {
      each.run();
    }
    return first != null;
  }

  private void pollNetty() {
    boolean _ = flush();
    var _ = loop.runNow();
    polled = true;
  }

  @Override
  public boolean poll() {
    boolean _ = adopt();
    pollNetty();
    return mustGoOn() || scheduler.tasksPending() > 0;
  }

  /// A timer of Netty's is due without a wait, too.
  @Override
  public boolean pollIfAwaited() {
    return (isTimerDue() || waitCount() > 0) && poll();
  }

  private boolean isTimerDue() {
    long next = loop.deadlineNanos();
    return next != NettyLoop.NO_DEADLINE && host.nowNanos() - loop.onSchedulersTicker(next) >= 0;
  }

  @Override
  public void pass() {
    boolean _ = adopt();
    if (!polled && isActive() && pace.isDue(host.nowNanos(), scheduler.tasksPending())) {
      pollNetty();
    }
    if (polled) {
      polled = false;
      pace.polled(host.nowNanos());
    } else {
      var _ = loop.runNonBlockingTasks(0);
    }
    boolean _ = noteDeadline();
  }

  @Override
  public boolean await(long nanos) {
    sleep(nanos);
    return mustGoOn() || scheduler.tasksPending() > 0;
  }

  @Override
  public void sleep(long nanos) {
    sleeps++;
    boolean asked = adopt();
    asked |= flush();
    if (mustGoOn() || (asked && scheduler.tasksPending() > 0)) {
      return; // a channel within another channel delivers its messages when it is asked to read
    }
    if (simulation == null) {
      block(nanos);
      loop.clearWakeup();
    } else {
      var _ = loop.runNow();
      if (nanos == FOREVER && scheduler.tasksPending() == 0) {
        stall(simulation);
      }
    }
    polled = true;
  }

  private void block(long nanos) {
    if (nanos <= 0) {
      var _ = loop.runNow();
    } else if (nanos == FOREVER) {
      var _ = loop.run(0);
    } else if (!wholeMillis) {
      var _ = loop.run(nanos);
    } else if (nanos >= NANOS_PER_MILLI) {
      var _ = loop.run(nanos - nanos % NANOS_PER_MILLI);
    } else if (nanos <= SHORT_NANOS || !isActive()) {
      park(nanos);
      var _ = loop.runNow();
    } else {
      alarm.set(System.nanoTime() + nanos);
      loop.runUntilWoken();
      alarm.clear();
    }
  }

  private void park(long nanos) {
    parked = Thread.currentThread();
    if (!loop.isWoken()) {
      LockSupport.parkNanos(this, nanos);
    }
    parked = null;
  }

  /// Nothing can happen any more. The selector reports why.
  private static void stall(CapturingProvider simulation) {
    Selector selector = simulation.selector();
    try {
      if (selector != null) {
        int _ = selector.select();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void wakeup() {
    loop.wake();
    Thread thread = parked;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public boolean isReal() {
    return simulation == null;
  }

  @Override
  public long untilNextNanos() {
    return simulation != null && simulation.selector() instanceof SimulatedEvents events
        ? events.untilNextNanos()
        : FOREVER;
  }

  /// Open channels count, too: their handlers run without a wait.
  @Override
  public int waitCount() {
    return waits + open.size();
  }

  /// How many waits of tasks there are.
  int taskWaits() {
    return waits;
  }

  @Override
  public long waitsBegun() {
    return waitsBegun;
  }

  // The end.

  /// Closes all channels and the loop, on its own thread.
  void close() {
    if (loop.inEventLoop()) {
      closeHere();
    } else {
      boolean _ = LoopControl.of(host).configureThread(this::closeHere);
    }
  }

  @SuppressWarnings("deprecation") // a graceful shutdown sleeps until time has passed
  private void closeHere() {
    boolean _ = adopt();
    boolean _ = flush();
    closing = true;
    for (Channel each : List.copyOf(open)) {
      LoopChannel.discardMessages(each);
      each.close();
    }
    var _ = loop.runNow();
    for (Channel each :
        List.copyOf(open)) { // its handlers have delayed the close for their streams
      each.unsafe().close(each.unsafe().voidPromise());
    }
    var _ = loop.runNow();
    alarm.close();
    loop.shutdown();
    while (!loop.isTerminated()) {
      var _ = loop.runNow();
    }
  }

  /// Whether tasks no longer receive.
  boolean isClosing() {
    return closing;
  }

  @Override
  public String toString() {
    return "Netty";
  }
}
