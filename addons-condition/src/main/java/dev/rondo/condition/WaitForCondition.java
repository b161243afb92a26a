package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The add-on that tasks wait for predicates with, after William Adams' TINN.
///
/// It is an ordinary task, which looks at predicates in the order the waits began, each at most
/// once per round. When it has to look depends on what a predicate reads:
///
/// - **cells** ([Cell]): when a wait begins, in the round after that, and from then on in the round
///   after one of the cells that it read the last time has changed. Nothing is polled.
/// - **anything else**: once per round while other tasks are ready. When none is, the add-on idles,
///   and looks again behind each task that becomes ready, and in between - it may be about
///   something outside - after 50 us, 100 us, 200 us and so on up to every 10 ms. So waiting takes
///   less than 1 % of a processor, and what changes outside is seen 10 ms later at most.
/// - **both**: a predicate that reads a cell is taken to read nothing else that can change, unless
///   it reads that through [#untracked]; then it is polled.
///
/// While nobody waits, or for cells only, the add-on is suspended and costs nothing.
///
/// **Predicates** run in the add-on's turn, or in the waiting task's when a wait begins; they must
/// be quick, and only look: must not suspend, and must not change a cell. One that does, or throws,
/// fails the wait it belongs to and no other.
///
/// A scheduler with a predicate to poll is not deadlocked: something outside may change it. If all
/// that is waited for are predicates of cells, and no task is left that could change one, it is.
///
/// Confined to the scheduler's thread.
public final class WaitForCondition implements AddOn {

  /// How long the add-on idles at first, and at most, while nothing happens.
  private static final long SHORTEST_PAUSE_NANOS = 50_000;

  private static final long LONGEST_PAUSE_NANOS = 10_000_000;

  private static final Comparator<ConditionWait<?>> IN_ORDER =
      (a, b) -> Long.signum(a.sequence - b.sequence);

  private static final Optional<Boolean> YES = Optional.of(true);

  private final Scheduler scheduler;
  private final StepTask<Void> self;

  /// The waits for predicates that read other things than cells: looked at in every pass.
  private final Set<ConditionWait<?>> polled = new LinkedHashSet<>();

  /// The waits to look at in the next pass: new ones, and those with a cell that has changed. Those
  /// that are in neither watch cells.
  private final Set<ConditionWait<?>> changed = new LinkedHashSet<>();

  private int size;
  private long lastSequence;

  /// The predicate that is running now, unless it has suspended, see [#currentLook()].
  private @Nullable Evaluation look;

  private long pauseNanos = SHORTEST_PAUSE_NANOS;

  /// Whether we idle, and until when.
  private boolean idling;

  private long idlingUntilNanos;

  private WaitForCondition(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.self = scheduler.host().install(this);
  }

  /// {@return the condition add-on of a scheduler} The first call installs it. Never a suspension
  /// point.
  ///
  /// @param scheduler the one to wait in
  /// @throws IllegalStateException if it has none and is closed
  public static WaitForCondition on(Scheduler scheduler) {
    requireNonNull(scheduler, "scheduler is null");
    WaitForCondition present = scheduler.addOn(WaitForCondition.class);
    return present != null ? present : new WaitForCondition(scheduler);
  }

  // As a task.

  /// One turn: looks at every predicate that is due, once.
  @Override
  public StepResult turn(StepTask<Void> task) {
    long now = scheduler.host().nowNanos();
    boolean quiet = idling && now - idlingUntilNanos >= 0;
    idling = false;
    pass();
    if (polled.isEmpty() && changed.isEmpty()) {
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return StepResult.SUSPEND; // until a cell changes, or somebody begins to wait
    }
    if (!changed.isEmpty() || scheduler.tasksArePending()) {
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return StepResult.AGAIN;
    }
    pauseNanos = quiet ? Math.min(LONGEST_PAUSE_NANOS, pauseNanos << 1) : SHORTEST_PAUSE_NANOS;
    idling = true;
    idlingUntilNanos = now + pauseNanos;
    return task.watchUntil(idlingUntilNanos);
  }

