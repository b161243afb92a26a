package dev.rondo.application;

import static java.util.Objects.requireNonNull;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import dev.rondo.condition.sync.Promise;
import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.time.Timer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// An executor service whose jobs are tasks of a scheduler, see [Application#newExecutorService()].
/// This class runs jobs at once and ends the service; [ScheduledTaskExecutor] runs them later, or
/// periodically.
///
/// Any thread may call in. A job is in `queued` until its task begins, then in `running`. Both
/// collections are guarded by `lock`, which is never held during a call to other code.
class TaskExecutor extends AbstractExecutorService implements ListeningExecutorService {

  private final Scheduler scheduler;

  /// Ends the task that keeps the loop running for this service.
  private final Promise<@Nullable Void> end;

  private final CountDownLatch terminated = new CountDownLatch(1);
  private final Object lock = new Object();
  private final Set<Job<?>> queued = new LinkedHashSet<>();
  private final Set<Job<?>> running = new LinkedHashSet<>();
  private boolean shutdown;

  /// On the scheduler's thread.
  TaskExecutor(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.end = new Promise<>(scheduler, "end of the executor service");
    Task<Void> keeper = scheduler.newTask("executor service", this::keep);
    keeper.trap((task, outcome) -> {
      abandon();
      return outcome;
    });
    scheduler.scheduleTask(keeper);
  }

  private void keep() {
    KeepAlive calls = scheduler.keepAlive();
    try {
      if (scheduler.select(scheduler.shutdownRequested(), end).index() == 0) {
        shutdown();
        end.claim();
      }
    } finally {
      calls.close();
    }
  }

  /// Called when the scheduler closes: cancels every job, so that no future stays incomplete.
  private void abandon() {
    for (Job<?> each : drain()) {
      each.cancel(false);
    }
    settleIfEmpty();
  }

  private List<Job<?>> drain() {
    synchronized (lock) {
      shutdown = true;
      var all = new ArrayList<Job<?>>(queued);
      all.addAll(running);
      queued.clear();
      running.clear();
      return all;
    }
  }

  final Scheduler scheduler() {
    return scheduler;
  }

  final long nowNanos() {
    return scheduler.host().nowNanos();
  }

  final @Nullable Task<?> currentTask() {
    return scheduler.currentTask();
  }

  /// Refuses to block the thread that would have to run the job.
  final void requireMayBlock(boolean isDone, String call) {
    if (!isDone && (scheduler.inMainTask() || scheduler.currentTask() != null)) {
      throw new IllegalStateException(
          call
              + " would block the scheduler's thread, which has to run the job; in a task, await"
              + " scheduler.completion(future), or spawn and join");
    }
  }

  // Running.

  @Override
  public void execute(Runnable command) {
    requireNonNull(command, "command is null");
    Job<?> job =
        command instanceof Job<?> own && own.belongsTo(this)
            ? own
            : newJob(Job.Kind.COMMAND, Executors.callable(command, null), command, 0, 0);
    post(job, () -> runAsTask(job));
  }

  final <T extends @Nullable Object> Job<T> newJob(
      Job.Kind kind, Callable<T> call, @Nullable Runnable original, long delay, long period) {
    return new Job<>(this, kind, call, original, nowNanos() + Math.max(0, delay), period);
  }

  /// Queues a job, and posts the rest to the loop.
  final void post(Job<?> job, Runnable onLoop) {
    synchronized (lock) {
      if (shutdown) {
        throw new RejectedExecutionException(
            "the executor service is shut down and refuses " + job.original);
      }
      queued.add(job);
    }
    try {
      scheduler.execute(onLoop);
    } catch (RejectedExecutionException e) {
      forget(job);
      throw e;
    }
  }

  private void runAsTask(Job<?> job) {
    if (isQueued(job)) {
      Task<Void> task = scheduler.newTask("executor", () -> turn(job));
      job.task = task;
      scheduler.scheduleTask(task);
    }
  }

  /// {@return whether a job is waiting to run: neither withdrawn nor begun}
  final boolean isQueued(Job<?> job) {
    synchronized (lock) {
      return queued.contains(job);
    }
  }

  /// Runs a job once, or for one period, in a task of its own.
  final void turn(Job<?> job) {
    synchronized (lock) {
      if (!queued.remove(job)) {
        return; // withdrawn
      }
      running.add(job);
    }
    try {
      job.run();
    } finally {
      ended(job);
    }
  }

  private void ended(Job<?> job) {
    boolean again = job.isPeriodic() && !job.isDone();
    if (again) {
      job.planNextRun();
    }
    synchronized (lock) {
      if (running.remove(job) && again && !shutdown) {
        queued.add(job);
        return;
      }
    }
    if (again) {
      job.cancel(false);
    }
    settleIfEmpty();
  }

  private void forget(Job<?> job) {
    synchronized (lock) {
      queued.remove(job);
    }
    settleIfEmpty();
  }

