package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.Delay;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.Faces;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Waits for the first of several events, and runs the handler of that event. The other events are
/// not lost. A select can be run any number of times:
///
/// ```java
/// var select =
///     Select.biased()
///         .on(orders.receiving(), order -> ship(order))
///         .on(socket.readable(), ready -> answer(ready))
///         .after(Duration.ofSeconds(5), () -> log("nothing to do"));
/// while (open) {
///   select.run();
/// }
/// ```
///
/// If several events have come when a select is run, a *biased* select takes the first in the order
/// of its branches. So an event that has always come starves the branches behind it. A *fair*
/// select takes one of the events at random; the same seed makes the same choices. The handler runs
/// in the task that runs the select, after the choice. It may suspend, and `run` throws its
/// exceptions. [#runReady()] runs the handlers of all events that have come, not only the handler
/// of the first.
///
/// Where possible, build a biased select once and run it repeatedly. It then polls and arms only
/// the channels and signals that have changed since its last run, see
/// [dev.rondo.scheduler.addon.Source#mayStayArmed()], and costs less than a new select for each
/// run.
///
/// For values instead of handlers, see [Scheduler#select] and [Waitable#anyOf].
///
/// Confined to the scheduler's thread.
public final class Select {

  /// Handles an event.
  ///
  /// @param <T> the type of the value that it delivers
  @FunctionalInterface
  public interface Handler<T extends @Nullable Object> {

    /// Handles the event, in the task that runs the select.
    ///
    /// @param value what the event delivered
    /// @throws Exception any failure; `run` throws it
    void handle(T value) throws Exception;
  }

  private final @Nullable RandomGenerator random;

  /// The events in order of preference, each mapped to its action.
  private final List<Waitable<Object>> branches = new ArrayList<>();

  private @Nullable Waitable<Object> limit;
  private @Nullable TaskAction<?> otherwise;

  /// The choice between all branches, if each run has the same one; null if it must be made.
  private @Nullable Waitable<Object> choice;

  private Select(@Nullable RandomGenerator random) {
    this.random = random;
  }

  /// {@return a select that prefers its branches in the order they are added}
  public static Select biased() {
    return new Select(null);
  }

  /// {@return a select that has no preferences}
  ///
  /// @param random chooses between events that have come at the same time; pass one with a seed for
  ///   repeatable choices
  public static Select fair(RandomGenerator random) {
    return new Select(Objects.requireNonNull(random, "random is null"));
  }

  // Branches.

  /// Adds a branch: if its event comes first, the handler runs with the value of the event. Never a
  /// suspension point.
  ///
  /// @param <T> the type of the value that it delivers
  /// @param event any
  /// @param handler may suspend
  /// @return this select
  public <T extends @Nullable Object> Select on(
      Waitable<? extends T> event, Handler<? super T> handler) {
    Objects.requireNonNull(event, "event is null");
    Objects.requireNonNull(handler, "handler is null");
    branches.add(event.map(value -> (TaskAction<?>) () -> handler.handle(value)));
    choice = null;
    return this;
  }

  /// Adds the branch that is taken if no event comes in time. The time starts with each run. Events
  /// that have already come take precedence. Never a suspension point.
  ///
  /// @param timeout at least zero; centuries mean for ever
  /// @param action may suspend
  /// @return this select
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException if there is such a branch already, or one for `otherwise`
  public Select after(Duration timeout, TaskAction<?> action) {
    Objects.requireNonNull(timeout, "timeout is null");
    Objects.requireNonNull(action, "action is null");
    requireOneEnd();
    limit = Delay.of(timeout).map(nothing -> action);
    choice = null;
    return this;
  }

  /// Adds the branch that is taken if no event has come: with this branch the select itself never
  /// suspends. Never a suspension point.
  ///
  /// @param action may suspend
  /// @return this select
  /// @throws IllegalStateException if there is such a branch already, or one for a timeout
  public Select otherwise(TaskAction<?> action) {
    Objects.requireNonNull(action, "action is null");
    requireOneEnd();
    otherwise = action;
    return this;
  }