  /// Looks at the predicates that are due when the pass begins. They may do anything meanwhile but
  /// suspend: end waits, which are not looked at then, and begin some, for the next pass.
  private void pass() {
    List<ConditionWait<?>> due = new ArrayList<>(polled.size() + changed.size());
    due.addAll(polled);
    due.addAll(changed);
    changed.clear();
    due.sort(IN_ORDER);
    for (ConditionWait<?> each : due) {
      if (each.active) {
        each.look(this);
      }
    }
  }

  /// {@return how many waits there are, those of handlers included}
  public int waiterCount() {
    scheduler.host().checkThread();
    return size;
  }

  /// {@return whether there are any waits, those of handlers included}
  public boolean hasWaiters() {
    return waiterCount() > 0;
  }

  // Cells.

  /// Reads something else than cells, in a predicate that reads cells, too: the predicate is polled
  /// then. What is left out of a look (`ready.get() && conditions.foreign(..)`) does not count. Has
  /// no effect elsewhere. Never a suspension point.
  ///
  /// @param <V> what is read
  /// @param reading reads it; quick, and must not suspend
  /// @return what it read
  public <V extends @Nullable Object> V untracked(Supplier<V> reading) {
    scheduler.host().checkThread();
    Evaluation now = currentLook();
    if (now != null) {
      now.foreign = true;
    }
    return reading.get();
  }

  // Waiting.

  /// Waits until a predicate is true. *Always* a suspension point; others had their turn since it
  /// was true, so it need not be so any more.
  ///
  /// @param predicate quick, and must not suspend
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws TaskCancelled if the task is cancelled; it does not wait any more
  /// @throws RuntimeException whatever the predicate threw, as it is
  public void waitFor(BooleanSupplier predicate) {
    var _ = scheduler.await(condition(predicate));
  }

  /// Waits until a predicate answers something. *Always* a suspension point.
  ///
  /// @param <T> what it results in
  /// @param predicate answers `Optional.empty()` for "not yet"; quick, and must not suspend
  /// @return what it answered
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws TaskCancelled if the task is cancelled; it does not wait any more
  /// @throws RuntimeException whatever the predicate threw, as it is
  public <T> T waitFor(Supplier<Optional<T>> predicate) {
    return scheduler.await(condition(predicate));
  }

  /// A predicate as something to await with a timeout, or in a select. Never a suspension point
  /// itself.
  ///
  /// @param predicate quick, and must not suspend
  /// @return comes with `true`
  public Waitable<Boolean> condition(BooleanSupplier predicate) {
    return new Condition<>(this, answering(predicate), true);
  }

  /// A predicate with a value as something to await with a timeout, or in a select. Never a
  /// suspension point itself.
  ///
  /// @param <T> what it results in
  /// @param predicate answers `Optional.empty()` for "not yet"; quick, and must not suspend
  /// @return comes with what the predicate answers
  public <T> Waitable<T> condition(Supplier<Optional<T>> predicate) {
    return new Condition<>(this, requireNonNull(predicate, "predicate is null"), true);
  }

  /// {@return a predicate that is true when a task has ended, in whichever way} It is polled; used
  /// within a predicate that reads cells it belongs into [#untracked].
  ///
  /// @param task any
  public static BooleanSupplier taskIsFinished(Task<?> task) {
    requireNonNull(task, "task is null");
    return task::isDone;
  }

  // Handlers.

  /// Runs an action when a predicate is true, once; see [HandlerRegistration]. Never a suspension
  /// point.
  ///
  /// @param predicate quick, and must not suspend; if it throws, that ends the registration and
  ///   goes to the failure handler
  /// @param action may suspend
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration when(BooleanSupplier predicate, TaskAction action) {
    requireNonNull(action, "action is null");
    return HandlerRegistration.once(scheduler, "when", unlooked(predicate), yes -> action.run());
  }

