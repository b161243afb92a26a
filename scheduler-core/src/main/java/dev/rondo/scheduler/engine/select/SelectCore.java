package dev.rondo.scheduler.engine.select;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.internal.rooms.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The implementation of [Select]: a choice between branches, each mapped to its action.
public final class SelectCore extends Select {

  private final @Nullable RandomGenerator random;

  /// The events in order of preference, each mapped to its action.
  private final List<Waitable<Object>> branches = new ArrayList<>();

  private @Nullable Waitable<Object> limit;
  private @Nullable TaskAction<?> otherwise;

  /// The choice between all branches, if each run has the same one; null if it must be made.
  private @Nullable Waitable<Object> choice;

  private SelectCore(@Nullable RandomGenerator random) {
    this.random = random;
  }

  /// {@return a select without branches}
  ///
  /// @param random chooses between events that have come at the same time; null if the first branch
  ///   is preferred
  public static Select of(@Nullable RandomGenerator random) {
    return new SelectCore(random);
  }

  // Branches.

  @Override
  public <T extends @Nullable Object> Select on(
      Waitable<? extends T> event, Handler<? super T> handler) {
    Objects.requireNonNull(event, "event is null");
    Objects.requireNonNull(handler, "handler is null");
    branches.add(event.map(value -> (TaskAction<?>) () -> handler.handle(value)));
    choice = null;
    return this;
  }

  @Override
  public Select after(Duration timeout, TaskAction<?> action) {
    Objects.requireNonNull(timeout, "timeout is null");
    Objects.requireNonNull(action, "action is null");
    requireOneEnd();
    limit = Delay.of(timeout).map(nothing -> action);
    choice = null;
    return this;
  }

  @Override
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

  @Override
  public void run() throws Exception {
    Waitable<Object> events = events();
    ((TaskAction<?>) decided(Scheduler.current(), events)).run();
  }

  @Override
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
    TaskCore<?> self = current(scheduler);
    for (Waitable<Object> each : ordered) {
      if (each != first.branch() && TryWaiter.take(self, each) instanceof TaskAction<?> action) {
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
        : Objects.requireNonNullElse(TryWaiter.take(current(scheduler), events), ifNothing);
  }

  private static TaskCore<?> current(Scheduler scheduler) {
    Task<?> task = scheduler.currentTask();
    if (task == null) {
      throw new IllegalStateException(
          "run of a select outside of a task: only a task can take an event; spawn one");
    }
    return TaskCore.of(task);
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
