package dev.rondo.io.internal;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Runs calls that block, such as file operations and name lookups, on a few threads of its own.
///
/// [Scheduler#blocking] takes a virtual thread for each call. That is wrong for calls that do not
/// release their carrier, such as file operations and calls to the system's resolver: a few of them
/// would stall all virtual threads of the JVM. Here such calls run on a limited number of platform
/// threads; further calls are queued. A thread ends after a while without calls.
///
/// **Cancellation** never interrupts a call, because an interrupt closes a `FileChannel` that other
/// tasks may use. A call that has not begun is removed from the queue. If the call has begun, the
/// task either waits for it ([#call]) or does not ([#abandonable]), as in Trio's
/// `to_thread.run_sync`.
///
/// Confined to the scheduler's thread.
public final class Workers implements AutoCloseable {

  private static final int IDLE_SECONDS = 5;

  private final Scheduler scheduler;
  private final String name;
  private final ThreadPoolExecutor threads;

  private Workers(Scheduler scheduler, String name, int max) {
    this.scheduler = scheduler;
    this.name = name;
    var made = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            max,
            max,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            body ->
                Thread.ofPlatform()
                    .name(name + "-" + made.incrementAndGet())
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .unstarted(body));
    threads.allowCoreThreadTimeOut(true);
  }

  /// {@return workers without a thread yet, which the caller closes} Never a suspension point.
  ///
  /// @param scheduler on its own thread; its tasks make the calls
  /// @param name of the threads, followed by a number
  /// @param max how many threads at a time, at least one
  /// @throws IllegalArgumentException if it is less than one
  public static Workers open(Scheduler scheduler, String name, int max) {
    scheduler.host().checkThread();
    if (max < 1) {
      throw new IllegalArgumentException("workers need at least one thread: max=" + max);
    }
    return new Workers(scheduler, name, max);
  }

  /// {@return how many threads there are now} For leak checks. Any thread.
  public int threadCount() {
    return threads.getPoolSize();
  }

  /// Makes a call on a worker and waits for it. In a cancelled task the call does not begin. A
  /// later cancellation or time limit removes the call from the queue if it has not begun. If it
  /// has begun, the task waits for it and receives its outcome, because it has had its effect; the
  /// cancellation takes effect at the next suspension point. Meanwhile the task cannot be
  /// scheduled. *Always* a suspension point.
  ///
  /// @param <T> the type of its result
  /// @param call runs outside the scheduler and must not call it
  /// @return its result
  /// @throws RejectedExecutionException if these workers are closed
  /// @throws IllegalStateException outside a stackful task of the scheduler
  /// @throws Exception as the call
  public <T extends @Nullable Object> T call(Callable<? extends T> call) throws Exception {
    return call("a call", call);
  }

  /// Makes a call as [#call(Callable)] does, with a name for dumps and messages. *Always* a
  /// suspension point.
  ///
  /// @param <T> the type of its result
  /// @param what its text says what the call does: `'open a.txt'`; the text is made on request
  /// @param call as there
  /// @return its result
  /// @throws Exception as there
  public <T extends @Nullable Object> T call(Object what, Callable<? extends T> call)
      throws Exception {
    var job = submit(what, call);
    try {
      job.awaitUnscheduled(scheduler);
    } catch (Throwable e) {
      if (revoked(job)) {
        throw e;
      }
      scheduler.shielded(() -> job.awaitUnscheduled(scheduler));
    }
    return job.result();
  }

  /// Makes a call as [#call] does. But when the waiting task is cancelled, or its time is up, a
  /// begun call continues and its outcome is dropped. For calls whose only effect is their result.
  /// *Always* a suspension point.
  ///
  /// @param <T> the type of its result
  /// @param call runs outside the scheduler and must not call it
  /// @return its result
  /// @throws RejectedExecutionException if these workers are closed
  /// @throws IllegalStateException outside a stackful task of the scheduler
  /// @throws Exception as the call
  public <T extends @Nullable Object> T abandonable(Callable<? extends T> call) throws Exception {
    var job = submit("a call", call);
    try {
      job.await(scheduler);
    } catch (Throwable e) {
      revoked(job);
      throw e;
    }
    return job.result();
  }

  /// An already cancelled task fails here, so that its call does not begin.
  private <T extends @Nullable Object> Job<T> submit(Object what, Callable<? extends T> call) {
    var job = new Job<T>(this, what, Objects.requireNonNull(call, "call is null"));
    scheduler.checkpoint();
    execute(job);
    return job;
  }

  private void execute(Job<?> job) {
    try {
      threads.execute(job);
    } catch (RejectedExecutionException e) {
      throw new RejectedExecutionException("the workers '" + name + "' are closed", e);
    }
  }

  private boolean revoked(Job<?> job) {
    if (!job.claim()) {
      return false;
    }
    threads.remove(job); // a worker may have taken it already, and does nothing then
    return true;
  }

  /// Interrupts the calls that still run, and lets the threads end. Never a suspension point.
  @Override
  public void close() {
    threads.shutdownNow();
  }

  @Override
  public String toString() {
    return "workers '" + name + "'";
  }

  /// Most names are never read, so the text is made on request.
  private record Name(Object what, Workers workers) {

    @Override
    public String toString() {
      return what + " of " + workers;
    }
  }

  /// One call. The worker writes its outcome before it completes `ended`; the task reads it after.
  private static final class Job<T extends @Nullable Object> implements Runnable {

    private final Callable<? extends T> call;
    private final Waitable<@Nullable Void> waitable;
    private final NamedFuture<@Nullable Void> ended;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private @Nullable T value;
    private @Nullable Throwable failure;

    Job(Workers workers, Object what, Callable<? extends T> call) {
      this.call = call;
      this.ended = new NamedFuture<>(new Name(what, workers));
      this.waitable = workers.scheduler.completion(ended);
    }

    /// Whether the caller is the first to claim the call: a worker to run it, or the task to revoke
    /// it.
    boolean claim() {
      return claimed.compareAndSet(false, true);
    }

    @Override
    public void run() {
      if (claim()) {
        try {
          value = call.call();
        } catch (Throwable e) {
          failure = e;
        }
        ended.complete(null);
      }
    }

    void await(Scheduler scheduler) {
      var _ = scheduler.host().awaitEvent(waitable);
    }

    void awaitUnscheduled(Scheduler scheduler) {
      TaskControl.of(scheduler.host()).withoutScheduling(() -> await(scheduler));
    }

    @SuppressWarnings("NullAway") // without a failure the value is one of T
    T result() throws Exception {
      Throwable thrown = failure;
      if (thrown != null) {
        throw Throwables.<Exception>rethrow(thrown);
      }
      return value;
    }
  }
}
