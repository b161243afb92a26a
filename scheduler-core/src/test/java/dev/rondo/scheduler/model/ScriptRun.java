package dev.rondo.scheduler.model;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.model.Operation.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Runs a script on a real scheduler, beside the [Model]. Tasks and driver take the steps of the
/// script one after the other, and the run compares what each sees with what the model predicts.
///
/// The first difference ends the run. Confined to the scheduler's thread.
final class ScriptRun {

  private static final int RECENT = 30;

  /// A failure that the script requests.
  private static final class Asked extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Asked(String message) {
      super(message, null, false, false);
    }
  }

  private final Iterator<Operation> script;
  private final Model model = new Model();
  private final Scheduler scheduler;
  private final List<Event> events =
      IntStream.range(0, Model.EVENTS).mapToObj(i -> new Event()).toList();
  private final List<Task<?>> tasks = new ArrayList<>();
  private final Deque<String> recent = new ArrayDeque<>();
  private long digest;
  private @Nullable String difference;
  private boolean over;
  private boolean watching;

  private ScriptRun(List<Operation> script, SchedulerBuilder builder) {
    this.script = script.iterator();
    this.scheduler = builder.failureHandler(this::failed).build();
  }

  /// The result of a run.
  ///
  /// @param difference where the real scheduler differs from the model
  /// @param digest of everything that happened
  record Result(Optional<String> difference, long digest) {}

  /// Runs a script.
  ///
  /// @param builder of the scheduler
  static Result run(List<Operation> script, SchedulerBuilder builder) {
    return new ScriptRun(script, builder).run();
  }

  private Result run() {
    try {
      drive();
      over = true;
      // Only this lets them go on: they wait for their children in any case.
      model.ownersTakenOut().forEach(number -> scheduler.scheduleTask(tasks.get(number)));
      scheduler.close();
      compare("tasks alive at the end", "0", String.valueOf(scheduler.tasks().size()));
      for (Task<?> task : tasks) {
        compare(
            "the end of " + task.name(),
            "true",
            String.valueOf(task.isDone() || task.taskState() == TaskState.NEW));
      }
    } catch (Throwable e) {
      differ("thrown by the scheduler: " + e + "\n" + trace(e));
    }
    return new Result(Optional.ofNullable(difference), digest);
  }

  private static String trace(Throwable thrown) {
    return List.of(thrown.getStackTrace()).stream()
        .limit(RECENT)
        .map(frame -> "    at " + frame)
        .collect(Collectors.joining("\n"));
  }

  private void failed(String where, Throwable failure) {
    if (!text(failure).startsWith("!")) {
      differ("reported of " + where + ": " + failure + "\n" + trace(failure));
    }
  }

  // Comparing.

  private void compare(Object what, String expected, String actual) {
    String line = what + " -> " + actual;
    digest = 31 * digest + line.hashCode();
    recent.add(line);
    if (recent.size() > RECENT) {
      recent.remove();
    }
    if (!expected.equals(actual)) {
      differ("must be -> " + expected);
    }
  }

  private void differ(String how) {
    if (difference == null) {
      difference = how + "\nafter\n  " + String.join("\n  ", recent);
    }
    over = true;
  }

  /// The next step, with names and numbers; null if there is none, or it does not apply any more.
  private @Nullable Operation next() {
    return over || !script.hasNext() ? null : model.resolve(script.next());
  }

  private void lookAround() {
    if (!over) {
      compare(
          "ready/alive", model.counts(), scheduler.tasksPending() + "/" + scheduler.tasks().size());
    }
    if (!over && watching) {
      compare("look", model.look(), look());
    }
  }

  private String look() {
    return "ready "
        + scheduler.queue().readyTasks().stream().map(tasks::indexOf).toList()
        + IntStream.range(0, tasks.size())
            .mapToObj(i -> " " + i + "=" + tasks.get(i).taskState())
            .collect(Collectors.joining());
  }

  // The driver.

  private void drive() {
    for (Operation step; (step = next()) != null; ) {
      if (!step.kind().givesWay()) {
        compare(step, model.perform(step), perform(step));
      } else if (step.kind() == Kind.YIELD || step.kind() == Kind.AWAIT) {
        String expected = String.valueOf(model.hasReady());
        model.drive(false);
        String stepped = String.valueOf(scheduler.step());
        if (!over) {
          compare("step", expected, stepped);
          compare("goes on", "null", String.valueOf(model.goesOn()));
          model.driven();
        }
      } else {
        model.drive(true);
        String returned = start();
        if (!over) {
          compare("start", model.driven(), returned);
        }
      }
      lookAround();
    }
  }

  private String start() {
    try {
      scheduler.start();
      return "returned";
    } catch (DeadlockException e) {
      return "deadlock";
    }
  }

  private String perform(Operation step) {
    int first = step.first();
    int second = step.second();
    return switch (step.kind()) {
      case SPAWN -> {
        scheduler.scheduleTask(newTask(first == 1));
        yield "";
      }
      case NEW -> {
        newTask(first == 1);
        yield "";
      }
      case SCHEDULE -> "" + scheduler.scheduleTask(tasks.get(first));
      case SCHEDULE_VALUE -> "" + scheduler.scheduleTask(tasks.get(first), "v" + second);
      case NEXT -> "" + scheduler.queue().scheduleNext(tasks.get(first));
      case NEXT_VALUE -> "" + scheduler.queue().scheduleNext(tasks.get(first), "v" + second);
      case AFTER -> "" + scheduler.queue().scheduleAfter(tasks.get(first), tasks.get(second));
      case ON -> "" + scheduler.queue().scheduleOn(tasks.get(first), source(second));
      case UNSCHEDULE -> "" + scheduler.queue().unschedule(tasks.get(first));
      case CANCEL -> "" + tasks.get(first).cancel("the script says so");
      case FIRE_FIRST -> "" + events.get(first).waiting.fireFirst("e" + second);
      case FIRE_ALL -> "" + events.get(first).waiting.fireAll("e" + second);
      case FIRE_ALL_NEXT -> "" + events.get(first).waiting.fireAllNext("e" + second);
      case FAIL_ALL -> "" + events.get(first).waiting.failAll(new Asked("e" + second));
      case CROWD -> {
        for (int i = 0; i < second; i++) {
          scheduler.queue().scheduleOn(newTask(false), events.get(first));
        }
        yield "";
      }
      case STOP -> {
        scheduler.stop();
        yield "";
      }
      case LOOK -> look();
      case WATCH -> {
        watching = true;
        yield look();
      }
      case YIELD, HALT, SUSPEND, AWAIT, SELECT, GROUP, END, FAIL ->
          throw new IllegalArgumentException(step + " gives way");
    };
  }

  private Waitable<?> source(int index) {
    return index < Model.EVENTS ? events.get(index) : tasks.get(index - Model.EVENTS);
  }

  // Tasks.

  private Task<?> newTask(boolean stackless) {
    int number = tasks.size();
    String name = "t" + number;
    Task<?> task =
        stackless
            ? scheduler.host().<String>newStepTask(name, self -> step(number, self))
            : scheduler.<String>newTask(name, () -> live(number));
    tasks.add(task);
    return task;
  }

  /// Begins a turn of this task, or continues after its suspension point.
  ///
  /// @return false if the run is over
  private boolean goesOn(int number, String seen) {
    if (!over) {
      compare("next", String.valueOf(model.goesOn()), number + " sees " + seen);
    }
    return !over;
  }

  /// Performs what a task does in one turn.
  ///
  /// @return how it ends the turn
  private Operation performUntilGivingWay(int number) {
    while (true) {
      Operation step = next();
      if (step == null) {
        step = new Operation(Kind.END, 0, 0);
      }
      if (step.kind().givesWay()) {
        recent.add("t" + number + " " + step);
        if (!over) {
          model.giveWay(step);
        }
        return step;
      }
      compare("t" + number + " " + step, model.perform(step), perform(step));
      lookAround();
    }
  }

  private String live(int number) throws Exception {
    goesOn(number, seen(scheduler::received));
    boolean told = false;
    while (true) {
      Operation step = performUntilGivingWay(number);
      if (step.kind() == Kind.END) {
        return "v" + number;
      } else if (step.kind() == Kind.FAIL) {
        throw new Asked("failed");
      }
      TaskCancelled[] cancelled = new TaskCancelled[1];
      String seen =
          seen(() -> {
            try {
              return giveWay(step);
            } catch (TaskCancelled e) {
              cancelled[0] = e;
              throw e;
            }
          });
      goesOn(number, seen);
      if (cancelled[0] != null) {
        if (told && !over) {
          model.endTold();
        }
        if (told || over) {
          throw cancelled[0];
        }
        told = true;
      }
    }
  }

  private @Nullable Object giveWay(Operation step) throws Exception {
    return switch (step.kind()) {
      case YIELD -> {
        scheduler.yield();
        yield scheduler.received();
      }
      case HALT -> scheduler.halt(null);
      case SUSPEND -> scheduler.suspend();
      case AWAIT -> scheduler.await(source(step.first()));
      case SELECT -> scheduler.await(choice(step));
      case GROUP -> {
        runGroup(Operation.POLICIES.get(step.first()), step.second());
        yield "over";
      }
      default -> throw new IllegalArgumentException(step + " does not give way");
    };
  }

  private Waitable<@Nullable Object> choice(Operation step) {
    return Waitable.anyOf(
        List.<Waitable<@Nullable Object>>of(
            source(step.first()).map(value -> "0:" + value),
            source(step.second()).map(value -> "1:" + value)));
  }

  private void runGroup(TaskGroup.Policy policy, int children) throws Exception {
    TaskGroup<@Nullable Object> group = scheduler.newGroup("group", policy);
    group.run(() -> {
      for (int i = 0; i < children; i++) {
        int number = tasks.size();
        tasks.add(
            i == 2
                ? group.<String>spawnSteps("t" + number, self -> step(number, self))
                : group.<String>spawn("t" + number, () -> live(number)));
      }
    });
  }

  private StepResult step(int number, StepTask<String> self) {
    if (!goesOn(number, seen(self::received))) {
      return self.done("over");
    }
    Operation step = performUntilGivingWay(number);
    return switch (step.kind()) {
      case YIELD -> StepResult.AGAIN;
      case SUSPEND -> StepResult.SUSPEND;
      case AWAIT -> self.await(source(step.first()));
      case SELECT -> self.await(choice(step));
      case END -> self.done("v" + number);
      case FAIL -> throw new Asked("failed");
      default -> throw new IllegalArgumentException(step + " needs a stack");
    };
  }

  // Values.

  private static String seen(Callable<? extends @Nullable Object> call) {
    try {
      return String.valueOf(call.call());
    } catch (Throwable e) {
      return text(e);
    }
  }

  /// The value in the model's notation.
  private static String text(Throwable thrown) {
    return switch (thrown) {
      case Asked asked -> "!" + asked.getMessage();
      case TaskCancelled told -> Model.TOLD;
      case TaskFailedException failed -> Model.FAILED;
      case CancellationException cancelled -> Model.CANCELLED;
      case IllegalStateException own when thrown.getMessage().endsWith("awaits its own end") ->
          Model.OWN_END;
      default -> trace(thrown).isEmpty() ? thrown.toString() : thrown + "\n" + trace(thrown);
    };
  }
}
