package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.AddOnInfo;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.addon.LoopControl;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskControl;
import dev.rondo.scheduler.engine.util.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The implementation of [AddOnHost]. It keeps the add-ons of a scheduler, one of each class.
public final class HostCore extends AddOnHost {

  private final Loop loop;
  private final Ticker ticker;
  private final TaskFactory taskFactory;
  private final LoopControl loopControl;
  private final TaskControl taskControl;
  private final Map<Class<?>, AddOn> installed = new LinkedHashMap<>();
  private final Map<AddOn, StepTaskCore<?>> addOnTasks = new LinkedHashMap<>();

  HostCore(Loop loop, TaskFactory taskFactory, LoopControl loopControl) {
    this.loop = loop;
    this.ticker = loop.ticker;
    this.taskFactory = taskFactory;
    this.loopControl = loopControl;
    this.taskControl = new TaskControlCore(loop);
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

  /// Makes the add-ons ready that want to look once more before a run ends or is deadlocked.
  ///
  /// @param again whether they have just looked, and this run has had no other work since
  /// @return whether there is one
  boolean beginLastLook(boolean again) {
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
  public void idle() {
    loop.currentStackful("idle").idle();
  }

  @Override
  public void idleUntil(long deadlineNanos) {
    loop.currentStackful("idleUntil").idleUntil(deadlineNanos);
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
  public LoopControl loop() {
    return loopControl;
  }

  @Override
  public TaskControl tasks() {
    return taskControl;
  }

  @Override
  public void report(String where, Throwable failure) {
    Objects.requireNonNull(where, "where is null");
    loop.report(where, Objects.requireNonNull(failure, "failure is null"));
  }

  /// The reports of the add-ons, in the order in which they were installed, without empty ones.
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
      AddOnInfo info = AddOnReport.of(name, addOn);
      if (!info.isEmpty()) {
        infos.add(info);
      }
    } catch (Throwable e) {
      loop.report("description of add-on " + name, e);
    } finally {
      loop.restoreCurrentTask(wasHidden);
    }
  }
}
