package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.StepControl;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// The add-on for predicates, after William Adams' TINN.
///
/// The add-on is an ordinary task. It evaluates predicates in the order in which the waits began,
/// each at most once per round. The time of an evaluation depends on the state that the predicate
/// reads:
///
/// - **cells** ([Cell]): when the wait begins, in the next round, and from then on in the round
///   after a change of a cell that the last evaluation read. Nothing is polled.
/// - **anything else**: once per round while other tasks are ready. When none is, the add-on idles.
///   It evaluates again behind each task that becomes ready. Because the state may change outside
///   the scheduler, it also evaluates after 50 us, 100 us, 200 us and so on, up to every 10 ms. So
///   waiting takes less than 1 % of a processor, and a change outside is seen after 10 ms at most.
/// - **both**: a predicate that reads a cell is assumed to read no other changing state, except
///   through [#untracked]; then it is polled. Without [#untracked], a change of the other state is
///   noticed late: when a cell changes, or at the last look.
///
/// The last look evaluates all predicates, whatever they read. It takes place before a run ends,
/// before a deadlock is reported, and once when polling has found nothing for some 20 ms and no
/// task is ready.
///
/// While no task waits, or for cells only, the add-on is suspended and costs nothing.
///
/// **Predicates** run outside tasks: in the add-on's turn, and when a wait begins. They must be
/// quick, must not suspend, and must not change a cell. A predicate that suspends, changes a cell
/// or throws fails its own wait and no other.
///
/// A scheduler with a predicate to poll is not deadlocked, because something outside may change its
/// result. If tasks wait for predicates of cells only, no task is left that could change a cell,
/// and none of the predicates is true at the last look, the scheduler is deadlocked.
///
/// Confined to the scheduler's thread.
public final class WaitForCondition implements AddOn {

  /// The time for which the add-on idles at first, and at most.
  private static final long SHORTEST_PAUSE_NANOS = 50_000;

  private static final long LONGEST_PAUSE_NANOS = 10_000_000;

  private static final Comparator<ConditionWait<?>> IN_ORDER =
      (a, b) -> Long.signum(a.sequence - b.sequence);

  private static final Optional<Boolean> YES = Optional.of(true);

  private final Scheduler scheduler;
  private final StepTask<Void> self;

  /// The waits whose predicates read more than cells: evaluated in every pass.
  private final Set<ConditionWait<?>> polled = new LinkedHashSet<>();

  /// The waits to evaluate in the next pass: new ones, and waits with a cell that has changed.
  /// Waits in neither set watch cells.
  private final Set<ConditionWait<?>> changed = new LinkedHashSet<>();

  /// The ends of the list of all active waits.
  private @Nullable ConditionWait<?> first;

  private @Nullable ConditionWait<?> last;

  private int size;
  private long lastSequence;

  /// Whether the next pass is a last look, see [#beginLastLook].
  private boolean lastLook;

  /// The tasks that the last looks before the end of this run have woken.
  private final Set<Task<?>> wokenLast = new HashSet<>();

  /// Whether the latest of these looks has woken a task that the earlier looks have not.
  private boolean wokeAnother;

  /// The current evaluation, unless its predicate has suspended, see [#current()].
  private @Nullable Evaluation current;

  private long pauseNanos = SHORTEST_PAUSE_NANOS;

  /// Whether the add-on idles, and until when.
  private boolean idling;

  private long idlingUntilNanos;

  private WaitForCondition(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.self = scheduler.host().install(this);
  }

  /// {@return the condition add-on of a scheduler} The first call installs it. Never a suspension
  /// point.
  ///
  /// @param scheduler whose tasks wait
  /// @throws IllegalStateException if the scheduler is closed and has no such add-on
  public static WaitForCondition on(Scheduler scheduler) {
    requireNonNull(scheduler, "scheduler is null");
    WaitForCondition present = scheduler.host().addOn(WaitForCondition.class);
    return present != null ? present : new WaitForCondition(scheduler);
  }

