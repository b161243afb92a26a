package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOnInfo;
import dev.rondo.scheduler.addon.EngineListener;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.addon.LoopView;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.addon.TaskWait;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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

  private boolean isComplete;

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
        loop.expect(each);
        each.open(this);
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
    if (!settings.listeners().isEmpty()) {
      opened.add(new Listeners(settings.listeners(), loop));
    }
    isComplete = true;
    return TurnHooks.of(loop, opened);
  }

  /// Closes them, the last first.
  void close() {
    for (EngineListener each : opened.reversed()) {
      try {
        each.closed();
      } catch (Throwable e) {
        loop.report(each.getClass().getName() + " of a closed scheduler", e);
      }
    }
  }

  @Override
  public void add(EngineListener listener) {
    Objects.requireNonNull(listener, "listener is null");
    if (isComplete) {
      throw new IllegalStateException(
          "the scheduler is complete: add listeners in Instrument.open(..)");
    }
    opened.add(listener);
  }

  @Override
  public <L extends EngineListener> @Nullable L listener(Class<L> type) {
    Objects.requireNonNull(type, "type is null");
    return opened.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
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
  public State state() {
    int alive = tasks.size();
    return new State(
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
    Objects.requireNonNull(action, "action is null");
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
    Objects.requireNonNull(visitor, "visitor is null");
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
    return ((HostCore) scheduler().host()).addOns();
  }

  private static TaskCore<?> core(Task<?> task) {
    return TaskCore.of(Objects.requireNonNull(task, "task is null"));
  }

  @Override
  public TaskInfo describe(Task<?> task) {
    return TaskInfos.of(core(task), loop.passNanos);
  }

  @Override
  public TaskInfo describeBriefly(Task<?> task) {
    return TaskInfos.withoutStack(core(task), loop.passNanos);
  }

  @Override
  public @Nullable TaskWait heldWait(Task<?> task) {
    return Cycles.room().heldWait(core(task), loop.passNanos);
  }

  @Override
  public Thread threadOf(Task<?> task) {
    TaskCore<?> core = core(task);
    Thread own = core.thread();
    return own == null ? loop.thread : own;
  }

  @Override
  public StackTraceElement[] stackWhile(Task<?> task, BooleanSupplier hangs) {
    Objects.requireNonNull(hangs, "hangs is null");
    TaskCore<?> core = core(task);
    Coroutine own = core instanceof StackfulTask<?> stackful ? stackful.coroutine : null;
    return own == null ? new StackTraceElement[0] : own.stackTrace(hangs);
  }

  @Override
  public @Nullable Waitable<?> awaited(Task<?> task) {
    return core(task).awaited();
  }

  @Override
  public boolean hasBegun(Task<?> task) {
    return core(task).entered;
  }

  @Override
  public boolean isAddOn(Task<?> task) {
    return core(task).isAddOn();
  }

  @Override
  public @Nullable Supplier<TaskMetrics> meter(Task<?> task) {
    TaskCore<?> core = core(task);
    TaskExtras has = core.extras;
    return has == null ? null : has.meter;
  }

  @Override
  public void meter(Task<?> task, Supplier<TaskMetrics> meter) {
    TaskCore<?> core = core(task);
    core.extras().meter = Objects.requireNonNull(meter, "meter is null");
  }

  @Override
  public void fail(Task<?> task, RuntimeException failure) {
    TaskCore<?> core = core(task);
    core.fail(Objects.requireNonNull(failure, "failure is null"));
  }
}
