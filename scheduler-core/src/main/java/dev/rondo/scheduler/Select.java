package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.Delay;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.TryWaiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Waits for the first of several events, and runs the handler of that event; the other events lose
/// nothing. A select can be run any number of times:
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
/// If several events are there when it is run, a *biased* select takes the first in the order of
/// its branches, so an event that is always there shuts out those behind it. A *fair* select takes
/// one of them at random; the same seed makes the same choices. The handler runs in the task that
/// runs the select, after the choice. It may suspend, and `run` throws what it throws.
///
/// For values instead of handlers, see [Scheduler#select] and [Waitable#anyOf].
///
/// Confined to the scheduler's thread.
public final class Select {

  /// Handles an event.
  ///
  /// @param <T> what it delivers
  @FunctionalInterface
  public interface Handler<T extends @Nullable Object> {

    /// Handles the event, in the task that runs the select.
    ///
    /// @param value what the event delivered
    /// @throws Exception anything; `run` throws it
    void handle(T value) throws Exception;
  }

  private final @Nullable RandomGenerator random;

  /// The events in order of preference, each mapped to its action.
  private final List<Waitable<Object>> branches = new ArrayList<>();

  private @Nullable Waitable<Object> limit;
  private @Nullable TaskAction<?> otherwise;

  /// The choice between all of them, as long as it is the same for each run.
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
  /// @param random chooses between events that are there at the same time; with a seed for
  ///   repeatable choices
  public static Select fair(RandomGenerator random) {
    return new Select(Objects.requireNonNull(random, "random"));
  }

  // Branches.

  /// Adds a branch: if its event comes first, the handler runs with the value of the event. Never a
  /// suspension point.
  ///
  /// @param <T> what it delivers
  /// @param event any
  /// @param handler may suspend
  /// @return this select
  public <T extends @Nullable Object> Select on(
      Waitable<? extends T> event, Handler<? super T> handler) {
    Objects.requireNonNull(handler, "handler");
    branches.add(event.map(value -> (TaskAction<?>) () -> handler.handle(value)));
    choice = null;
    return this;
  }

  /// Adds the branch that is taken if no event comes in time. The time starts with each run. Events
  /// that are there go first. Never a suspension point.
  ///
  /// @param timeout at least zero; centuries mean for ever
  /// @param action may suspend
  /// @return this select
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException if there is such a branch already, or one for `otherwise`
  public Select after(Duration timeout, TaskAction<?> action) {
    Objects.requireNonNull(action, "action");
    requireOneEnd();
    limit = Delay.of(timeout).map(nothing -> action);
    choice = null;
    return this;
  }

  /// Adds the branch that is taken if no event is there at once: with it the select itself never
  /// suspends. Never a suspension point.
  ///
  /// @param action may suspend
  /// @return this select
  /// @throws IllegalStateException if there is such a branch already, or one for a timeout
  public Select otherwise(TaskAction<?> action) {
    Objects.requireNonNull(action, "action");
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

  /// Waits until one of the events comes, and runs its handler, or the action for the case that
  /// none comes. A *possible* suspension point, as [Scheduler#await] is; with `otherwise` *never*
  /// one, except in the handler. A loop around such a select must yield by itself.
  ///
  /// If the task is scheduled directly meanwhile, the wait ends and no handler runs.
  ///
  /// @throws TaskCancelled if the task is cancelled; nothing stays registered, no event is lost
  /// @throws IllegalStateException if there is no branch, outside of a stackful task, or, with a
  ///   timeout, if the scheduler has no [TimerService]
  /// @throws Exception whatever the handler throws, or the event that came failed with
  public void run() throws Exception {
    Waitable<Object> events = events();
    Scheduler scheduler = Scheduler.current();
    TaskAction<?> ifNothing = otherwise;
    Object decided =
        ifNothing == null
            ? scheduler.await(events)
            : Objects.requireNonNullElse(now(scheduler, events), ifNothing);
    if (decided instanceof TaskAction<?> action) {
      action.run();
    }
  }

  /// What there is to do at once; null if no event is there.
  private static @Nullable Object now(Scheduler scheduler, Waitable<Object> events) {
    Task<?> task = scheduler.currentTask();
    if (task == null) {
      throw new IllegalStateException(
          "run of a select outside of a task: only a task can take an event; spawn one");
    }
    return TryWaiter.take(task, events);
  }

  private Waitable<Object> events() {
    Waitable<Object> known = choice;
    if (known != null) {
      return known;
    }
    List<Waitable<Object>> parts = new ArrayList<>(branches);
    if (random != null) {
      Collections.shuffle(parts, random);
    }
    if (limit != null) {
      parts.add(limit);
    }
    if (parts.isEmpty()) {
      throw new IllegalStateException("a select without branches: add one with on(..)");
    }
    Waitable<Object> all = Waitable.anyOf(parts);
    if (random == null) {
      choice = all;
    }
    return all;
  }
}
