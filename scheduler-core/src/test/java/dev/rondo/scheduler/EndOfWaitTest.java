package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.scheduler.internal.rooms.WaitClaim;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.FakeTime;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What ends which wait: each row of the table in docs/inside/semantics.md is what this test
/// observes. A call that returns false must have changed nothing: the task goes on as if it had not
/// been made.
@BackendsDiffer
final class EndOfWaitTest extends SchedulerTest {

  private static final Path PAGE = Path.of("../docs/inside/semantics.md");
  private static final Duration LIMIT = Duration.ofSeconds(1);

  /// Enough for the tasks of a stage to come to rest.
  private static final int TURNS = 20;

  private static final String EVENT = "it";
  private static final String VALUE = "v";
  private static final String OTHER_EVENT = "w";
  private static final String OWN = "its own";
  private static final String LATER = "then cancelled";
  private static final String TRUE = "true";
  private static final String FALSE = "false";
  private static final String REFUSED = "refused";
  private static final String NOTHING = "-";

  /// What [Way#FAIL] fails a wait with.
  private static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// An event that has one waiter, which it may promise to.
  private static final class Event implements Waitable<String> {

    private final String value;
    private @Nullable Waiter<? super String> waiter;
    private @Nullable WaitClaim promised;

    Event(String value) {
      this.value = value;
    }

    boolean isAwaited() {
      return waiter != null;
    }

    boolean fire() {
      return waiter != null && waiter.fire(value);
    }

    /// Takes the claim, as another thread does that has the event.
    void promise() {
      WaitClaim claim = waiter == null ? null : WaitClaim.of(waiter);
      assertTrue(claim != null && claim.tryTake());
      promised = claim;
    }

    /// Fires, keeping the promise if there is one.
    void come() {
      WaitClaim claim = promised;
      if (claim == null || waiter == null) {
        fire();
      } else {
        claim.fire(waiter, value);
      }
    }

    @Override
    public void arm(Waiter<? super String> armed) {
      waiter = armed;
    }

    @Override
    public void disarm(Waiter<? super String> left) {
      waiter = null;
    }
  }

  /// What can end a wait.
  @SuppressWarnings("ImmutableEnumChecker") // its code has no state
  private enum Way {
    NONE(stage -> true),
    EVENT(Stage::fireEvent),
    SCHEDULE(stage -> stage.own.scheduleTask(stage.task)),
    SCHEDULE_WITH(stage -> stage.own.scheduleTask(stage.task, VALUE)),
    SCHEDULE_ON(stage -> stage.own.queue().scheduleOn(stage.task, stage.other)),
    UNSCHEDULE(stage -> stage.own.queue().unschedule(stage.task)),
    FAIL(stage -> TaskControl.of(stage.own.host()).failWait(stage.task, Failed::new)),
    CANCEL(stage -> stage.task.cancel("why")),
    LIMIT(stage -> {
      stage.clock.advance(EndOfWaitTest.LIMIT);
      return true;
    }),
    CLOSE(stage -> {
      stage.own.close();
      return true;
    });

    private final Predicate<Stage> call;

    Way(Predicate<Stage> call) {
      this.call = call;
    }

    /// Whether the scheduler is open after this had an answer.
    boolean isOpenAfter(String answer) {
      return this != CLOSE || !answer.equals(TRUE);
    }
  }

