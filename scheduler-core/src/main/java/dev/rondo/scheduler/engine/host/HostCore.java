package dev.rondo.scheduler.engine.host;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.CancelSource;
import dev.rondo.scheduler.engine.Engine;
import dev.rondo.scheduler.engine.ExternalWork;
import dev.rondo.scheduler.engine.Faces;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.StepTaskCore;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.TaskExtras;
import dev.rondo.scheduler.engine.TaskFactory;
import dev.rondo.scheduler.engine.Throwables.DeferredFailure;
import dev.rondo.scheduler.engine.closing.Ending;
import dev.rondo.scheduler.engine.closing.UnbegunTasks;
import dev.rondo.scheduler.engine.outside.HostFuture;
import dev.rondo.scheduler.engine.outside.TaskErrand;
import dev.rondo.scheduler.engine.rooms.KeptWait;
import dev.rondo.scheduler.engine.scope.GroupCore;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The implementation of [dev.rondo.scheduler.addon.AddOnHost] and its parts. The host keeps the
/// add-ons of a scheduler, one of each class.
public final class HostCore extends Engine.Host implements LoopControl, TaskControl {

  private final Loop loop;
  private final Ticker ticker;
  private final TaskFactory taskFactory;
  private final Ending ending;
  private final ExternalWork externalWork;
  private final Runnable closeView;
  private final boolean debug;
  private final Map<Class<?>, AddOn> installed = new LinkedHashMap<>();
  private final Map<AddOn, StepTaskCore<?>> addOnTasks = new LinkedHashMap<>();

  /// The scheduler's own strategy, which takes any source of events.
  private final IdleStrategy firstIdleStrategy;

  private HostCore(SchedulerCore scheduler) {
    this.loop = scheduler.loop;
    this.ticker = loop.ticker;
    this.taskFactory = scheduler.taskFactory;
    this.ending = Ending.of(scheduler);
    this.externalWork = loop.externalWork;
    this.closeView = scheduler.closeView;
    this.debug = scheduler.debug;
    this.firstIdleStrategy = loop.idleStrategy;
  }

  /// {@return the host of a scheduler}
  public static Engine.Host of(SchedulerCore scheduler) {
    return new HostCore(scheduler);
  }

  @Override
  public StepTask<Void> install(AddOn addOn) {
    Objects.requireNonNull(addOn, "addOn is null");
    taskFactory.requireOpen();
    loop.expect(addOn);
    AddOn earlier = installed.putIfAbsent(addOn.getClass(), addOn);
    if (earlier != null) {
      throw new IllegalStateException(
          "this scheduler has a "
              + addOn.getClass().getSimpleName()
              + " already; use host().addOn(..)");
    }
    var task = new StepTaskCore<Void>(loop, addOn.getClass().getSimpleName(), addOn::turn);
    task.becomeAddOn();
    task.trap((self, outcome) -> {
      addOn.close();
      return outcome;
    });
    task.beginParked(TaskState.SUSPENDED);
    addOnTasks.put(addOn, task);
    return loop.made(task);
  }

  @Override
  protected boolean beginLastLook(boolean again) {
    boolean any = false;
    for (var each : addOnTasks.entrySet()) {
      StepTaskCore<?> task = each.getValue();
      if (!task.isDone() && each.getKey().beginLastLook(again)) {
        var _ = task.wake();
        any = true;
      }
    }
    return any;
  }

  @Override
  public <A> @Nullable A addOn(Class<A> type) {
    loop.checkCaller();
    Object exact = installed.get(Objects.requireNonNull(type, "type is null"));
    if (exact == null) {
      exact = installed.values().stream().filter(type::isInstance).findFirst().orElse(null);
    }
    return type.cast(exact);
  }

  @Override
  public void checkThread() {
    loop.checkCaller();
  }

  @Override
  public boolean isOnThread() {
    return loop.isCaller();
  }

  @Override
  public <T extends @Nullable Object> StepTask<T> newStepTask(String name, StepBody<T> body) {
    return taskFactory.steps(name, body);
  }

  @Override
  public <T extends @Nullable Object> StepTask<T> spawnSteps(String name, StepBody<T> body) {
    StepTaskCore<T> task = taskFactory.steps(name, body);
    task.becomeReady(Place.BACK);
    return task;
  }

  @Override
  public <T extends @Nullable Object> T awaitEvent(Waitable<T> event) {
    return loop.currentStackful("await").awaitEvent(Objects.requireNonNull(event, "event is null"));
  }

