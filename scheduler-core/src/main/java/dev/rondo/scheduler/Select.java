package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.Engine;
import java.time.Duration;
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
/// Confined to the scheduler's thread. Programs do not extend this class.
public abstract class Select {

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

  /// For the engine.
  protected Select() {}

  /// {@return a select that prefers its branches in the order they are added}
  public static Select biased() {
    return Engine.all().newSelect(null);
  }

  /// {@return a select that has no preferences}
  ///
  /// @param random chooses between events that have come at the same time; pass one with a seed for
  ///   repeatable choices
  public static Select fair(RandomGenerator random) {
    return Engine.all().newSelect(Objects.requireNonNull(random, "random is null"));
  }

  // Branches.

  /// Adds a branch: if its event comes first, the handler runs with the value of the event. Never a
  /// suspension point.
  ///
  /// @param <T> the type of the value that it delivers
  /// @param event any
  /// @param handler may suspend
  /// @return this select
  public abstract <T extends @Nullable Object> Select on(
      Waitable<? extends T> event, Handler<? super T> handler);

  /// Adds the branch that is taken if no event comes in time. The time starts with each run. Events
  /// that have already come take precedence. Never a suspension point.
  ///
  /// @param timeout at least zero; centuries mean for ever
  /// @param action may suspend
  /// @return this select
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException if there is such a branch already, or one for `otherwise`
  public abstract Select after(Duration timeout, TaskAction<?> action);

  /// Adds the branch that is taken if no event has come: with this branch the select itself never
  /// suspends. Never a suspension point.
  ///
  /// @param action may suspend
  /// @return this select
  /// @throws IllegalStateException if there is such a branch already, or one for a timeout
  public abstract Select otherwise(TaskAction<?> action);

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
  public abstract void run() throws Exception;

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
  public abstract int runReady() throws Exception;
}