  private void requireOneEnd() {
    if (limit != null || otherwise != null) {
      throw new IllegalStateException(
          "a select has one branch for when nothing comes: after(..) or otherwise(..), once");
    }
  }

  // Running.

  /// Waits until one of the events comes, and runs its handler. If none comes, runs the action of
  /// `after` or `otherwise`. A *possible* suspension point, as [Scheduler#await] is. With
  /// `otherwise` *never* a suspension point, except in the handler: a loop around such a select
  /// must yield.
  ///
  /// @throws TaskCancelled if the task is cancelled; nothing stays registered, no event is lost
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; no handler runs
  /// @throws IllegalStateException if there is no branch, outside of a stackful task, or, with a
  ///   timeout, if the scheduler has no [TimerService]
  /// @throws Exception the exception of the handler, or the failure of the event
  public void run() throws Exception {
    Waitable<Object> events = events();
    ((TaskAction<?>) decided(Scheduler.current(), events)).run();
  }

  /// Waits until one of the events comes, and runs the handlers of all events that have come by
  /// then. The handler of the event that ended the wait runs first. The handlers of the other
  /// events follow in the order of the branches, each at most once. So no event starves another. If
  /// no event comes, runs the action of `after` or `otherwise`. Suspends as [#run()] does.
  ///
  /// Each event is taken just before its handler runs. So if a handler throws, or the task is
  /// cancelled in a handler, the later events are not taken, and the next select finds them. A
  /// branch that only observes a state (`socket.readable()`, a task that has ended) takes nothing.
  ///
  /// @return the number of events that had come; 0 if none came
  /// @throws TaskCancelled if the task is cancelled; nothing stays registered, no event is lost
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; no handler runs
  /// @throws IllegalStateException as [#run()] does
  /// @throws Exception the exception of the first handler that fails, or the failure of its event
  public int runReady() throws Exception {
    List<Waitable<Object>> ordered = ordered();
    var parts = new ArrayList<Waitable<Object>>();
    for (Waitable<Object> each : ordered) {
      parts.add(each.map(action -> new Came(each, (TaskAction<?>) action)));
    }
    Scheduler scheduler = Scheduler.current();
    Object decided = decided(scheduler, choiceOf(parts));
    if (!(decided instanceof Came first)) {
      ((TaskAction<?>) decided).run();
      return 0;
    }
    first.action().run();
    int there = 1;
    Task<?> self = current(scheduler);
    for (Waitable<Object> each : ordered) {
      if (each != first.branch() && Faces.all().take(self, each) instanceof TaskAction<?> action) {
        there++;
        action.run();
      }
    }
    return there;
  }

  /// The event that ended a wait, and its action.
  private record Came(Waitable<Object> branch, TaskAction<?> action) {}

  /// Waits for the choice; with `otherwise` only polls it.
  private Object decided(Scheduler scheduler, Waitable<Object> events) {
    TaskAction<?> ifNothing = otherwise;
    return ifNothing == null
        ? scheduler.host().awaitEvent(events)
        : Objects.requireNonNullElse(Faces.all().take(current(scheduler), events), ifNothing);
  }

  private static Task<?> current(Scheduler scheduler) {
    Task<?> task = scheduler.currentTask();
    if (task == null) {
      throw new IllegalStateException(
          "run of a select outside of a task: only a task can take an event; spawn one");
    }
    return task;
  }

  private Waitable<Object> events() {
    Waitable<Object> known = choice;
    if (known != null) {
      return known;
    }
    Waitable<Object> all = choiceOf(ordered());
    if (random == null) {
      choice = all;
    }
    return all;
  }

  /// The branches in the order in which a run prefers them.
  private List<Waitable<Object>> ordered() {
    List<Waitable<Object>> parts = new ArrayList<>(branches);
    if (random != null) {
      Collections.shuffle(parts, random);
    }
    return parts;
  }

  /// The first of the events, or the limit.
  private Waitable<Object> choiceOf(List<Waitable<Object>> parts) {
    if (limit != null) {
      parts.add(limit);
    }
    if (parts.isEmpty()) {
      throw new IllegalStateException("a select without branches: add one with on(..)");
    }
    return Waitable.anyOf(parts);
  }
}