  // As a task.

  /// One turn: evaluates every predicate that is due, once.
  @Override
  public StepResult turn(StepTask<Void> task) {
    long now = scheduler.host().nowNanos();
    boolean quiet = idling && now - idlingUntilNanos >= 0;
    idling = false;
    if (quiet && pauseNanos < LONGEST_PAUSE_NANOS && pauseNanos << 1 >= LONGEST_PAUSE_NANOS) {
      makeAllDue(); // polling keeps the loop from finding that it ran dry
    }
    pass();
    if (polled.isEmpty() && changed.isEmpty()) {
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return StepResult.SUSPEND; // until a cell changes or a wait begins
    }
    if (!changed.isEmpty() || scheduler.tasksPending() > 0) {
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return StepResult.AGAIN;
    }
    pauseNanos = quiet ? Math.min(LONGEST_PAUSE_NANOS, pauseNanos << 1) : SHORTEST_PAUSE_NANOS;
    idling = true;
    idlingUntilNanos = now + pauseNanos;
    return StepControl.watchUntil(task, idlingUntilNanos);
  }

  /// Makes all predicates due: the last tasks may have made them true, or the handlers that ran
  /// since the last look. If each look wakes the same handler, such as one of `whenever` whose
  /// predicate stays true, it causes only one more look.
  @Override
  public boolean beginLastLook(boolean again) {
    boolean looks = again ? wokeAnother : size > 0;
    lastLook = looks;
    wokeAnother = false;
    if (!again || !looks) {
      wokenLast.clear();
    }
    if (looks) {
      makeAllDue();
    }
    return looks;
  }

  private void makeAllDue() {
    for (ConditionWait<?> each = first; each != null; each = each.next) {
      if (!polled.contains(each)) {
        changed.add(each);
      }
    }
  }

  /// Evaluates the predicates that are due when the pass begins. A predicate may end waits, which
  /// are then skipped, and begin waits, which the next pass evaluates.
  private void pass() {
    List<ConditionWait<?>> due = new ArrayList<>(polled.size() + changed.size());
    due.addAll(polled);
    due.addAll(changed);
    changed.clear();
    due.sort(IN_ORDER);
    for (ConditionWait<?> each : due) {
      if (each.active) {
        each.evaluate(this);
        if (lastLook && !each.active) {
          wokeAnother |= wokenLast.add(each.task());
        }
      }
    }
    lastLook = false;
  }

  /// {@return the number of tasks that wait, including handlers' tasks}
  int waiterCount() {
    scheduler.host().checkThread();
    return size;
  }

  // Cells.

  /// Reads state that is not in a cell, in a predicate that reads cells as well. The predicate is
  /// polled from then on. An evaluation that does not reach this call, as in `ready.get() &&
  /// conditions.untracked(..)`, does not count. Has no effect outside predicates. Never a
  /// suspension point.
  ///
  /// @param <V> the result
  /// @param reading reads the state; quick, and must not suspend
  /// @return the result of the reading
  public <V extends @Nullable Object> V untracked(Supplier<V> reading) {
    requireNonNull(reading, "reading is null");
    scheduler.host().checkThread();
    Evaluation now = current();
    if (now != null) {
      now.untracked = true;
    }
    return reading.get();
  }

  // Waiting.

  /// Waits until a predicate is true. *Always* a suspension point: other tasks may have run since
  /// it was true, so it may have become false again.
  ///
  /// @param predicate quick, and must not suspend
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile
  /// @throws TaskCancelled if the task is cancelled; it no longer waits
  /// @throws RuntimeException what the predicate threw
  public void waitFor(BooleanSupplier predicate) {
    var _ = scheduler.host().awaitEvent(condition(predicate));
  }

  /// {@return a predicate as an event, to await with a timeout or in a select} The wait results in
  /// `true`. Never a suspension point itself.
  ///
  /// @param predicate quick, and must not suspend
  public Waitable<Boolean> condition(BooleanSupplier predicate) {
    return new Condition<>(this, valued(predicate), true);
  }

