package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.AddOn;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Turn;
import dev.rondo.scheduler.Waitable;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The add-on that tasks wait for predicates with, after William Adams' TINN.
///
/// It is an ordinary task. Its turn looks at every predicate that somebody waits for, in the order
/// the waits began. While other tasks are ready that happens once per round. When none is, it
/// idles, and looks again behind each task that becomes ready, and in between - a predicate may be
/// about something outside - after 50 us, 100 us, 200 us and so on up to every 10 ms, so that
/// waiting never takes a noticeable part of a processor. While nobody waits it is suspended and
/// costs nothing.
///
/// **Predicates** run in the add-on's turn, or in the waiting task's when a wait begins; they must
/// be quick and must not suspend. One that throws fails the wait it belongs to and no other.
///
/// A scheduler with a predicate to look at is not deadlocked: something outside may change it.
///
/// Confined to the scheduler's thread.
public final class WaitForCondition implements AddOn {

  /// How long the add-on idles at first, and at most, while nothing happens.
  private static final long SHORTEST_PAUSE_NANOS = 50_000;

  private static final long LONGEST_PAUSE_NANOS = 10_000_000;

  private static final Optional<Boolean> YES = Optional.of(true);

  private final Scheduler scheduler;
  private final StepTask<Void> self;

  /// The waits in the order they began.
  private Condition.@Nullable Watch<?> first;

  private Condition.@Nullable Watch<?> last;
  private int size;
  private long lastSequence;

  /// The next one of the pass that is under way.
  private Condition.@Nullable Watch<?> upcoming;

  private long pauseNanos = SHORTEST_PAUSE_NANOS;

  /// Whether we idle, and until when.
  private boolean idling;

  private long idlingUntilNanos;

  private WaitForCondition(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.self = scheduler.install(this);
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

  /// One turn: looks at every predicate once.
  @Override
  public Turn turn(StepTask<Void> task) {
    long now = scheduler.nowNanos();
    boolean quiet = idling && now - idlingUntilNanos >= 0;
    idling = false;
    pass();
    if (first == null) {
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return Turn.SUSPEND;
    }
    if (scheduler.tasksArePending()) {
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return Turn.AGAIN;
    }
    pauseNanos = quiet ? Math.min(LONGEST_PAUSE_NANOS, pauseNanos << 1) : SHORTEST_PAUSE_NANOS;
    idling = true;
    idlingUntilNanos = now + pauseNanos;
    return task.watchUntil(idlingUntilNanos);
  }

  /// Looks at the predicates that were there when the pass began. They may do anything meanwhile
  /// but suspend: `remove` keeps `upcoming` right, and what is added is behind the end.
  private void pass() {
    long end = lastSequence;
    upcoming = first;
    for (Condition.Watch<?> each; (each = upcoming) != null && each.sequence - end <= 0; ) {
      upcoming = each.next;
      each.look(this);
    }
    upcoming = null;
  }

  /// {@return how many waits there are, those of handlers included}
  public int tasksPending() {
    scheduler.checkThread();
    return size;
  }

  /// {@return whether there are any waits, those of handlers included}
  public boolean tasksArePending() {
    return tasksPending() > 0;
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

  /// {@return a predicate that is true when a task has ended, in whichever way}
  ///
  /// @param task any
  public static BooleanSupplier taskIsFinished(Task<?> task) {
    requireNonNull(task, "task is null");
    return task::isDone;
  }

  // Handlers.

  /// Runs an action when a predicate is true, once; see [Registration]. Never a suspension point.
  ///
  /// @param predicate quick, and must not suspend; if it throws, that ends the registration and
  ///   goes to the failure handler
  /// @param action may suspend
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public Registration when(BooleanSupplier predicate, TaskAction action) {
    requireNonNull(action, "action is null");
    return Registration.once(scheduler, "when", unlooked(predicate), yes -> action.run());
  }

  /// Runs an action as long as a predicate is true: when the action has run, and the predicate is
  /// still or again true, it runs again; see [Registration]. Never a suspension point.
  ///
  /// @param predicate quick, and must not suspend; if it throws, that ends the registration and
  ///   goes to the failure handler
  /// @param action may suspend
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public Registration whenever(BooleanSupplier predicate, TaskAction action) {
    requireNonNull(action, "action is null");
    return Registration.always(scheduler, "whenever", unlooked(predicate), yes -> action.run());
  }

  /// Sends a signal to all who wait for it, when a predicate is true, once. Never a suspension
  /// point.
  ///
  /// @param predicate quick, and must not suspend; if it throws, that ends the registration and
  ///   goes to the failure handler
  /// @param signalName see [WaitForSignal]
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public Registration signalOnPredicate(BooleanSupplier predicate, String signalName) {
    requireNonNull(signalName, "signalName is null");
    WaitForSignal signals = WaitForSignal.on(scheduler);
    return Registration.once(
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

  // The list.

  void add(Condition.Watch<?> watch) {
    watch.listed = true;
    watch.sequence = ++lastSequence;
    watch.previous = last;
    if (last == null) {
      first = watch;
    } else {
      last.next = watch;
    }
    last = watch;
    size++;
    var _ = self.wake();
  }

  /// Returns whether it was there.
  boolean remove(Condition.Watch<?> watch) {
    if (!watch.listed) {
      return false;
    }
    watch.listed = false;
    Condition.Watch<?> before = watch.previous;
    Condition.Watch<?> after = watch.next;
    if (upcoming == watch) {
      upcoming = after;
    }
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
    watch.previous = null;
    watch.next = null;
    size--;
    if (first == null && idling) {
      var _ = self.wake(); // to suspend, lest the scheduler believes that there is something to see
    }
    return true;
  }
}