  @Override
  public <T extends @Nullable Object> T awaitEvent(Waitable<T> event, Duration timeout) {
    return loop.currentStackful("await")
        .awaitEvent(Objects.requireNonNull(event, "event is null"), timeout);
  }

  @Override
  public long nowNanos() {
    return ticker.read();
  }

  @Override
  public long passNanos() {
    return loop.passNanos;
  }

  @Override
  public long deadlineAfter(Duration delay) {
    return loop.deadlineAfter(Durations.nanos(delay, "delay"));
  }

  @Override
  public void report(String where, Throwable failure) {
    Objects.requireNonNull(where, "where is null");
    loop.report(where, Objects.requireNonNull(failure, "failure is null"));
  }

  /// {@return the reports of the add-ons, in the order in which they were installed, without empty
  /// ones}
  public List<AddOnInfo> addOns() {
    loop.checkCaller();
    var infos = new ArrayList<AddOnInfo>();
    addOnTasks.forEach((addOn, task) -> {
      if (!task.isDone()) {
        describe(addOn, task.name(), infos);
      }
    });
    return List.copyOf(infos);
  }

  private void describe(AddOn addOn, String name, List<AddOnInfo> infos) {
    boolean wasHidden = loop.hideCurrentTask();
    try {
      AddOnInfo info = AddOnQuestion.ask(name, addOn);
      if (!info.figures().isEmpty() || !info.lines().isEmpty()) {
        infos.add(info);
      }
    } catch (Throwable e) {
      loop.report("description of add-on " + name, e);
    } finally {
      loop.restoreCurrentTask(wasHidden);
    }
  }

  // The loop.

  @Override
  public CoroutineBackend backend() {
    return loop.backend;
  }

  @Override
  public boolean configureThread(Runnable action) {
    Objects.requireNonNull(action, "action is null");
    return loop.post(() -> {
      try {
        action.run();
      } catch (Throwable e) {
        loop.report("event " + action.getClass().getName(), e);
      }
    });
  }

  @Override
  public IdleStrategy idleStrategy() {
    loop.checkCaller();
    return loop.idleStrategy;
  }

  @Override
  public void idleStrategy(IdleStrategy strategy) {
    loop.checkCaller();
    loop.idleStrategy(Objects.requireNonNull(strategy, "strategy is null"));
    loop.expect(strategy);
  }

  @Override
  public void join(EventSource source) {
    loop.checkCaller();
    Objects.requireNonNull(source, "source is null");
    loop.expect(source);
    IdleStrategy now = loop.idleStrategy;
    if (now.joins(source)) {
      return;
    }
    if (now.lendsThread()) {
      throw new IllegalStateException(
          "the loop waits in "
              + now.getClass().getSimpleName()
              + ", which takes no other source of events: use this add-on in another scheduler, on"
              + " a thread of its own, such as that of a computicle");
    }
    var _ = firstIdleStrategy.joins(source);
    loop.idleStrategy(firstIdleStrategy);
  }

  @Override
  public void timerService(TimerService service) {
    loop.checkCaller();
    loop.timerService = Objects.requireNonNull(service, "service is null");
  }

  @Override
  public boolean hasTimerService() {
    loop.checkCaller();
    return loop.timerService != null;
  }

  @Override
  public InstantSource wallClock() {
    return loop.ticker instanceof InstantSource own ? own : InstantSource.system();
  }

  @Override
  public boolean isDebug() {
    return debug;
  }

  @Override
  public void expectShutdown() {
    loop.checkCaller();
    externalWork.expectShutdown(ending::isAwaited);
  }

  @Override
  public int externalWaits() {
    loop.checkCaller();
    return externalWork.waits();
  }

  @Override
  public boolean expectsOtherThreads() {
    loop.checkCaller();
    return externalWork.isPossible();
  }

  @Override
  public boolean isShuttingDown() {
    loop.checkCaller();
    return loop.isClosing() || ending.isIntakeClosed();
  }

  @Override
  public boolean isEnding() {
    loop.checkCaller();
    return loop.isClosing() || ending.isCleaningUp();
  }

  @Override
  public long rest() {
    requireStill("rest");
    return loop.beginRest();
  }

