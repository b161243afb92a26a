package dev.rondo.condition.sync;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A result that somebody will give, once, and that any number of tasks claim.
///
/// The first fulfilment wins, be it a value or a failure; a later one answers false and changes
/// nothing. Whoever claims it before waits, whoever does afterwards has it at once. Fulfilling
/// takes the same time however many wait; they run in the order they began to. One that is closed
/// before it was fulfilled is *abandoned*: claimers are told, so a producer that holds it in a
/// try-with-resources leaves nobody waiting.
///
/// [#fulfill], [#fail], [#close], [#isDone] and the methods of `CompletionStage` are for any
/// thread, the rest is confined to the scheduler's. While another thread is the only one that will
/// fulfil it, say so with [Scheduler#keepAlive()], or its claimers are a deadlock.
///
/// It is a `CompletionStage` so that it can be handed to what knows nothing of tasks, by way of a
/// `CompletableFuture` that is made when the first of those methods is called. Their actions run on
/// the thread that fulfils it, inside that call, and must not suspend; `join()` of such a future in
/// a task would block the loop: claim the promise.
///
/// @param <T> what it results in
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

  /// Null until it is fulfilled. Compare-and-set by any thread, before that reads `view`.
  private volatile @Nullable Outcome<T> outcome;

  /// For who wants a stage. Compare-and-set by any thread, before that reads `outcome`: so one of
  /// the two sees the other and completes it.
  private volatile @Nullable CompletableFuture<T> view;

  /// For who does not want its value; made when somebody asks. Confined to the scheduler's thread.
  private @Nullable Settled<T> settled;

  /// One that is not fulfilled. Never a suspension point. Any thread.
  ///
  /// @param <T> what it is fulfilled with
  /// @param scheduler whose tasks claim it
  /// @param name shown in reports
  /// @return the promise
  public static <T extends @Nullable Object> Promise<T> create(Scheduler scheduler, String name) {
    return new Promise<>(scheduler, name);
  }

  private Promise(Scheduler scheduler, String name) {
    super(scheduler, "promise", name);
  }

  // Fulfilling. Any thread.

  /// Gives it its value. From another thread than the scheduler's the claimers are woken a moment
  /// later. Never a suspension point. Any thread.
  ///
  /// @param value what claims result in
  /// @return false, and no effect, if it was fulfilled, failed or closed before
  public boolean fulfill(T value) {
    return settle(new Outcome.Success<>(value));
  }

  /// Gives it a failure. Never a suspension point. Any thread.
  ///
  /// @param failure what claims throw, as it is: every claim the same object
  /// @return false, and no effect, if it was fulfilled, failed or closed before
  public boolean fail(Throwable failure) {
    return settle(new Outcome.Failure<>(requireNonNull(failure, "failure is null")));
  }

  /// Nobody will fulfil it: claimers get an [AbandonedException], those that wait included. Does
  /// nothing if it was fulfilled. Never a suspension point. Any thread.
  @Override
  public void close() {
    if (outcome == null) {
      var _ =
          fail(new AbandonedException("%s was closed without a value or failure".formatted(this)));
    }
  }

  private boolean settle(Outcome<T> result) {
    if (!OUTCOME.compareAndSet(this, null, result)) {
      return false;
    }
    if (scheduler.currentTask() != null || scheduler.inMainTask()) {
      tellWaiters(result);
    } else {
      boolean _ =
          scheduler.host().post(() -> tellWaiters(result)); // refused: nobody waits any more
    }
    CompletableFuture<T> made = view;
    if (made != null) {
      complete(made, result);
    }
    return true;
  }

  private void tellWaiters(Outcome<T> result) {
    switch (result) {
      case Outcome.Success<T>(T value) -> {
        var _ = waiters.fireAll(value);
      }
      case Outcome.Failure<T>(Throwable cause) -> {
        var _ = waiters.failAll(cause);
      }
      case Outcome.Cancelled<T>(TaskCancelled cause) -> {
        var _ = waiters.failAll(cause);
      }
    }
    if (settled != null) {
      var _ = settled.waiters.fireAll(this);
    }
  }

  // Claiming.

  /// Waits until it is fulfilled. A *possible* suspension point: none if it is already, but when
  /// the budget of the turn is spent.
  ///
  /// @return its value
  /// @throws RuntimeException its failure, as it is, checked or not
  /// @throws AbandonedException if it was closed without having been fulfilled
  /// @throws IllegalStateException outside of a stackful task, or if the wait was ended by
  ///   `scheduleTask`
  /// @throws TaskCancelled if the task is cancelled; it does not wait any more
  public T claim() {
    var _ = awaitThis();
    if (outcome instanceof Outcome.Success<T>(T value)) {
      return value;
    }
    throw endedBySomebody(); // a failure would have come out of the wait
  }

  /// Waits until all are fulfilled, with a value or a failure. A *possible* suspension point.
  ///
  /// @param <T> what they result in
  /// @param promises any number; none is done at once
  /// @return their values, in this order
  /// @throws RuntimeException the failure of the first in this order that failed, as it is
  /// @throws IllegalStateException outside of a stackful task, or if a wait was ended by
  ///   `scheduleTask`
  public static <T extends @Nullable Object> List<T> awaitAll(
      List<? extends Promise<? extends T>> promises) {
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
    var _ = awaited(scheduler, settled());
    if (outcome == null) {
      throw endedBySomebody();
    }
  }

  /// Waits until one of them is fulfilled, with a value or a failure. A *possible* suspension
  /// point.
  ///
  /// @param <T> what they result in
  /// @param promises at least one
  /// @return the first to be; of those that are already the first in this order
  /// @throws IllegalArgumentException if there is none
  /// @throws IllegalStateException outside of a stackful task, or if the wait was ended by
  ///   `scheduleTask`
  public static <T extends @Nullable Object> Promise<T> awaitAny(List<Promise<T>> promises) {
    if (promises.isEmpty()) {
      throw new IllegalArgumentException(
          "awaitAny of no promise would wait for ever: give at least one");
    }
    Waitable<Promise<T>> any = Waitable.anyOf(promises.stream().map(Promise::settled).toList());
    var _ = awaited(promises.getFirst().scheduler, any);
    Promise<T> ready = pickReady(promises);
    if (ready == null) {
      throw endedBySomebody(any);
    }
    return ready;
  }

  /// {@return the first that is fulfilled; null if none is} Never a suspension point. Any thread.
  ///
  /// @param <T> what they result in
  /// @param promises any number
  public static <T extends @Nullable Object> @Nullable Promise<T> pickReady(
      List<Promise<T>> promises) {
    for (Promise<T> promise : promises) {
      if (promise.isDone()) {
        return promise;
      }
    }
    return null;
  }

  /// {@return those that are not fulfilled, in the same order} Never a suspension point. Any
  /// thread.
  ///
  /// @param <T> what they result in
  /// @param promises any number
  public static <T extends @Nullable Object> List<Promise<T>> onlyPending(
      List<Promise<T>> promises) {
    return promises.stream().filter(promise -> !promise.isDone()).toList();
  }

  /// {@return an event that the promise is fulfilled, with a value or a failure} It results in the
  /// promise and fails no wait: to select whichever of several is ready.
  public Waitable<Promise<T>> settled() {
    scheduler.host().checkThread();
    if (settled == null) {
      settled = new Settled<>(this);
    }
    return settled;
  }

  // Looking.

  /// {@return whether it was fulfilled, failed or closed} Any thread.
  public boolean isDone() {
    return outcome != null;
  }

  /// {@return its value or failure; null if it is not fulfilled} Any thread.
  public @Nullable Outcome<T> outcome() {
    return outcome;
  }

  /// {@return how many tasks wait for it}
  @Override
  public int waiterCount() {
    return super.waiterCount() + (settled == null ? 0 : settled.waiterCount());
  }

  // As a stage.

  /// {@return a future of the JDK that is completed as this is} Completing or cancelling it changes
  /// nothing here. Any thread.
  @Override
  public CompletableFuture<T> toCompletableFuture() {
    var copy = new CompletableFuture<T>();
    var _ =
        view()
            .whenComplete((value, failure) -> { // not copy(), which wraps the failure
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
    return result != null
        && switch (result) {
          case Outcome.Success<T>(T value) -> waiter.fire(value);
          case Outcome.Failure<T>(Throwable cause) -> waiter.fail(cause);
          case Outcome.Cancelled<T>(TaskCancelled cause) -> waiter.fail(cause);
        };
  }

  /// That it is fulfilled, whatever with.
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
