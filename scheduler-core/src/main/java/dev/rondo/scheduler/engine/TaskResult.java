package dev.rondo.scheduler.engine;

import com.google.common.util.concurrent.ListenableFuture;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The result of a [Task], for all threads: for joining tasks, waiting threads and listeners. The
/// scheduler's thread settles it once. Any thread may read it or wait for it.
///
/// The field `completion` holds null, then a stack of listeners, then the [Outcome]. This class is
/// a superclass of the task, and not a separate object, to save memory: there may be a million
/// tasks.
///
/// @param <T> the type of the result of the task
abstract sealed class TaskResult<T extends @Nullable Object>
    implements ListenableFuture<T>, Source<T> permits TaskCore {

  /// An action to run at the end. Immutable.
  private record Listener(Runnable action, @Nullable Listener before) {}

  /// A listener for code that may have given up its wait. It calls [#taken()] if code receives the
  /// outcome. All other listeners receive the outcome.
  public interface Tentative extends Runnable {

    /// Called when the result is settled.
    ///
    /// @return whether code waits that may still give up; if it does, it calls [#givenUp()]
    boolean ended();

    @Override
    default void run() {
      boolean _ = ended();
    }
  }

  /// The outcome of all tasks without a result.
  private static final Outcome<@Nullable Object> NULL = new Outcome.Success<>(null);

  private static final VarHandle COMPLETION;

  static {
    try {
      COMPLETION =
          MethodHandles.lookup().findVarHandle(TaskResult.class, "completion", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Null or [Listener]: compare-and-set by any thread. [Outcome]: compare-and-set by the
  /// scheduler's thread, and by other threads only if no turn can come any more.
  private volatile @Nullable Object completion;

  /// Whether code has received the outcome, if it is not a success.
  private volatile boolean taken;

  /// Whether code waited for the outcome when the task ended, and may have given up since.
  boolean awaited;

  /// The loop of the task's scheduler.
  public final Loop loop;

  /// The waiters of joining tasks: null, one [Waiter], or a [WaitQueue] of several.
  private @Nullable Object joiners;

  TaskResult(Loop loop) {
    this.loop = loop;
  }

  /// The outcome of a task that has returned a value.
  @SuppressWarnings("unchecked") // null is of each type that admits it
  public static <T extends @Nullable Object> Outcome<T> success(T value) {
    return value == null ? (Outcome<T>) NULL : new Outcome.Success<>(value);
  }

  final TaskCore<T> self() {
    return (TaskCore<T>) this;
  }

  // Settling the result, and waiting for it.

  public abstract String name();

  @Override
  public final boolean isDone() {
    return isOutcome(completion);
  }

  /// Whether a completion is an [Outcome]. The code tests for the opposite, which is faster: the
  /// JVM compares the class of a record with one instruction, but searches a table for an
  /// interface.
  private static boolean isOutcome(@Nullable Object seen) {
    return seen != null && !(seen instanceof Listener);
  }

  /// Settles the result, and calls the listeners in the order in which they were added. Does
  /// nothing if the result is settled already.
  ///
  /// @return whether any listener has received the outcome
  public final boolean complete(Outcome<T> outcome) {
    Object seen;
    do {
      seen = completion;
      if (isOutcome(seen)) {
        return false;
      }
    } while (!COMPLETION.compareAndSet(this, seen, outcome));
    Listener oldest = null;
    for (var each = (Listener) seen; each != null; each = each.before) {
      oldest = new Listener(each.action, oldest);
    }
    boolean received = false;
    for (Listener each = oldest; each != null; each = each.before) {
      if (each.action instanceof Tentative tentative) {
        awaited |= tentative.ended();
      } else {
        received = true;
        each.action.run();
      }
    }
    return received || (oldest != null && taken);
  }

  /// Runs an action when the result is settled, or at once if it is settled already.
  public final void whenSettled(Runnable action) {
    while (true) {
      Object seen = completion;
      if (seen instanceof Outcome<?>) {
        if (!(action instanceof Tentative)) {
          var _ = taken();
        }
        action.run();
        return;
      }
      if (COMPLETION.compareAndSet(this, seen, new Listener(action, (Listener) seen))) {
        listened();
        return;
      }
    }
  }

  /// Called when a listener was added, on the thread that has added it.
  void listened() {}

  /// Whether there are listeners and the result is not settled yet.
  final boolean isListened() {
    return completion instanceof Listener;
  }

  @SuppressWarnings("unchecked")
  final Outcome<T> settled() {
    if (completion instanceof Outcome<?> settled) {
      return (Outcome<T>) settled;
    }
    throw new IllegalStateException("the task has not ended");
  }

  /// The listener of a class. Adds a listener if there is none of that class. Any thread.
  public final <L extends Runnable> L sharedListener(Class<L> type, Supplier<L> make) {
    for (Object each = completion; each instanceof Listener listener; each = listener.before) {
      if (type.isInstance(listener.action)) {
        return type.cast(listener.action);
      }
    }
    L made = make.get();
    whenSettled(made);
    return made;
  }

  /// {@return the outcome, which code receives now}
  public final Outcome<T> taken() {
    Outcome<T> outcome = settled();
    if (!(outcome instanceof Outcome.Success<T>)) { // for a success no code asks
      taken = true;
    }
    return outcome;
  }

  /// Whether code has received the outcome, if it is not a success. Any thread.
  final boolean isTaken() {
    return taken;
  }

  /// Called when code that waited for the outcome has given up before it received it. The failure
  /// is reported if no other code has received it. Any thread.
  public final void givenUp() {
    if (Loop.current() == loop && loop.isCaller()) {
      takeAwaited();
    } else {
      boolean _ = loop.post(this::takeAwaited); // refused: the scheduler is closed
    }
  }

  private void takeAwaited() {
    if (awaited && !taken && !self().isAddOn()) { // the failure of an add-on was reported at once
      awaited = false;
      Failures failures = loop.failures;
      failures.takeOutcome(self(), settled(), false);
    }
  }

  /// Returns the value, or throws the exception that a joining task receives.
  public final T value() {
    Outcome<T> outcome = taken();
    if (outcome instanceof Outcome.Success<T> success) {
      return success.value();
    }
    throw Throwables.ofJoin(name(), outcome);
  }

  private boolean fire(Outcome<T> outcome, Waiter<? super T> waiter) {
    if (outcome instanceof Outcome.Success<T> success) { // on the hot path of a join
      return WaiterCore.settle(waiter, success.value(), null, Place.BACK);
    }
    var failure = new Throwables.DeferredFailure(() -> Throwables.ofJoin(name(), outcome));
    return WaiterCore.settle(waiter, null, failure, Place.BACK);
  }

  // Joining.

  public final T join() {
    if (loop.isCaller() && loop.currentTask() instanceof StackfulTask<?> current) {
      return current.awaitEvent(this);
    }
    return isDone() ? value() : Rooms.all().join(self());
  }

  @Override
  public final T get() throws InterruptedException, ExecutionException {
    return Rooms.all().get(self());
  }

  @Override
  public final T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return Rooms.all().get(self(), timeout, Objects.requireNonNull(unit, "unit is null"));
  }

  public final @Nullable Outcome<T> outcome() {
    return isDone() ? settled() : null;
  }

  @Override
  public final boolean isCancelled() {
    return isDone() && settled() instanceof Outcome.Cancelled<?>;
  }

  @Override
  public final void addListener(Runnable listener, Executor executor) {
    Objects.requireNonNull(listener, "listener is null");
    Objects.requireNonNull(executor, "executor is null");
    whenSettled(() -> {
      try {
        executor.execute(listener);
      } catch (Throwable e) {
        loop.report("listener of task '" + name() + "'", e);
      }
    });
  }

  public final CompletableFuture<T> toCompletableFuture() {
    return Rooms.all().future(self());
  }

  // Settling.

  /// Gives the outcome to all waiters and listeners.
  ///
  /// @return whether any waiter or listener has received it
  final boolean settle(Outcome<T> outcome) {
    boolean listened = complete(outcome);
    boolean joined = joiners != null && fireJoiners(outcome);
    return listened || joined;
  }

  @SuppressWarnings("unchecked") // only waiters for this T are armed
  private boolean fireJoiners(Outcome<T> outcome) {
    Object waiting = joiners;
    joiners = null;
    if (waiting instanceof Waiter<?> one) {
      return fire(outcome, (Waiter<? super T>) one);
    }
    boolean fired = false;
    if (waiting instanceof WaitQueue<?> several) {
      for (Waiter<?> each; (each = several.poll()) != null; ) {
        fired |= fire(outcome, (Waiter<? super T>) each);
      }
    }
    return fired;
  }

  // Being awaited.

  @Override
  public final boolean poll(Waiter<? super T> waiter) {
    return isDone() && fire(taken(), waiter);
  }

  @Override
  public final void arm(Waiter<? super T> waiter) {
    TaskCore<?> joiner = TaskCore.of(waiter.task());
    if (joiner.loop != loop) {
      throw new IllegalStateException(
          "task '"
              + joiner.name()
              + "' awaits task '"
              + name()
              + "' of another scheduler: await scheduler.completion(task) instead");
    }
    if (joiner == this) {
      throw new IllegalStateException("task '" + name() + "' awaits its own end");
    }
    if (!poll(waiter)) {
      addJoiner(waiter);
    }
  }

  @SuppressWarnings("unchecked") // only waiters for this T are armed
  private void addJoiner(Waiter<? super T> waiter) {
    if (joiners == null) {
      joiners = waiter;
    } else if (joiners instanceof WaitQueue<?> several) {
      ((WaitQueue<T>) several).add(waiter);
    } else {
      var several = new WaitQueue<T>();
      several.add((Waiter<? super T>) joiners);
      several.add(waiter);
      joiners = several;
    }
  }

  @Override
  public final void disarm(Waiter<? super T> waiter) {
    if (joiners == waiter) {
      joiners = null;
    } else if (joiners instanceof WaitQueue<?> several) {
      several.remove(waiter);
    }
  }

  @Override
  public final boolean isEager() {
    return false;
  }

  @Override
  public final TaskCore<?> holder() {
    return (TaskCore<T>) this;
  }
}