  @Override
  public void abandon() {
    requireStill("abandon");
    CoroutineBackend backend = backend();
    if (!backend.canAbandon()) {
      throw new UnsupportedOperationException(
          "the backend %s cannot give up a task, which has a thread of its own; CONTINUATION can"
              .formatted(backend.name()));
    }
    loop.beginToClose();
    UnbegunTasks.endAll(loop);
    loop.abandon();
    closeView.run();
  }

  private void requireStill(String call) {
    loop.checkCaller();
    if (loop.isDriven()) {
      throw new IllegalStateException(call + " inside of a running scheduler");
    }
    if (loop.isClosing()) {
      throw new IllegalStateException(call + " of a closed scheduler: build another one");
    }
  }

  // Other tasks.

  @Override
  public <T extends @Nullable Object> Task<T> spawnFor(
      Task<?> maker, TaskGroup<T> group, String name, TaskCall<? extends T, ?> code) {
    TaskCore<?> core = TaskCore.of(Objects.requireNonNull(maker, "maker is null"), loop);
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(code, "code is null");
    var home = (GroupCore<T>) Objects.requireNonNull(group, "group is null");
    return home.spawnFor(core, name, code);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T withoutScheduling(
      TaskCall<? extends T, X> code) throws X {
    Objects.requireNonNull(code, "code is null");
    return loop.currentStackful("withoutScheduling").withoutScheduling(code);
  }

  @Override
  public <X extends Exception> void withoutScheduling(TaskAction<X> code) throws X {
    withoutScheduling(Faces.callable(Objects.requireNonNull(code, "code is null")));
  }

  @Override
  public boolean failWait(Task<?> task, Supplier<? extends RuntimeException> failure) {
    return failParked(TaskCore.of(task, loop), Objects.requireNonNull(failure, "failure is null"));
  }

  /// Like [TaskCore#wakeWithFailure], for add-ons: makes a parked task fail, unless it has received
  /// something.
  ///
  /// @param failure made in the task
  /// @return false if the task is not parked, has received something or is about to, has a
  ///   cancellation to be delivered, or must not leave its wait
  private static boolean failParked(TaskCore<?> task, Supplier<? extends Throwable> failure) {
    Loop loop = task.loop;
    TaskState before = task.storedState();
    if (loop.isRunning(task)
        || before == TaskState.NEW
        || !before.isSchedulable()
        || task.pendingCancel() != null
        || task.hasSomethingToTake()) {
      return false;
    }
    if (task.mustKeepWaiting()) {
      if (!(task.awaited() instanceof KeptWait wait)) {
        return false;
      }
      if (!wait.mayFail()) {
        return wait.failLater(failure);
      }
    }
    task.dropReceived();
    task.endSettledWait();
    task.wakeWithFailure(new DeferredFailure(failure));
    return task.isReady();
  }

  @Override
  public void whenParked(Task<?> task, Runnable action) {
    TaskCore<?> own = TaskCore.of(task, loop);
    own.extras().whenParked = Objects.requireNonNull(action, "action is null");
  }

  @Override
  public <T extends @Nullable Object> T offStack(Supplier<T> code) {
    return TaskErrand.of(loop, Objects.requireNonNull(code, "code is null"));
  }

  @Override
  public <T extends @Nullable Object> T withoutTask(Supplier<T> code) {
    Objects.requireNonNull(code, "code is null");
    loop.checkCaller();
    boolean wasHidden = loop.hideCurrentTask();
    try {
      return code.get();
    } finally {
      loop.restoreCurrentTask(wasHidden);
    }
  }

  @Override
  public OptionalLong limitNanos() {
    loop.checkCaller();
    TaskCore<?> task = loop.currentTask();
    TaskExtras has = task == null ? null : task.extras;
    CancelSource innermost = has == null ? null : has.cancelSource;
    return innermost == null ? OptionalLong.empty() : innermost.deadlineNanos();
  }

  @Override
  public void report(String where, Throwable failure, BooleanSupplier received) {
    Objects.requireNonNull(where, "where is null");
    Objects.requireNonNull(failure, "failure is null");
    loop.report(where, failure, Objects.requireNonNull(received, "received is null"));
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> newFuture(
      Supplier<String> description, String instead) {
    return HostFuture.of(loop, description, instead, null);
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> newFuture(
      Supplier<String> description, String instead, Supplier<? extends @Nullable Task<?>> holder) {
    return HostFuture.of(
        loop, description, instead, Objects.requireNonNull(holder, "holder is null"));
  }
}