  /// What a task is doing.
  @SuppressWarnings("ImmutableEnumChecker") // the same
  enum Doing {
    NEW("NEW", stage -> stage.make(stage::begin)),
    NOT_BEGUN(
        "READY, not begun",
        stage -> {
          stage.make(stage::begin);
          assertTrue(stage.own.scheduleTask(stage.task));
        }),
    READY("READY", Stage::yields),
    READY_GIVEN(
        "READY, given something",
        stage -> {
          stage.spawn(stage::await);
          assertTrue(stage.event.fire());
        }),
    READY_CANCELLED(
        "READY, cancelled",
        stage -> {
          stage.yields();
          assertTrue(stage.task.cancel("before"));
        }),
    READY_OF_WAIT(
        "READY, cancelled in a wait",
        stage -> {
          stage.spawn(stage::await);
          assertTrue(stage.task.cancel("before"));
        }),
    RUNNING(
        "RUNNING",
        stage ->
            stage.spawn(() -> {
              stage.apply();
              return OWN;
            })),
    WAITING("WAITING", stage -> stage.spawn(stage::await)),
    PROMISED(
        "WAITING, promised to another thread",
        stage -> {
          stage.spawn(stage::await);
          stage.event.promise();
        }),
    KEPT(
        "WAITING, `withoutScheduling`",
        stage ->
            stage.spawn(() -> TaskControl.of(stage.own.host()).withoutScheduling(stage::await))),
    GROUP("WAITING, at the end of a group", stage -> stage.spawn(stage::awaitGroup)),
    SHIELDED("WAITING, `shielded`", stage -> stage.spawn(() -> stage.own.shielded(stage::await))),
    SUSPENDED("SUSPENDED", stage -> stage.spawn(stage.own::suspend)),
    TAKEN_OUT(
        "SUSPENDED by `unschedule`",
        stage -> {
          stage.spawn(stage::await);
          assertTrue(stage.own.queue().unschedule(stage.task));
        }),
    TAKEN_OUT_GIVEN(
        "SUSPENDED, given something",
        stage -> {
          stage.spawn(stage::await);
          assertTrue(stage.event.fire() && stage.own.queue().unschedule(stage.task));
        }),
    TAKEN_OUT_CANCELLED(
        "SUSPENDED, cancelled",
        stage -> {
          stage.yields();
          assertTrue(stage.task.cancel("before") && stage.own.queue().unschedule(stage.task));
        }),
    TAKEN_OUT_CANCELLED_IN_WAIT(
        "SUSPENDED, cancelled in a wait",
        stage -> {
          stage.spawn(stage::await);
          assertTrue(stage.task.cancel("before") && stage.own.queue().unschedule(stage.task));
        }),
    IDLING("IDLING", Stage::idles),
    BLOCKED("BLOCKED", stage -> stage.spawn(stage.queue::take)),
    ENDED("ended", stage -> stage.spawn(() -> OWN));

    private final String label;
    private final Consumer<Stage> setUp;

    Doing(String label, Consumer<Stage> setUp) {
      this.label = label;
      this.setUp = setUp;
    }
  }

  /// A scheduler with the task that is looked at.
  private final class Stage implements AutoCloseable {

    private final FakeTime clock = new FakeTime();
    private final Scheduler own = builder().ticker(clock).build();
    private final Event event = new Event(EVENT);
    private final Event other = new Event(OTHER_EVENT);
    private final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();
    private final Doing doing;
    private final Way way;
    private Task<?> task;
    private @Nullable Task<?> child;
    private String answer = "";
    private TaskState after = TaskState.NEW;

    Stage(Doing doing, Way way) {
      this.doing = doing;
      this.way = way;
      clock.serve(own);
      task = own.newTask("none", () -> {});
    }

    // What the task does.

    void make(TaskCall<?, InterruptedException> wait) {
      task = own.newTask("looked at", () -> see(wait));
    }

    void spawn(TaskCall<?, InterruptedException> wait) {
      make(wait);
      assertTrue(own.scheduleTask(task));
      rest();
    }

    /// Has it give way and be ready again.
    void yields() {
      make(() -> {
        Object given = own.yield(null);
        return given == null ? OWN : given;
      });
      assertTrue(own.scheduleTask(task) && own.step());
    }

    /// Is a step task that idles.
    void idles() {
      var turns = new AtomicInteger();
      task =
          own.host()
              .spawnSteps(
                  "looked at",
                  self ->
                      switch (turns.getAndIncrement()) {
                        case 0 -> self.idle();
                        case 1 -> {
                          see(self);
                          yield StepResult.AGAIN;
                        }
                        default -> StepResult.DONE;
                      });
      rest();
    }

    private void see(StepTask<?> self) {
      try {
        seen.add("returns " + self.received());
      } catch (Failed e) {
        seen.add("fails");
      }
    }

    /// Sees how its wait ends, and gives way.
    private void see(TaskCall<?, InterruptedException> wait) {
      try {
        seen.add("returns " + wait.call());
      } catch (TimedOutException e) {
        seen.add("times out");
      } catch (Failed e) {
        seen.add("fails");
      } catch (InterruptedException e) {
        seen.add("interrupted");
      } catch (TaskCancelled e) {
        seen.add("cancelled");
        throw e;
      }
      try {
        own.yield();
      } catch (TaskCancelled e) {
        seen.add(LATER);
        throw e;
      }
    }

    @Nullable Object begin() {
      Object given = own.received();
      return given == null ? await() : given;
    }

    /// Has a limit if that is looked at.
    String await() {
      return way == Way.LIMIT ? own.await(event, LIMIT) : own.await(event);
    }

    String awaitGroup() {
      var group = own.<@Nullable Object>newGroup("group");
      group.run(() -> child = group.spawn("child", own::suspend));
      return EVENT;
    }

    // What is done to it.

