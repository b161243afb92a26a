package dev.rondo.condition.sync;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A result that is set once and that any number of tasks claim.
///
/// The first fulfilment wins, be it a value or a failure; a later one returns false and changes
/// nothing. A task that claims the promise before it is fulfilled waits; later claims return at
/// once. Fulfilling takes constant time, however many tasks wait; they run in the order they began
/// to wait. A promise that is closed before it is fulfilled is *abandoned*: its claims fail, so a
/// producer that holds the promise in a try-with-resources leaves no task waiting.
///
/// Any thread may call [#fulfill], [#fail], [#close], [#isDone] and the methods of
/// `CompletionStage`; the other methods are confined to the scheduler's thread. If only another
/// thread can fulfil the promise, the program has to hold a [Scheduler#keepAlive()] meanwhile:
/// otherwise tasks that claim it count as deadlocked.
///
/// A promise is a `CompletionStage`, for code that knows nothing of tasks. The first call of a
/// `CompletionStage` method makes a `CompletableFuture`. Dependent actions run on the thread that
/// fulfils the promise, inside that call, and must not suspend. A task must claim the promise: the
/// future's `join()` and `get()` fail with an [IllegalStateException] where they would block the
/// loop.
///
/// @param <T> the value
public final class Promise<T extends @Nullable Object> extends Synchronizer<T>
    implements StageView<T>, AutoCloseable {

  private static final VarHandle OUTCOME = handle("outcome", Outcome.class);
  private static final VarHandle VIEW = handle("view", CompletableFuture.class);

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(Promise.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Null until it is fulfilled. Compare-and-set by any thread, which then reads `view`.
  private volatile @Nullable Outcome<T> outcome;

  /// The stage's future, made when it is needed. Compare-and-set by any thread, which then reads
  /// `outcome`. So one of the two threads sees the other's write and completes the future.
  private volatile @Nullable CompletableFuture<T> view;

  /// Made when it is needed. Confined to the scheduler's thread.
  private @Nullable Settled<T> settled;

  /// Makes a promise that is not fulfilled. Never a suspension point. Any thread.
  ///
  /// @param scheduler whose tasks claim it
  /// @param name shown in reports
  public Promise(Scheduler scheduler, String name) {
    super(scheduler, "promise", name);
  }

  // Fulfilling. Any thread.

  /// Sets the value. If a thread other than the scheduler's calls this, the claiming tasks wake up
  /// shortly afterwards. Never a suspension point. Any thread.
  ///
  /// @param value the result of all claims
  /// @return false, with no effect, if it was fulfilled, failed or closed before
  public boolean fulfill(T value) {
    return settle(new Outcome.Success<>(value));
  }

  /// Sets a failure. Never a suspension point. Any thread.
  ///
  /// @param failure thrown by all claims: the same object
  /// @return false, with no effect, if it was fulfilled, failed or closed before
  public boolean fail(Throwable failure) {
    return settle(new Outcome.Failure<>(requireNonNull(failure, "failure is null")));
  }

  /// Abandons the promise: all claims, present and later, fail with an [AbandonedException]. Does
  /// nothing if it is fulfilled. Never a suspension point. Any thread.
  @Override
  public void close() {
    if (outcome == null) {
      var _ =
          fail(new AbandonedException("%s was closed without a value or failure".formatted(this)));
    }
  }

  private boolean settle(Outcome<T> result) {
    if (scheduler.host().isOnThread()) {
      scheduler.host().checkThread(); // that the stack has room to wake the waiters
    }
    if (!OUTCOME.compareAndSet(this, null, result)) {
      return false;
    }
    if (scheduler.currentTask() != null || scheduler.inMainTask()) {
      wakeWaiters(result);
    } else {
      boolean _ = scheduler.post(() -> wakeWaiters(result)); // refused if no task is left
    }
    CompletableFuture<T> made = view;
    if (made != null) {
      complete(made, result);
    }
    return true;
  }

  private void wakeWaiters(Outcome<T> result) {
    if (result instanceof Outcome.Success<T> success) { // a switch needs much stack to be linked
      var _ = waiters.fireAll(success.value());
    } else if (result instanceof Outcome.Failure<T> failure) { // it is never cancelled
      var _ = waiters.failAll(failure.cause());
    }
    if (settled != null) {
      var _ = settled.waiters.fireAll(this);
    }
  }

  // Claiming.

  /// Waits until the promise is fulfilled. A *possible* suspension point: none if it is fulfilled
  /// already, unless the turn's budget is spent.
  ///
  /// @return the value
  /// @throws RuntimeException the failure itself, checked or not
  /// @throws AbandonedException if the promise was closed before it was fulfilled
  /// @throws IllegalStateException outside a stackful task
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile
  /// @throws TaskCancelled if the task is cancelled; it no longer waits
  public T claim() {
    return awaitThis();
  }

  /// Waits until all promises are fulfilled, with a value or a failure. A *possible* suspension
  /// point.
  ///
  /// @param <T> the values
  /// @param promises any number; returns at once if there is none
  /// @return their values, in this order
  /// @throws RuntimeException the failure of the first promise in this order that failed
  /// @throws IllegalStateException outside a stackful task
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile
  public static <T extends @Nullable Object> List<T> awaitAll(
      List<? extends Promise<? extends T>> promises) {
    requireAll(promises);
    for (Promise<?> promise : promises) {
      promise.awaitSettled();
    }
    var values = new ArrayList<T>(promises.size());
    for (Promise<? extends T> promise : promises) {
      values.add(promise.claim());
    }
    return values;
  }

  private void awaitSettled() {
    var _ = scheduler.host().awaitEvent(settled());
  }

  /// Waits until one of several promises is fulfilled, with a value or a failure. A *possible*
  /// suspension point.
  ///
  /// @param <T> the values
  /// @param promises at least one
  /// @return the first promise in this order that is then fulfilled
  /// @throws IllegalArgumentException if there is none
  /// @throws IllegalStateException outside a stackful task
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile
  public static <T extends @Nullable Object> Promise<T> awaitAny(List<Promise<T>> promises) {
    requireAll(promises);
    if (promises.isEmpty()) {
      throw new IllegalArgumentException(
          "awaitAny of no promise would wait for ever: give at least one");
    }
    Waitable<Promise<T>> any = Waitable.anyOf(promises.stream().map(Promise::settled).toList());
    Promise<T> came = promises.getFirst().scheduler.host().awaitEvent(any);
    return pickReady(promises).orElse(came);
  }

  /// {@return the first promise that is fulfilled, if any} Never a suspension point. Any thread.
  ///
  /// @param <T> the values
  /// @param promises any number
  public static <T extends @Nullable Object> Optional<Promise<T>> pickReady(
      List<Promise<T>> promises) {
    requireAll(promises);
    return promises.stream().filter(Promise::isDone).findFirst();
  }

  /// {@return the promises that are not fulfilled, in the same order} Never a suspension point. Any
  /// thread.
  ///
  /// @param <T> the values
  /// @param promises any number
  public static <T extends @Nullable Object> List<Promise<T>> onlyPending(
      List<Promise<T>> promises) {
    requireAll(promises);
    return promises.stream().filter(promise -> !promise.isDone()).toList();
  }

  private static void requireAll(List<? extends Promise<?>> promises) {
    requireNonNull(promises, "promises is null");
    promises.forEach(each -> requireNonNull(each, "promise is null"));
  }

  /// {@return the fulfilment as an event, with a value or a failure} A wait for it results in the
  /// promise and never fails with the promise's failure.
  public Waitable<Promise<T>> settled() {
    scheduler.host().checkThread();
    if (settled == null) {
      settled = new Settled<>(this);
    }
    return settled;
  }

  // Looking.

  /// {@return whether it has been fulfilled, failed or closed} Any thread.
  public boolean isDone() {
    return outcome != null;
  }

  /// {@return its value or failure; null while it is not fulfilled, as with `Task.outcome()`} Any
  /// thread.
  public @Nullable Outcome<T> outcome() {
    return outcome;
  }

  /// {@return the number of tasks that wait for it or for [#settled()]}
  @Override
  public int waiterCount() {
    return super.waiterCount() + (settled == null ? 0 : settled.waiterCount());
  }

  // As a stage.

  /// {@return a future that completes when this promise is fulfilled} Completing or cancelling the
  /// future has no effect on the promise. Until the promise is fulfilled, `join` and `get` of the
  /// future and its dependent futures fail with an [IllegalStateException] where they would block
  /// the scheduler's thread. Any thread.
  @Override
  public CompletableFuture<T> toCompletableFuture() {
    CompletableFuture<T> copy =
        TaskControl.of(scheduler.host())
            .newFuture(() -> "the future of " + this, "claim the promise");
    var _ =
        view()
            .whenComplete((value, failure) -> { // copy() would wrap the failure
              var _ = failure == null ? copy.complete(value) : copy.completeExceptionally(failure);
            });
    return copy;
  }

  private CompletableFuture<T> view() {
    CompletableFuture<T> present = view;
    if (present != null) {
      return present;
    }
    var made = new CompletableFuture<T>();
    if (!VIEW.compareAndSet(this, null, made)) {
      return view();
    }
    Outcome<T> result = outcome;
    if (result != null) {
      complete(made, result);
    }
    return made;
  }

  private static <T extends @Nullable Object> void complete(
      CompletableFuture<T> future, Outcome<T> result) {
    var _ =
        switch (result) {
          case Outcome.Success<T>(T value) -> future.complete(value);
          case Outcome.Failure<T>(Throwable cause) -> future.completeExceptionally(cause);
          case Outcome.Cancelled<T>(TaskCancelled cause) -> future.completeExceptionally(cause);
        };
  }

  // Being awaited.

  @Override
  public boolean poll(Waiter<? super T> waiter) {
    scheduler.host().checkThread();
    Outcome<T> result = outcome;
    if (result instanceof Outcome.Failure<T> failure) {
      return waiter.fail(failure.cause());
    }
    return result instanceof Outcome.Success<T> success && waiter.fire(success.value());
  }

  /// The fulfilment, with a value or a failure.
  private static final class Settled<T extends @Nullable Object> extends Synchronizer<Promise<T>> {

    private final Promise<T> promise;

    Settled(Promise<T> promise) {
      super(promise.scheduler, "fulfilment of promise", promise.name(), new WaitQueue<>());
      this.promise = promise;
    }

    @Override
    public boolean poll(Waiter<? super Promise<T>> waiter) {
      scheduler.host().checkThread();
      return promise.isDone() && waiter.fire(promise);
    }
  }
}
