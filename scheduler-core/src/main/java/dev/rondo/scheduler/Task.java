package dev.rondo.scheduler;

import com.google.common.util.concurrent.ListenableFuture;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A handle on one task of a [Scheduler]: its identity, its state, and its result.
///
/// A task is a [ListenableFuture], so other threads can wait for it or be told, and a [Waitable],
/// so other tasks can join it, alone or in a select. There are two kinds with this one handle:
/// stackful tasks run any Java code and may suspend at any depth; stackless ones ([StepTask]) are a
/// [StepBody] called once per turn.
///
/// Methods are confined to the scheduler's thread unless they say otherwise.
///
/// @param <T> what the task results in
public abstract sealed class Task<T extends @Nullable Object>
    implements ListenableFuture<T>, Waitable<T> permits StackfulTask, StepTask {

  /// The scheduler's machinery.
  final Loop loop;

  private final long id;
  private final @Nullable String name;

  /// Where it is registered, in [TaskTable]; none before it is scheduled and after it has ended.
  int slot = TaskTable.NONE;

  /// Slots of its neighbours in the ready queue; none outside of it.
  int next = TaskTable.NONE;

  int previous = TaskTable.NONE;

  /// Any state but RUNNING, which is told from the ready queue, see [#taskState()].
  TaskState state = TaskState.NEW;

  private boolean daemon;

  /// Whether an add-on runs as this task.
  boolean addOn;

  /// Whether it idles, or was woken from idling, to see what others do: see [StepTask#watchUntil].
  boolean watching;

  /// Whether the task has had a turn.
  boolean entered;

  /// Whether `received` was given on purpose, and is not just left over.
  boolean handed;

  /// What the next turn gets, from [#hand].
  @Nullable Object received;

  @Nullable Throwable wakeFailure;

  /// This task's interest in what it awaits; made for its first wait.
  @Nullable TaskWaiter waiter;

  /// When it went out of circulation, on the ticker as of that round.
  long sinceNanos;

  /// A request to cancel the whole task.
  @Nullable CancelRequest cancelRequest;

  /// The request that holds at this moment, considering scopes and shields; null if none.
  @Nullable CancelRequest pendingCancel;

  /// Who joins it: nothing, one [Waiter], or a [WaitQueue] of several.
  private @Nullable Object joiners;

  private @Nullable Trap<T> trap;

  /// What it has and must give back, the latest first.
  @Nullable Holding holdings;

  /// The result as other threads see it.
  private final Completion<T> completion = new Completion<>();

  Task(Loop loop, @Nullable String name) {
    this.loop = loop;
    this.name = name;
    this.id = loop.nextTaskId();
  }

  // What it is. Any thread.

  /// {@return a number of its own within its scheduler, counted from 1 in the order tasks were
  /// made} Any thread.
  public final long id() {
    return id;
  }

  /// {@return the name it was given, or one made of its number} Any thread.
  public final String name() {
    return name == null ? "task-" + id : name;
  }

  /// {@return where it is in its life} From another thread than the scheduler's: a recent state.
  public final TaskState taskState() {
    return loop.isRunning(this) ? TaskState.RUNNING : state;
  }

  /// {@return whether the scheduler may end without this task having ended} Any thread.
  public final boolean isDaemon() {
    return daemon;
  }

  // Set up, before it is scheduled.

  /// Makes it a daemon: `start()` does not wait for it.
  ///
  /// @return this task
  /// @throws IllegalStateException if it was scheduled already
  public final Task<T> daemon() {
    requireNew("daemon()");
    daemon = true;
    return this;
  }

  /// Sets a trap: it sees how the task ended and decides what everybody else will see. A later trap
  /// replaces an earlier one.
  ///
  /// @param trap runs once, when the task has ended
  /// @return this task
  /// @throws IllegalStateException if the task has ended
  public final Task<T> trap(Trap<T> trap) {
    loop.owner.checkCaller();
    if (state.isDone()) {
      throw new IllegalStateException(
          "trap on task '" + name() + "', which has ended: set it before the task ends");
    }
    this.trap = Objects.requireNonNull(trap, "trap");
    return this;
  }

  private void requireNew(String call) {
    loop.owner.checkCaller();
    if (state != TaskState.NEW) {
      throw new IllegalStateException(
          call
              + " on task '"
              + name()
              + "', which is "
              + taskState()
              + ": call it before scheduling");
    }
  }

  // Joining.

  /// Waits for the task to end. From a task of the same scheduler: *always* a suspension point.
  /// From another thread: blocks it.
  ///
  /// @return its value
  /// @throws TaskFailedException if it failed; the cause is its failure
  /// @throws CancellationException if it was cancelled
  /// @throws IllegalStateException if called on the scheduler's own thread outside of a stackful
  ///   task before the task has ended, or by the task itself
  public final T join() {
    if (loop.owner.isCaller()) {
      if (!isDone() || loop.currentTask() instanceof StackfulTask<?>) {
        return loop.currentStackful("join").await(this);
      }
    } else if (!isDone()) {
      completion.awaitUninterruptibly();
    }
    return completion.value(this);
  }

  /// [#join()] as `Future` has it. A *possible* suspension point: none if the task has ended.
  ///
  /// @return its value
  /// @throws ExecutionException if the task failed
  /// @throws InterruptedException if the calling thread was interrupted while it waited
  @Override
  public final T get() throws InterruptedException, ExecutionException {
    if (!isDone()) {
      if (loop.owner.isCaller()) {
        return getHere(task -> task.await(this));
      }
      completion.await();
    }
    return completion.get();
  }

  /// [#join()] as `Future` has it, with a limit. A *possible* suspension point: none if the task
  /// has ended. From a task this needs a [TimeKeeper].
  ///
  /// @param timeout how long to wait at most; one that is not above zero has passed
  /// @param unit of the timeout
  /// @return its value
  /// @throws ExecutionException if the task failed
  /// @throws InterruptedException if the calling thread was interrupted while it waited
  /// @throws java.util.concurrent.TimeoutException if the task had not ended in time
  @Override
  public final T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException {
    if (!isDone()) {
      if (loop.owner.isCaller()) {
        Duration limit = Duration.ofNanos(Math.max(0, unit.toNanos(timeout)));
        try {
          return getHere(task -> task.await(this, limit));
        } catch (TimeoutException e) {
          var timedOut = new java.util.concurrent.TimeoutException(e.getMessage());
          timedOut.initCause(e);
          throw timedOut;
        }
      }
      if (!completion.await(timeout, unit)) {
        throw new java.util.concurrent.TimeoutException(
            "task '" + name() + "' has not ended within " + timeout + " " + unit);
      }
    }
    return completion.get();
  }

  /// Tells what a join tells, the way a `Future` does.
  private T getHere(Function<StackfulTask<?>, T> join) throws ExecutionException {
    try {
      return join.apply(loop.currentStackful("get"));
    } catch (TaskFailedException | CancellationException e) {
      if (!isDone()) {
        throw e;
      }
      return completion.get();
    }
  }

  /// {@return how it ended; null if it has not} Any thread.
  public final @Nullable Outcome<T> outcome() {
    return isDone() ? completion.outcome() : null;
  }

  /// {@return whether it has ended} Any thread.
  @Override
  public final boolean isDone() {
    return completion.isDone();
  }

  /// {@return whether it ended by cancellation} Any thread.
  @Override
  public final boolean isCancelled() {
    return isDone() && completion.outcome() instanceof Outcome.Cancelled<?>;
  }

  /// Has a listener run when the task ends, or at once if it has. Any thread; the listener is
  /// handed to the executor by the scheduler's thread.
  @Override
  public final void addListener(Runnable listener, Executor executor) {
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(executor, "executor");
    completion.addListener(() -> {
      try {
        executor.execute(listener);
      } catch (Throwable e) {
        reportListener(e);
      }
    });
  }

  /// To the failure handler, on its thread.
  private void reportListener(Throwable failure) {
    String where = "listener of task '" + name() + "'";
    if (loop.owner.isCaller()) {
      loop.failures.report(where, failure);
    } else {
      var _ =
          loop.inbox.post(
              new Inbox.Entry() {
                @Override
                void deliver(Loop receiver) {
                  receiver.failures.report(where, failure);
                }
              });
    }
  }

  /// {@return a future of the JDK that ends as this task does} Cancelling it cancels nothing here.
  /// Any thread.
  public final CompletableFuture<T> toCompletableFuture() {
    var future = new CompletableFuture<T>();
    completion.addListener(() -> completion.copyTo(future));
    return future;
  }

  // Cancelling.

  /// Asks the task to end: every suspension point it is in or comes to throws [TaskCancelled] until
  /// it ends. A task that never ran never will. Cancelling oneself takes effect at the next
  /// suspension point. Any thread; from another one it is the loop that does it, a moment later.
  /// Never a suspension point.
  ///
  /// @param reason why, for whoever reads the exception
  /// @return false if the task has ended, or was cancelled before; the first reason stands. On
  ///   another thread true says just that the request is on its way
  public final boolean cancel(String reason) {
    if (loop.owner.isCaller()) {
      return cancelHere(CancelRequest.here("task '" + name() + "'", reason, loop.callerName()));
    }
    if (isDone()) {
      return false;
    }
    var request =
        CancelRequest.here("task '" + name() + "'", reason, Thread.currentThread().getName());
    return loop.inbox.post(
        new Inbox.Entry() {
          @Override
          void deliver(Loop receiver) {
            cancelHere(request);
          }
        });
  }

  /// [#cancel(String)] as `Future` has it; it makes no difference whether the task may be
  /// interrupted.
  @Override
  public final boolean cancel(boolean mayInterruptIfRunning) {
    return cancel("Future.cancel");
  }

  private boolean cancelHere(CancelRequest request) {
    if (isDone() || cancelRequest != null) {
      return false;
    }
    cancelRequest = request;
    refreshPendingCancel();
    if (!entered && !loop.isRunning(this)) {
      leaveCirculation();
      finish(new Outcome.Cancelled<>(new TaskCancelled(request)));
    } else {
      applyCancel();
    }
    return true;
  }

  /// Recomputes which request holds now.
  void refreshPendingCancel() {
    pendingCancel = cancelRequest;
  }

  /// Lets a request that has just begun to hold take effect on a task that is out of circulation.
  abstract void applyCancel();

  // Waiting and waking.

  /// What it awaits, if it is waiting.
  final @Nullable Waitable<?> awaited() {
    return waiter != null && state == TaskState.WAITING ? waiter.source() : null;
  }

  final TaskWaiter waiter() {
    TaskWaiter own = waiter;
    if (own == null) {
      own = new TaskWaiter(this);
      waiter = own;
    }
    return own;
  }

  /// Leaves something for the next turn.
  final void hand(@Nullable Object value, @Nullable Throwable failure) {
    received = value;
    wakeFailure = failure;
    handed = true;
  }

  /// Takes what was left for this turn.
  final @Nullable Object takeReceived() {
    Object value = received;
    received = null;
    handed = false;
    return value;
  }

  /// Forgets what was left for the next turn.
  final void dropReceived() {
    wakeFailure = null;
    takeReceived();
  }

  /// Takes what was left for this turn, or throws it if it is a failure.
  final @Nullable Object takeReceivedOrThrow() {
    Throwable failure = wakeFailure;
    if (failure != null) {
      wakeFailure = null;
      takeReceived();
      throw Sneaky.rethrow(failure instanceof DeferredFailure deferred ? deferred.make() : failure);
    }
    return takeReceived();
  }

  /// Puts a task that is out of circulation into the ready queue. If it has a wait, that is over.
  final void becomeReady(boolean front) {
    if (state == TaskState.IDLING) {
      loop.idlers.remove(this);
    } else if (state == TaskState.NEW) {
      loop.tasks.register(this);
    }
    state = TaskState.READY;
    loop.circulation.makeReady(this, front);
  }

  /// Takes a task out of wherever it is held, without ending it. Not for a running one.
  final void leaveCirculation() {
    switch (state) {
      case READY -> loop.tasks.remove(this);
      case IDLING -> loop.idlers.remove(this);
      case WAITING -> waiter().disarm();
      case NEW, RUNNING, SUSPENDED, BLOCKED, SUCCEEDED, FAILED, CANCELLED -> {}
    }
  }

  // Running and ending.

  /// Has one turn. The task is at the head of the ready queue; afterwards it is where it put
  /// itself.
  abstract void turn();

  /// The stack of a task that is out of circulation; empty if it has none.
  abstract StackTraceElement[] stackTrace();

  /// Settles the result, tells everybody, and lets go of the task, which is running or has left
  /// circulation.
  final void finish(Outcome<T> raw) {
    Outcome<T> outcome = trapped(raw);
    state = outcome.state();
    received = null;
    wakeFailure = null;
    handed = false;
    if (holdings != null) {
      Holding.abandonAll(this);
    }
    boolean listened = completion.complete(outcome);
    boolean joined = tellJoiners(outcome);
    if (outcome instanceof Outcome.Failure<T> failure) {
      loop.failed(this, failure.cause(), listened || joined);
    }
    state = outcome.state(); // whoever was told may have held us up, and left another one
    if (slot != TaskTable.NONE) {
      loop.retire(this);
    }
  }

  private Outcome<T> trapped(Outcome<T> outcome) {
    Trap<T> set = trap;
    if (set == null) {
      return outcome;
    }
    trap = null;
    try {
      return Objects.requireNonNull(
          set.settle(this, outcome), () -> "the trap of task '" + name() + "' answered null");
    } catch (Throwable e) {
      switch (outcome) {
        case Outcome.Success<T> success -> {}
        case Outcome.Failure<T>(Throwable cause) -> addSuppressed(e, cause);
        case Outcome.Cancelled<T>(TaskCancelled cause) -> addSuppressed(e, cause);
      }
      return new Outcome.Failure<>(e);
    }
  }

  /// A throwable cannot suppress itself: a trap may rethrow what it was given.
  @SuppressWarnings("ReferenceEquality")
  private static void addSuppressed(Throwable primary, Throwable earlier) {
    if (primary != earlier) {
      primary.addSuppressed(earlier);
    }
  }

  @SuppressWarnings("unchecked") // only waiters for our T are armed
  private boolean tellJoiners(Outcome<T> outcome) {
    Object waiting = joiners;
    joiners = null;
    if (waiting instanceof Waiter<?> one) {
      return Completion.tell(this, outcome, (Waiter<? super T>) one);
    }
    boolean told = false;
    if (waiting instanceof WaitQueue<?> several) {
      for (Waiter<?> each; (each = several.poll()) != null; ) {
        told |= Completion.tell(this, outcome, (Waiter<? super T>) each);
      }
    }
    return told;
  }

  // Being awaited.

  @Override
  public final boolean poll(Waiter<? super T> waiter) {
    return isDone() && Completion.tell(this, completion.outcome(), waiter);
  }

  @Override
  public final void arm(Waiter<? super T> waiter) {
    if (waiter.task().loop != loop) {
      throw new IllegalStateException(
          "task '"
              + waiter.task().name()
              + "' awaits task '"
              + name()
              + "' of another scheduler; await its toCompletableFuture() instead");
    }
    if (waiter.task() == this) {
      throw new IllegalStateException("task '" + name() + "' awaits its own end");
    }
    if (poll(waiter)) {
      return;
    }
    addJoiner(waiter);
  }

  @SuppressWarnings("unchecked") // only waiters for our T are armed
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

  /// False: joining gives way at least once, even if the task has ended.
  @Override
  public final boolean isEager() {
    return false;
  }

  /// True: a join is what the resident task is for.
  @Override
  public final boolean mayStayMounted() {
    return true;
  }

  /// The task itself.
  @Override
  public final Task<?> holder() {
    return this;
  }

  /// Its kind, name and state.
  @Override
  public final String toString() {
    return "task '" + name() + "' (" + taskState() + ")";
  }
}
