package dev.rondo.io.internal;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A few threads of a scheduler's own for calls that block: file operations, lookups of names.
///
/// [Scheduler#blocking] takes a virtual thread for each call. That is wrong for calls that do not
/// let go of their carrier, which files and the system's resolver do not: a handful of them would
/// stall every virtual thread of the JVM. Here they get platform threads, at most so many, and what
/// is too much waits in line. Threads that have had nothing to do for a while end.
///
/// **Cancellation** never interrupts a call, because an interrupt closes a `FileChannel` under its
/// owner. What has not begun is taken out of the line. What has begun is either waited for
/// ([#call]) or left to itself ([#abandonable]), as in Trio's `to_thread.run_sync`.
///
/// Confined to the scheduler's thread.
public final class Workers implements AutoCloseable {

  private static final int IDLE_SECONDS = 5;

  private final Scheduler scheduler;
  private final String name;
  private final ThreadPoolExecutor threads;

  private Workers(Scheduler scheduler, String name, int most) {
    this.scheduler = scheduler;
    this.name = name;
    var made = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            most,
            most,
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

  /// {@return workers without a thread yet, their caller's to close} Never a suspension point.
  ///
  /// @param scheduler on its own thread; whose tasks call
  /// @param name of the threads, before a number
  /// @param most how many threads at a time, at least one
  /// @throws IllegalArgumentException if it is less than one
  public static Workers open(Scheduler scheduler, String name, int most) {
    scheduler.host().checkThread();
    if (most < 1) {
      throw new IllegalArgumentException("workers need at least one thread: most=" + most);
    }
    return new Workers(scheduler, name, most);
  }

  /// Sets how many threads there may be. Threads too many end when they have nothing to do. Never a
  /// suspension point.
  ///
  /// @param most at least one
  /// @throws IllegalArgumentException if it is less; the earlier number stands
  public void maxThreads(int most) {
    scheduler.host().checkThread();
    if (most < 1) {
      throw new IllegalArgumentException("workers need at least one thread: most=" + most);
    }
    if (most > threads.getMaximumPoolSize()) {
      threads.setMaximumPoolSize(most);
      threads.setCorePoolSize(most);
    } else {
      threads.setCorePoolSize(most);
      threads.setMaximumPoolSize(most);
    }
  }

  /// {@return how many threads there are at this moment} For leak checks. Any thread.
  public int threadCount() {
    return threads.getPoolSize();
  }

  /// Makes a call on a worker and waits for it; other tasks go on. In a cancelled task nothing
  /// begins. A later cancellation, or a limit, takes the call out of the line if it has not begun.
  /// If it has, it is waited for all the same and its outcome returned, since it has had its
  /// effect; the cancellation is told at the next suspension point. *Always* a suspension point.
  ///
  /// @param <T> what it results in
  /// @param call runs outside of the scheduler, so it must not call back into it
  /// @return what it returned
  /// @throws RejectedExecutionException if these workers are closed
  /// @throws IllegalStateException outside a stackful task of the scheduler
  /// @throws Exception whatever the call threw, as it is
  public <T extends @Nullable Object> T call(Callable<? extends T> call) throws Exception {
    var job = submit(call);
    try {
      job.await(scheduler);
    } catch (Throwable e) {
      if (revoked(job)) {
        throw e;
      }
      scheduler.<@Nullable Void>shielded(() -> {
        job.await(scheduler);
        return null;
      });
    }
    return job.result();
  }

  /// [#call], but when the waiting task is cancelled, or its time is up, a call that has begun is
  /// left to itself and what comes of it is dropped. For calls that have no effect but their
  /// result. *Always* a suspension point.
  ///
  /// @param <T> what it results in
  /// @param call runs outside of the scheduler, so it must not call back into it
  /// @return what it returned
  /// @throws RejectedExecutionException if these workers are closed
  /// @throws IllegalStateException outside a stackful task of the scheduler
  /// @throws Exception whatever the call threw, as it is
  public <T extends @Nullable Object> T abandonable(Callable<? extends T> call) throws Exception {
    var job = submit(call);
    try {
      job.await(scheduler);
    } catch (Throwable e) {
      revoked(job);
      throw e;
    }
    return job.result();
  }

  /// A task that is cancelled already is told here: what it asks for must not begin.
  private <T extends @Nullable Object> Job<T> submit(Callable<? extends T> call) {
    var job = new Job<T>(scheduler, Objects.requireNonNull(call, "call"));
    scheduler.checkpoint();
    try {
      threads.execute(job);
    } catch (RejectedExecutionException e) {
      throw new RejectedExecutionException("the workers '" + name + "' are closed", e);
    }
    return job;
  }

  private boolean revoked(Job<?> job) {
    if (!job.claim()) {
      return false;
    }
    threads.remove(job); // a worker may have taken it out already, and does nothing then
    return true;
  }

  /// Interrupts whatever still runs and lets the threads end. Never a suspension point.
  @Override
  public void close() {
    threads.shutdownNow();
  }

  @Override
  public String toString() {
    return "workers '" + name + "'";
  }

  /// One call. Its outcome is written by the worker before it completes `ended`, and read by the
  /// task after.
  private static final class Job<T extends @Nullable Object> implements Runnable {

    private final Callable<? extends T> call;
    private final Waitable<@Nullable Void> waitable;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private @Nullable T value;
    private @Nullable Throwable failure;

    Job(Scheduler scheduler, Callable<? extends T> call) {
      this.call = call;
      this.waitable = scheduler.completion(ended);
    }

    /// Whether the caller is the one who decides what becomes of it.
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
      do {
        scheduler.await(waitable);
      } while (!ended.isDone()); // scheduled directly: there is nothing to return yet
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