  /// Called when the future of a job is done.
  final void settled(Job<?> job, boolean interrupt) {
    forget(job);
    if (!job.isCancelled() && !job.isPeriodic()) {
      return;
    }
    try {
      scheduler.execute(() -> withdraw(job, interrupt));
    } catch (RejectedExecutionException _) {
      // The scheduler is stopping or closed, and cancels every task itself.
    }
  }

  /// On the loop's thread.
  private void withdraw(Job<?> job, boolean interrupt) {
    Timer timer = job.timer;
    if (timer != null) {
      timer.cancel();
    }
    Task<?> task = job.task;
    if (interrupt && task != null) {
      task.cancel("its future was cancelled");
    }
  }

  // Submitting.

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> callable) {
    return newJob(Job.Kind.ONCE, callable, null, 0, 0);
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable command, T value) {
    return newTaskFor(Executors.callable(command, value));
  }

  @Override
  public <T extends @Nullable Object> ListenableFuture<T> submit(Callable<T> callable) {
    requireNonNull(callable, "callable is null");
    return (ListenableFuture<T>) super.submit(callable);
  }

  @Override
  public ListenableFuture<?> submit(Runnable command) {
    requireNonNull(command, "command is null");
    return (ListenableFuture<?>) super.submit(command);
  }

  @Override
  public <T extends @Nullable Object> ListenableFuture<T> submit(Runnable command, T result) {
    requireNonNull(command, "command is null");
    return (ListenableFuture<T>) super.submit(command, result);
  }

  @Override
  public <T extends @Nullable Object> List<Future<T>> invokeAll(
      Collection<? extends Callable<T>> calls) throws InterruptedException {
    requireCalls(calls);
    requireMayBlock(false, "invokeAll(..)");
    return super.invokeAll(calls);
  }

  @Override
  public <T extends @Nullable Object> List<Future<T>> invokeAll(
      Collection<? extends Callable<T>> calls, long timeout, TimeUnit unit)
      throws InterruptedException {
    requireCalls(calls);
    requireNonNull(unit, "unit is null");
    requireMayBlock(false, "invokeAll(..)");
    return super.invokeAll(calls, timeout, unit);
  }

  @Override
  public <T extends @Nullable Object> T invokeAny(Collection<? extends Callable<T>> calls)
      throws InterruptedException, ExecutionException {
    requireCalls(calls);
    requireMayBlock(false, "invokeAny(..)");
    return super.invokeAny(calls);
  }

  @Override
  public <T extends @Nullable Object> T invokeAny(
      Collection<? extends Callable<T>> calls, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    requireCalls(calls);
    requireNonNull(unit, "unit is null");
    requireMayBlock(false, "invokeAny(..)");
    return super.invokeAny(calls, timeout, unit);
  }

  private static void requireCalls(Collection<? extends Callable<?>> calls) {
    requireNonNull(calls, "calls is null");
    calls.forEach(each -> requireNonNull(each, "call is null"));
  }

  // The end.

  @Override
  public void shutdown() {
    List<Job<?>> periodic;
    synchronized (lock) {
      shutdown = true;
      periodic = new ArrayList<>(queued);
    }
    periodic.removeIf(job -> !job.isPeriodic());
    periodic.forEach(job -> job.cancel(false));
    settleIfEmpty();
  }

  @Override
  public List<Runnable> shutdownNow() {
    List<Job<?>> withdrawn;
    List<Job<?>> begun;
    synchronized (lock) {
      shutdown = true;
      withdrawn = List.copyOf(queued);
      begun = List.copyOf(running);
      queued.clear();
    }
    for (Job<?> each : withdrawn) {
      stop(each);
    }
    for (Job<?> each : begun) {
      stop(each);
    }
    settleIfEmpty();
    return withdrawn.stream().map(job -> job.original).toList();
  }

  private void stop(Job<?> job) {
    try {
      scheduler.execute(() -> {
        withdraw(job, true);
      });
    } catch (RejectedExecutionException _) {
      // The scheduler is stopping or closed, and cancels every task itself.
    }
  }

  private void settleIfEmpty() {
    synchronized (lock) {
      if (!shutdown || !queued.isEmpty() || !running.isEmpty()) {
        return;
      }
    }
    terminated.countDown();
    end.fulfill(null);
  }

  @Override
  public boolean isShutdown() {
    synchronized (lock) {
      return shutdown;
    }
  }

  @Override
  public boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    requireNonNull(unit, "unit is null");
    requireMayBlock(isTerminated(), "awaitTermination(..)");
    return terminated.await(timeout, unit);
  }

  @Override
  public void close() {
    requireMayBlock(isTerminated(), "close()");
    super.close();
  }

  @Override
  public String toString() {
    synchronized (lock) {
      return "executor service (%d queued, %d running%s)"
          .formatted(queued.size(), running.size(), shutdown ? ", shut down" : "");
    }
  }
}
