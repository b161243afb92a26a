package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.CancelScope;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.Generator;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.Instrument;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The methods of the engine that the face [Scheduler] calls, and its builder and parts. See
/// [Faces], which has the methods that waits call. They are two classes because events do not
/// depend on schedulers.
public abstract class Engine extends Faces {

  /// For [Rooms].
  Engine() {}

  /// {@return the engine}
  public static Engine all() {
    return (Engine) Faces.all();
  }

  // The types that faces permit.

  /// A [Scheduler] is one of these.
  public abstract static non-sealed class Whole extends Scheduler {}

  /// The host of a scheduler's add-ons.
  public abstract static non-sealed class Host implements AddOnHost {

    /// Makes add-ons ready that want to look once more before a run ends or is deadlocked.
    ///
    /// @param again whether the add-ons have just looked, and this run has had no other work since
    /// @return whether there is such an add-on
    protected abstract boolean beginLastLook(boolean again);
  }

  // The methods that faces call.

  /// See [dev.rondo.scheduler.SchedulerBuilder#build()].
  public abstract Scheduler scheduler(Settings settings);

  /// The scheduler that is running on this thread; null if there is none.
  public abstract @Nullable Scheduler currentOrNull();

  /// The scheduler that is running on this thread.
  ///
  /// @throws IllegalStateException if none is
  public final Scheduler current() {
    Scheduler current = currentOrNull();
    if (current == null) {
      throw new IllegalStateException(
          "no scheduler is running on thread '%s': this call is for code inside of a task"
              .formatted(Thread.currentThread().getName()));
    }
    return current;
  }

  /// Makes a group, on the thread of its scheduler.
  public abstract <T extends @Nullable Object> TaskGroup<T> group(
      Scheduler scheduler, String name, TaskGroup.Policy policy);

  /// Makes a scope, on the thread of its scheduler.
  public abstract CancelScope scope(Scheduler scheduler, String name);

  /// Makes a generator.
  public abstract <T extends @Nullable Object> Generator<T> generator(
      Scheduler scheduler, String name, Generator.Body<T> body);

  /// A select without branches.
  ///
  /// @param random chooses between events that have come; null if the first branch is preferred
  public abstract Select newSelect(@Nullable RandomGenerator random);

  /// The instruments of a scheduler: those that the class path provides, followed by its own.
  ///
  /// @throws IllegalStateException if an instrument cannot be loaded
  public abstract List<Instrument> instruments(List<Instrument> own);

  /// The handler of failures that a scheduler has if its builder sets none.
  public abstract FailureHandler failureLog();
}
