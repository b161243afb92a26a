package dev.rondo.scheduler.engine.shutdown;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.StepTaskCore;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.WaiterCore;
import dev.rondo.scheduler.engine.closing.Ending;
import dev.rondo.scheduler.engine.closing.MassCancellation;
import dev.rondo.scheduler.engine.outside.HostFuture;
import dev.rondo.scheduler.engine.util.Alerts;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.engine.view.Stacks;
import dev.rondo.scheduler.engine.view.TaskReports;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The orderly end of a scheduler, see [Scheduler#shutdown(Duration, Duration)]. The shutdown runs
/// as a task that idles between its steps: [#step].
public final class Shutdown implements Rooms.Course {

  /// The phase of a shutdown.
  ///
  /// | from | to | cause |
  /// |---|---|---|
  /// | NOT_ASKED | DRAINING | `shutdown(drain, cleanUp)` |
  /// | DRAINING | CLEANING_UP | time is up: tasks that are left are cancelled, youngest first |
  /// | DRAINING, CLEANING_UP | ENDED | no task is left but daemons; `close()` |
  /// | CLEANING_UP | ENDED | time is up again: tasks that are left are given up |
  enum Phase {
    NOT_ASKED,
    DRAINING,
    CLEANING_UP,
    ENDED
  }

  /// The time after which a drain logs which tasks it waits for.
  private static final Duration NAME_AFTER = Duration.ofSeconds(1);

  private final Loop loop;
  private final SchedulerCore scheduler;
  private final ReadyQueue tasks;
  private final Ending ending;
  private final MassCancellation massCancellation;

  private Phase phase = Phase.NOT_ASKED;

  private final WaitQueue<@Nullable Void> waiting = new WaitQueue<>();
  private final CompletableFuture<List<TaskInfo>> end;

  /// The end of the present phase. Set by [#setDeadline].
  private long deadlineNanos;

  /// Whether the present phase has no end.
  private boolean forEver;

  private long cleanUpNanos;

  /// Whether tasks have any time to end by themselves.
  private boolean drains;

  /// The beginning of the drain.
  private long beganNanos;

  /// Whether the log has named the tasks that keep the drain.
  private boolean named;

  /// Tasks that have called `System.exit`, which on some backends blocks only the task. Such a task
  /// waits for the shutdown hooks of the JVM, and the hooks wait for this shutdown. So this
  /// shutdown does not wait for the task. The loop continues until the task halts the JVM.
  private final Set<TaskCore<?>> exiting = new HashSet<>();

  /// The task of this shutdown; null before the shutdown has begun.
  private @Nullable StepTaskCore<Void> task;

  public Shutdown(SchedulerCore scheduler) {
    this.scheduler = scheduler;
    this.loop = scheduler.loop;
    this.end = HostFuture.of(loop, () -> "the end of the shutdown", "end the task", null);
    this.tasks = loop.tasks;
    this.ending = Ending.of(scheduler);
    this.massCancellation = new MassCancellation(loop);
  }

  @Override
  public CompletableFuture<List<TaskInfo>> ask(Duration drain, Duration cleanUp) {
    long toDrain = Durations.nanos(drain, "drain");
    long toCleanUp = Durations.nanos(cleanUp, "cleanUp");
    if (loop.isCaller()) {
      begin(toDrain, toCleanUp);
      return end.copy();
    }
    boolean _ = // refused: the scheduler is closed, or about to be, which is the end
        loop.post(() -> begin(toDrain, toCleanUp));
    return end.copy();
  }

  private void begin(long drain, long cleanUp) {
    switch (phase) {
      case NOT_ASKED -> {
        phase = Phase.DRAINING;
        ending.closeIntake();
        setDeadline(drain);
        drains = drain > 0;
        beganNanos = loop.nowNanos();
        cleanUpNanos = cleanUp;
        waiting.fireAll(null);
        loop.blockedObserver = this::blocked;
        for (TaskCore<?> each : tasks.list()) {
          if (each.taskState() == TaskState.BLOCKED) {
            blocked(each);
          }
          if (each.isAddOn()) {
            each.schedule(Place.BACK); // the add-on may have to end repeated work
          }
        }
        scheduleFirst(newTask());
      }
      case DRAINING -> {
        cleanUpNanos = Math.min(cleanUpNanos, cleanUp);
        shorten(drain);
      }
      case CLEANING_UP -> shorten(cleanUp);
      case ENDED -> {}
    }
    check();
  }

  private StepTaskCore<Void> newTask() {
    var made = new StepTaskCore<Void>(loop, "stop", this::step);
    made.becomeAddOn();
    task = made;
    return loop.made(made);
  }

  private void setDeadline(long nanos) {
    deadlineNanos = loop.deadlineAfter(nanos);
    forEver = nanos == Durations.FOREVER_NANOS;
  }

  private void shorten(long nanos) {
    if (loop.deadlineAfter(nanos) - deadlineNanos < 0) {
      setDeadline(nanos);
      if (task != null) {
        scheduleFirst(task);
      }
    }
  }

  private StepResult step(StepTask<Void> self) {
    boolean timeIsUp = loop.nowNanos() - deadlineNanos >= 0;
    return switch (phase) {
      case NOT_ASKED, ENDED -> StepResult.DONE;
      case DRAINING -> {
        if (!timeIsUp) {
          yield waitForDeadline(self);
        }
        if (drains) {
          nameKeepers("the drain of the shutdown is over; cancelled are:");
        }
        phase(Phase.CLEANING_UP);
        setDeadline(cleanUpNanos);
        massCancellation.cancelTasks("the scheduler stops");
        continueBehindCancelledTasks(TaskCore.of(self));
        yield StepResult.DONE;
      }
      case CLEANING_UP -> {
        if (!timeIsUp) {
          yield waitForDeadline(self);
        }
        giveUp();
        yield StepResult.DONE;
      }
    };
  }

  /// Moves the task of the shutdown to the front, because a scheduling policy may starve the task
  /// elsewhere.
  private void scheduleFirst(StepTaskCore<Void> own) {
    own.schedule(Place.FRONT);
  }

  /// Continues as another task, after each cancelled task has had a turn, from the youngest to the
  /// oldest.
  private void continueBehindCancelledTasks(TaskCore<Void> self) {
    scheduleFirst(newTask());
    for (TaskCore<?> each : tasks.list()) {
      if (!each.isAddOn() && each.isReady()) {
        tasks.moveBehind(self, each);
      }
    }
  }

  /// Waits for the end of the phase. A phase without an end needs no deadline, so tasks that
  /// nothing can wake are a deadlock as usual.
  private StepResult waitForDeadline(StepTask<Void> self) {
    if (forEver) {
      return StepResult.SUSPEND;
    }
    long nameNanos = beganNanos + NAME_AFTER.toNanos();
    if (phase == Phase.DRAINING && nameNanos - deadlineNanos < 0) {
      if (loop.nowNanos() - nameNanos < 0) {
        return self.idleUntil(nameNanos);
      }
      if (!named) {
        named = true;
        nameKeepers(
            "the shutdown has drained for %s, and waits for:"
                .formatted(ReportText.duration(NAME_AFTER)));
      }
    }
    return self.idleUntil(deadlineNanos);
  }

  private void nameKeepers(String what) {
    List<TaskCore<?>> keepers = tasks.list().stream().filter(each -> !each.isDaemon()).toList();
    if (!keepers.isEmpty()) {
      Alerts.warn(TaskReports.naming(what, keepers));
    }
  }

  private void giveUp() {
    List<TaskCore<?>> left = tasks.listWithoutAddOns();
    List<TaskInfo> described = TaskCore.infos(left);
    for (TaskCore<?> each : left) {
      if (each.entered && !exiting.contains(each)) {
        loop.report(each.toString(), abandoned(each, 0));
      }
    }
    // Mostly commands of `execute`, which no stack distinguishes.
    List<TaskCore<?>> unbegun = left.stream().filter(each -> !each.entered).toList();
    if (!unbegun.isEmpty()) {
      TaskCore<?> first = unbegun.getFirst();
      loop.report(first.toString(), abandoned(first, unbegun.size() - 1));
    }
    ending.gaveUp = !left.isEmpty() && exiting.isEmpty();
    finish(described);
    if (exiting.isEmpty()) {
      scheduler.stop();
    }
  }

  /// @param more the number of other tasks that have not begun either
  private static Throwable abandoned(TaskCore<?> task, int more) {
    return TaskReports.abandoned(task, more, "stopped: it did not end in its time to clean up");
  }

  /// Called when a call of the JDK blocks a task. The call may be `System.exit`, which never
  /// returns.
  private void blocked(TaskCore<?> held) {
    if (isUnderWay() && Stacks.isExitOfTheJvm(Stacks.ofParked(held)) && exiting.add(held)) {
      ending.isJvmExiting = true;
      held.becomeDaemon();
      loop.passSoon();
    }
  }

  @Override
  public void check() {
    if (isUnderWay() && tasks.working == 0) {
      finish(TaskCore.infos(List.copyOf(exiting)));
    }
  }

  @Override
  public void closed() {
    ending.closeIntake();
    if (phase != Phase.ENDED) {
      finish(TaskCore.infos(tasks.listWithoutAddOns()));
    }
  }

  private void finish(List<TaskInfo> left) {
    phase(Phase.ENDED);
    StepTaskCore<Void> own = task;
    task = null;
    if (own != null && !own.isDone()) {
      own.cancel("stopped"); // takes effect at once, or at the end of its turn
    }
    end.complete(left);
  }

  private void phase(Phase next) {
    phase = next;
    ending.cleaningUp = next == Phase.CLEANING_UP;
  }

  private boolean isUnderWay() {
    return phase == Phase.DRAINING || phase == Phase.CLEANING_UP;
  }

  @Override
  public boolean isAwaited() {
    return !waiting.isEmpty() && !waiting.tasks().stream().allMatch(Task::isDaemon);
  }

  @Override
  public Waitable<@Nullable Void> requested() {
    return new Waitable<>() {
      @Override
      public boolean poll(Waiter<? super @Nullable Void> waiter) {
        return phase != Phase.NOT_ASKED && WaiterCore.settle(waiter, null, null, Place.BACK);
      }

      @Override
      public void arm(Waiter<? super @Nullable Void> waiter) {
        if (!poll(waiter)) {
          waiting.add(waiter);
        }
      }

      @Override
      public void disarm(Waiter<? super @Nullable Void> waiter) {
        waiting.remove(waiter);
      }

      @Override
      public String toString() {
        return "the shutdown of the scheduler";
      }
    };
  }
}