  /// Runs an action as long as a predicate is true: when the action has run, and the predicate is
  /// still or again true, it runs again; see [HandlerRegistration]. Never a suspension point.
  ///
  /// @param predicate quick, and must not suspend; if it throws, that ends the registration and
  ///   goes to the failure handler
  /// @param action may suspend
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration whenever(BooleanSupplier predicate, TaskAction action) {
    requireNonNull(action, "action is null");
    return HandlerRegistration.always(
        scheduler, "whenever", unlooked(predicate), yes -> action.run());
  }

  /// Sends a signal to all who wait for it, when a predicate is true, once. Never a suspension
  /// point.
  ///
  /// @param predicate quick, and must not suspend; if it throws, that ends the registration and
  ///   goes to the failure handler
  /// @param signalName see [WaitForSignal]
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration signalOnPredicate(BooleanSupplier predicate, Object signalName) {
    requireNonNull(signalName, "signalName is null");
    WaitForSignal signals = WaitForSignal.on(scheduler);
    return HandlerRegistration.once(
        scheduler,
        "signalOnPredicate " + signalName,
        unlooked(predicate),
        yes -> signals.signalAll(signalName));
  }

  private Waitable<Boolean> unlooked(BooleanSupplier predicate) {
    return new Condition<>(this, answering(predicate), false);
  }

  private static Supplier<Optional<Boolean>> answering(BooleanSupplier predicate) {
    requireNonNull(predicate, "predicate is null");
    return () -> predicate.getAsBoolean() ? YES : Optional.empty();
  }

  // The waits.

  void add(ConditionWait<?> watch) {
    watch.active = true;
    watch.sequence = ++lastSequence;
    size++;
    changed(watch);
  }

  /// Has a wait looked at in the next pass.
  void changed(ConditionWait<?> watch) {
    changed.add(watch);
    var _ = self.wake();
  }

  /// A predicate has answered "not yet": when to look again.
  void keep(ConditionWait<?> watch, Evaluation last) {
    if (last.isOfCellsOnly()) {
      polled.remove(watch);
    } else {
      polled.add(watch);
    }
  }

  /// Returns whether it was there.
  boolean remove(ConditionWait<?> watch) {
    if (!watch.active) {
      return false;
    }
    watch.active = false;
    watch.watch(Set.of());
    polled.remove(watch);
    changed.remove(watch);
    size--;
    if (idling && polled.isEmpty()) {
      var _ = self.wake(); // to suspend, lest the scheduler believes that there is something to see
    }
    return true;
  }

  // The predicate that is running.

  Evaluation newLook() {
    return new Evaluation(scheduler.currentTask());
  }

  /// Runs a predicate, with an eye on what it reads.
  <V extends @Nullable Object> V run(Supplier<V> predicate, Evaluation mine) {
    Evaluation outer = currentLook();
    look = mine;
    V answer;
    try {
      answer = predicate.get();
    } catch (Throwable e) {
      look = outer;
      throw e;
    }
    if (currentLook() != mine) {
      throw new IllegalStateException(
          "a predicate has suspended, and others ran meanwhile: it must only look; wait before"
              + " or after");
    }
    look = outer;
    return answer;
  }

  /// A predicate that suspends, which it can when a wait begins, must not be charged with what
  /// others read meanwhile: it is found out, and forgotten.
  private @Nullable Evaluation currentLook() {
    Evaluation now = look;
    if (now != null && now.task != scheduler.currentTask()) {
      now = null;
      look = null;
    }
    return now;
  }

  void noteRead(Cell<?> cell) {
    scheduler.host().checkThread();
    Evaluation now = currentLook();
    if (now != null) {
      now.read(cell);
    }
  }

  void requireOutsideOfPredicates(Cell<?> cell) {
    scheduler.host().checkThread();
    if (currentLook() != null) {
      throw new IllegalStateException(
          "a predicate changes "
              + cell
              + ": it must only look; change it in the task that waits, afterwards");
    }
  }
}