  /// {@return a predicate as an event, to await with a timeout or in a select} The wait results in
  /// the value of the predicate. Never a suspension point itself.
  ///
  /// @param <T> the value
  /// @param predicate returns `Optional.empty()` for "not yet"; quick, and must not suspend
  public <T> Waitable<T> condition(Supplier<Optional<T>> predicate) {
    return new Condition<>(this, requireNonNull(predicate, "predicate is null"), true);
  }

  /// {@return a predicate that is true when a task has ended} The predicate is polled. Another
  /// predicate that reads cells must call it within [#untracked].
  ///
  /// @param task any
  public static BooleanSupplier taskIsFinished(Task<?> task) {
    requireNonNull(task, "task is null");
    return task::isDone;
  }

  // Handlers.

  /// Runs an action once, when a predicate is true; see [HandlerRegistration]. Never a suspension
  /// point.
  ///
  /// @param predicate quick, and must not suspend; its failure ends the registration and goes to
  ///   the failure handler
  /// @param action may suspend
  /// @return the registration, to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration when(BooleanSupplier predicate, TaskAction<?> action) {
    requireNonNull(action, "action is null");
    return HandlerRegistration.once(scheduler, "when", forHandler(predicate), yes -> action.run());
  }

  /// Runs an action once, when a predicate returns a value, with that value; see
  /// [HandlerRegistration]. Never a suspension point.
  ///
  /// @param <T> the value
  /// @param predicate returns `Optional.empty()` for "not yet"; quick, and must not suspend; its
  ///   failure ends the registration and goes to the failure handler
  /// @param action receives the value; may suspend
  /// @return the registration, to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public <T> HandlerRegistration when(
      Supplier<Optional<T>> predicate, SignalHandler<? super T> action) {
    requireNonNull(action, "action is null");
    return HandlerRegistration.once(scheduler, "when", valueForHandler(predicate), action);
  }

  /// Runs an action repeatedly, as long as a predicate is true: when the action has run and the
  /// predicate is true, still or again, the action runs again; see [HandlerRegistration]. Never a
  /// suspension point.
  ///
  /// @param predicate quick, and must not suspend; its failure ends the registration and goes to
  ///   the failure handler
  /// @param action may suspend
  /// @return the registration, to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration whenever(BooleanSupplier predicate, TaskAction<?> action) {
    requireNonNull(action, "action is null");
    return HandlerRegistration.always(
        scheduler, "whenever", forHandler(predicate), yes -> action.run());
  }

  /// Runs an action as long as a predicate returns a value, with that value. When the action has
  /// run and the predicate returns a value, still or again, the action runs again; see
  /// [HandlerRegistration]. Never a suspension point.
  ///
  /// @param <T> the value
  /// @param predicate returns `Optional.empty()` for "not yet"; quick, and must not suspend; its
  ///   failure ends the registration and goes to the failure handler
  /// @param action receives the value; may suspend
  /// @return the registration, to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public <T> HandlerRegistration whenever(
      Supplier<Optional<T>> predicate, SignalHandler<? super T> action) {
    requireNonNull(action, "action is null");
    return HandlerRegistration.always(scheduler, "whenever", valueForHandler(predicate), action);
  }

  /// Sends a signal to all tasks that wait for it, once, when a predicate is true. Never a
  /// suspension point.
  ///
  /// @param predicate quick, and must not suspend; its failure ends the registration and goes to
  ///   the failure handler
  /// @param signalName see [WaitForSignal]
  /// @return the registration, to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration signalOnPredicate(BooleanSupplier predicate, Object signalName) {
    WaitForSignal signals = signalsFor(signalName);
    return onPredicate(
        signalName, forHandler(predicate), yes -> signals.signalAll(signalName, null));
  }

  private WaitForSignal signalsFor(Object signalName) {
    requireNonNull(signalName, "signalName is null");
    return WaitForSignal.on(scheduler);
  }

  private <T> HandlerRegistration onPredicate(
      Object signalName, Waitable<T> condition, SignalHandler<? super T> sender) {
    return HandlerRegistration.once(
        scheduler, "signalOnPredicate " + signalName, condition, sender);
  }

  private Waitable<Boolean> forHandler(BooleanSupplier predicate) {
    return valueForHandler(valued(predicate));
  }

  private <T> Waitable<T> valueForHandler(Supplier<Optional<T>> predicate) {
    return new Condition<>(this, requireNonNull(predicate, "predicate is null"), false);
  }

  private static Supplier<Optional<Boolean>> valued(BooleanSupplier predicate) {
    requireNonNull(predicate, "predicate is null");
    return () -> predicate.getAsBoolean() ? YES : Optional.empty();
  }

  // The waits.

  void add(ConditionWait<?> wait) {
    wait.active = true;
    wait.sequence = ++lastSequence;
    link(wait);
    changed(wait);
  }

  /// Evaluates the predicate of a wait in the next pass.
  void changed(ConditionWait<?> wait) {
    changed.add(wait);
    var _ = self.wake();
  }

  /// Keeps a wait whose predicate has returned "not yet".
  void keep(ConditionWait<?> wait, Evaluation last) {
    if (last.isOfCellsOnly()) {
      polled.remove(wait);
    } else {
      polled.add(wait);
    }
  }

  /// Removes a wait; returns whether it was active.
  boolean remove(ConditionWait<?> wait) {
    if (!wait.active) {
      return false;
    }
    wait.active = false;
    wait.watch(Set.of());
    polled.remove(wait);
    changed.remove(wait);
    unlink(wait);
    if (idling && polled.isEmpty()) {
      var _ = self.wake(); // to suspend: an idling task counts as a task that may see a change
    }
    return true;
  }

  private void link(ConditionWait<?> wait) {
    wait.previous = last;
    if (last == null) {
      first = wait;
    } else {
      last.next = wait;
    }
    last = wait;
    size++;
  }

  private void unlink(ConditionWait<?> wait) {
    ConditionWait<?> before = wait.previous;
    ConditionWait<?> after = wait.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    wait.previous = null;
    wait.next = null;
    size--;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  // The current evaluation.

  <V extends @Nullable Object> V outsideOfTasks(Supplier<V> evaluation) {
    return TaskControl.of(scheduler.host()).offStack(evaluation);
  }

  Evaluation newEvaluation() {
    return new Evaluation(scheduler.currentTask());
  }

  /// Runs a predicate and records what it reads.
  <V extends @Nullable Object> V run(Supplier<V> predicate, Evaluation mine) {
    Evaluation outer = current();
    current = mine;
    V result;
    try {
      result = predicate.get();
    } catch (Throwable e) {
      current = outer;
      throw e;
    }
    if (current() != mine) {
      throw new IllegalStateException(
          "a predicate suspended and other tasks ran: it must not suspend; wait before or after");
    }
    current = outer;
    return result;
  }

  /// Returns the current evaluation. A predicate can block in the JDK when a wait begins, on the
  /// BOUND backend; other tasks then read cells, which the evaluation must not record, so it is
  /// forgotten.
  private @Nullable Evaluation current() {
    Evaluation now = current;
    if (now != null && now.task != scheduler.currentTask()) {
      now = null;
      current = null;
    }
    return now;
  }

  void noteRead(Cell<?> cell) {
    scheduler.host().checkThread();
    Evaluation now = current();
    if (now != null) {
      now.read(cell);
    }
  }

  void requireOutsideOfPredicates(Cell<?> cell) {
    scheduler.host().checkThread();
    if (current() != null) {
      throw new IllegalStateException(
          "a predicate changes "
              + cell
              + ": it must change nothing; change the cell in the waiting task, afterwards");
    }
  }
}
