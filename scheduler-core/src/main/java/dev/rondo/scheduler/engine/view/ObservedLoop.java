package dev.rondo.scheduler.engine.view;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.Settings;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.TaskExtras;
import dev.rondo.scheduler.engine.host.HostCore;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.internal.rooms.TaskWait;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A [Loop] as its observers see it. This class opens and closes the observers.
public final class ObservedLoop implements Rooms.View, LoopView {

  /// The number of slots that are visited for each task that the caller asks for, because the slots
  /// of tasks that have ended are empty.
  private static final long SLOTS_PER_TASK = 32;

  private final Loop loop;
  private final ReadyQueue tasks;

  /// The listeners, in the order they were opened.
  private final List<EngineListener> opened = new CopyOnWriteArrayList<>();

  private final ChannelList openChannels = new ChannelList();

  /// Whether listeners may be added.
  private boolean isOpening;

  public ObservedLoop(Loop loop) {
    this.loop = loop;
    this.tasks = loop.tasks;
  }

  /// {@return the loop of a scheduler} Any thread.
  public static LoopView of(Scheduler scheduler) {
    return (ObservedLoop) SchedulerCore.of(scheduler).view();
  }

  @Override
  public Rooms.@Nullable TurnHooks open(Settings settings) {
    isOpening = true;
    try {
      for (Instrument each : settings.instruments()) {
        loop.expect(each);
        each.open(loop.scheduler);
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
    if (!settings.listeners().isEmpty()) {
      opened.add(new Listeners(settings.listeners(), loop));
    }
    isOpening = false;
    return ListenerHooks.of(loop, opened);
  }

  @Override
  public void close() {
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
    if (!isOpening) {
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
    return loop.number;
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
    return loop.runningAction();
  }

  @Override
  public long turnCount() {
    Rooms.TurnHooks seeing = loop.hooks;
    return seeing == null ? 0 : seeing.turnCount();
  }

  @Override
  public boolean post(Runnable action) {
    Objects.requireNonNull(action, "action is null");
    return loop.post(action::run);
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
    for (int left = most; left > 0 && slot < end; slot++) {
      if (tasks.entryAt(slot) instanceof TaskCore<?> task) {
        visitor.visit(slot, task);
        left--;
      }
    }
    return slot < tasks.unused ? slot : NO_MORE;
  }

  @Override
  public List<AddOnInfo> addOns() {
    return ((HostCore) scheduler().host()).addOns();
  }

  @Override
  public ChannelList openChannels() {
    return openChannels;
  }

  private static TaskCore<?> core(Task<?> task) {
    return TaskCore.of(Objects.requireNonNull(task, "task is null"));
  }

  @Override
  public TaskInfo describe(Task<?> task) {
    return TaskInfos.of(core(task));
  }

  @Override
  public TaskInfo describeBriefly(Task<?> task) {
    return TaskInfos.withoutStack(core(task));
  }

  @Override
  public @Nullable TaskWait heldWait(Task<?> task) {
    return HeldWaits.of(core(task), loop.passNanos);
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
    TaskExtras has = core(task).extras;
    return has == null ? null : has.meter;
  }

  @Override
  public void meter(Task<?> task, Supplier<TaskMetrics> meter) {
    core(task).extras().meter = Objects.requireNonNull(meter, "meter is null");
  }

  @Override
  public void fail(Task<?> task, RuntimeException failure) {
    TaskCore<?> core = core(task);
    Objects.requireNonNull(failure, "failure is null");
    if (loop.hooks instanceof ListenerHooks hooks) {
      hooks.afterAll(() -> core.fail(failure));
    } else {
      core.fail(failure);
    }
  }
}