    void apply() {
      try {
        answer = way.call.test(this) ? TRUE : FALSE;
      } catch (IllegalStateException e) {
        answer = REFUSED;
      }
      after = task.taskState();
    }

    boolean fireEvent() {
      if (child == null) {
        return event.fire();
      }
      boolean scheduled = own.scheduleTask(child);
      rest(); // the child ends
      return scheduled;
    }

    /// Gives turns, but does not wait.
    void rest() {
      for (int turns = 0; turns < TURNS && way.isOpenAfter(answer) && own.step(); turns++) {}
    }

    Observed observe() {
      doing.setUp.accept(this);
      if (doing != Doing.RUNNING) {
        apply();
      }
      rest();
      if (doing == Doing.BLOCKED && way == Way.CANCEL) {
        own.start(); // the interrupt has been seen
      }
      TaskState atRest = task.taskState();
      boolean moved = other.isAwaited() && !event.isAwaited();
      var soFar = List.copyOf(seen);
      goOn();
      return new Observed(answer, after, atRest, moved, soFar, List.copyOf(seen));
    }

    /// Has all come that the task may wait for.
    private void goOn() {
      for (int i = 0; i < 3 && way.isOpenAfter(answer) && !task.isDone(); i++) {
        event.come();
        other.come();
        if (doing == Doing.BLOCKED) {
          queue.add(EVENT);
          own.start();
        }
        boolean _ = child == null ? own.scheduleTask(task) : own.scheduleTask(child);
        rest();
      }
    }

    @Override
    public void close() {
      own.close();
    }
  }

  /// What was seen of one cell.
  ///
  /// @param answer of the call
  /// @param after the state directly after it
  /// @param atRest the state when no more turns came
  /// @param moved whether the task waits for the other event, and for that only
  /// @param soFar what the task saw until then
  /// @param inTheEnd what it had seen when all had come that it waited for
  private record Observed(
      String answer,
      TaskState after,
      TaskState atRest,
      boolean moved,
      List<String> soFar,
      List<String> inTheEnd) {

    /// As the table says it.
    ///
    /// @param untouched what is seen without the call
    String cell(Observed untouched) {
      if (!answer.equals(TRUE)) {
        assertEquals(untouched, withAnswer(TRUE), "answered " + answer);
        return answer;
      }
      if (equals(untouched)) {
        return NOTHING;
      }
      if (moved) {
        assertEquals(List.of("returns " + OTHER_EVENT), inTheEnd);
        return "waits for `w`";
      }
      if (inTheEnd.equals(plus(untouched.inTheEnd, LATER)) && after == untouched.after) {
        return "later";
      }
      return soFar.isEmpty() ? whereItIs() : String.join(", ", soFar);
    }

    private Observed withAnswer(String other) {
      return new Observed(other, after, atRest, moved, soFar, inTheEnd);
    }

    private static List<String> plus(List<String> seen, String more) {
      return Stream.concat(seen.stream(), Stream.of(more)).toList();
    }

    private String whereItIs() {
      return switch (atRest) {
        case NEW -> "never begins";
        case READY, RUNNING, IDLING, BLOCKED -> throw new AssertionError(this);
        case WAITING -> "begins";
        case SUSPENDED -> "suspended";
        case SUCCEEDED -> "ends";
        case FAILED -> "abandoned";
        case CANCELLED -> "ends cancelled";
      };
    }
  }

  private Observed observe(Doing doing, Way way) {
    try (var stage = new Stage(doing, way)) {
      return stage.observe();
    } finally {
      var _ = takeReported(); // tasks that were abandoned
    }
  }

  private String row(Doing doing) {
    Observed untouched = observe(doing, Way.NONE);
    return Arrays.stream(Way.values())
        .filter(way -> way != Way.NONE)
        .map(way -> cell(doing, way, untouched))
        .collect(Collectors.joining(" | ", "| " + doing.label + " | ", " |"));
  }

  private String cell(Doing doing, Way way, Observed untouched) {
    try {
      return observe(doing, way).cell(untouched);
    } catch (AssertionError e) {
      throw new AssertionError(doing + ", " + way, e);
    }
  }

  /// A call of the JDK blocks one task alone on BOUND only.
  @ParameterizedTest
  @EnumSource
  void wait_isEndedBy_whatTheTableSays(Doing doing) throws IOException {
    if (doing == Doing.BLOCKED && !backend.name().equals("BOUND")) {
      return;
    }
    String row = row(doing);
    List<String> page = Files.readAllLines(PAGE);
    assertTrue(page.contains(row), () -> "docs/inside/semantics.md has no row\n" + row);
  }
}
