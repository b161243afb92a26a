package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.observe.EngineListener;
import dev.rondo.scheduler.engine.observe.Instrument;
import dev.rondo.scheduler.engine.observe.LockWatch;
import dev.rondo.scheduler.engine.observe.LoopState;
import dev.rondo.scheduler.engine.observe.LoopView;
import dev.rondo.scheduler.engine.observe.TaskMeter;
import dev.rondo.scheduler.observe.AddOnInfo;
import dev.rondo.scheduler.observe.TaskInfo;
import dev.rondo.scheduler.observe.TaskWait;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A [Loop] as its observers see it. It opens and closes them.
final class ObservedLoop implements LoopView {

  /// The number of the last loop that was made.
  private static final AtomicLong NUMBERS = new AtomicLong();

  /// The number of slots that are visited for each task that the caller asks for, because the slots
  /// of tasks that have ended are empty.
  private static final long SLOTS_PER_TASK = 32;

  private final long number = NUMBERS.incrementAndGet();
  private final Loop loop;
  private final ReadyQueue tasks;
  private final Inbox inbox;
  private final Deliveries deliveries;

  /// In the order they were opened.
  private final List<EngineListener> opened = new CopyOnWriteArrayList<>();

  ObservedLoop(Loop loop) {
    this.loop = loop;
    this.tasks = loop.tasks;
    this.inbox = loop.inbox;
    this.deliveries = loop.deliveries;
  }

  /// Opens the instruments of a scheduler, when the rest of it is complete.
  ///
  /// @return the hooks for them; null if none is needed
  @Nullable TurnHooks open(Settings settings) {
    try {
      for (Instrument each : settings.instruments()) {
        opened.add(each.open(this));
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
    if (!settings.listeners().isEmpty()) {
      opened.add(new Listeners(settings.listeners(), loop));
    }
    LockWatch.watch(this);
    return TurnHooks.of(loop, opened);
  }

  /// Closes them, the last first.
  void close() {
    LockWatch.unwatch(this);
    for (EngineListener each : opened.reversed()) {
      try {
        each.closed();
      } catch (Throwable e) {
        loop.report(each.getClass().getName() + " of a closed scheduler", e);
      }
    }
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public Scheduler scheduler() {
    return loop.scheduler;
  }

  @Override
  public Thread thread() {
    return loop.thread;
  }

  @Override
  public boolean isCaller() {
    return loop.isCaller();
  }

  @Override
  public CoroutineBackend backend() {
    return loop.backend;
  }

  @Override
  public Ticker ticker() {
    return loop.ticker;
  }

  @Override
  public long passNanos() {
    return loop.passNanos;
  }

  @Override
  public LoopState state() {
    int alive = tasks.size();
    return new LoopState(
        loop.isDriven(),
        loop.isClosing() && alive == 0,
        alive,
        tasks.readyCount(),
        loop.runningTask(),
        loop.passNanos);
  }

  @Override
  public @Nullable String runningAction() {
    return deliveries.running();
  }

  @Override
  public long turnCount() {
    return loop.turnCount();
  }

  @Override
  public boolean post(Runnable action) {
    return inbox.post(
        new Inbox.Entry() {
          @Override
          void deliver() {
            action.run();
          }
        });
  }

  @Override
  public boolean makeTasks(int most) {
    return tasks.makeSome(most);
  }

  @Override
  public int visitSlots(int firstSlot, int most, SlotVisitor visitor) {
    int end = (int) Math.min(tasks.unused, firstSlot + SLOTS_PER_TASK * most);
    int slot = firstSlot;
    for (int left = most; left > 0 && slot < end; left--) {
      slot = tasks.nextTaskSlot(slot, end);
      if (slot == TaskTable.NONE) {
        slot = end;
      } else {
        visitor.visit(slot, tasks.taskAt(slot));
        slot++;
      }
    }
    return slot < tasks.unused ? slot : NO_MORE;
  }

  @Override
  public List<AddOnInfo> addOns() {
    return scheduler().host().addOns();
  }

  @Override
  public TaskInfo describe(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    return TaskInfos.of(core, loop.passNanos);
  }

  @Override
  public TaskInfo describeBriefly(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    return TaskInfos.withoutStack(core, loop.passNanos);
  }

  @Override
  public @Nullable TaskWait heldWait(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    return HeldWaits.of(core, loop.passNanos);
  }

  @Override
  public Thread threadOf(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    Thread own = core.thread();
    return own == null ? loop.thread : own;
  }

  @Override
  public StackTraceElement[] stackWhile(Task<?> task, BooleanSupplier hangs) {
    TaskCore<?> core = TaskCore.of(task);
    Coroutine own = core instanceof StackfulTask<?> stackful ? stackful.coroutine : null;
    return own == null ? new StackTraceElement[0] : own.stackTrace(hangs);
  }

  @Override
  public @Nullable Waitable<?> awaited(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    return core.awaited();
  }

  @Override
  public boolean hasBegun(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    return core.entered;
  }

  @Override
  public boolean isAddOn(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    return core.isAddOn();
  }

  @Override
  public @Nullable TaskMeter meter(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    TaskExtras has = core.extras;
    return has == null ? null : has.meter;
  }

  @Override
  public void meter(Task<?> task, TaskMeter meter) {
    TaskCore<?> core = TaskCore.of(task);
    core.extras().meter = meter;
  }

  @Override
  public void fail(Task<?> task, RuntimeException failure) {
    TaskCore<?> core = TaskCore.of(task);
    core.fail(failure);
  }
}
