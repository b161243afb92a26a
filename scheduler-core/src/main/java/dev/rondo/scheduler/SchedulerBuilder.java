package dev.rondo.scheduler;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a [Scheduler]. Not thread-safe.
public final class SchedulerBuilder {

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

  private @Nullable CoroutineBackend backend;
  private boolean residentTask = true;
  private Ticker ticker = Ticker.systemTicker();
  private FailureHandler failureHandler =
      (where, failure) -> log.error("{} failed, and nobody was waiting for it", where, failure);

  SchedulerBuilder() {}

  /// Sets the coroutine backend. The default is [CoroutineBackends#defaultBackend()], but HANDOFF
  /// if the scheduler is built on a virtual thread, which can carry no other.
  ///
  /// @param backend see [CoroutineBackends]
  public SchedulerBuilder backend(CoroutineBackend backend) {
    this.backend = Objects.requireNonNull(backend, "backend");
    return this;
  }

  /// Sets the clock. The default is the system's monotonic one.
  ///
  /// @param ticker nanoseconds that never go back
  public SchedulerBuilder ticker(Ticker ticker) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    return this;
  }

  /// Sets who is told of failures that nobody waits for. The default logs them at ERROR.
  ///
  /// @param handler runs on the scheduler's thread
  public SchedulerBuilder failureHandler(FailureHandler handler) {
    this.failureHandler = Objects.requireNonNull(handler, "handler");
    return this;
  }

  /// Switches the resident task off: every task that waits is unmounted at once. With it (the
  /// default, on CONTINUATION) one waiting task at a time stays mounted while `start()` runs the
  /// others upon its frames, which makes a join or a request and its answer cost half; order,
  /// errors and reports are the same. Off is for profiling, and for telling whether it matters.
  public SchedulerBuilder withoutResidentTask() {
    residentTask = false;
    return this;
  }

  /// Makes the scheduler. It belongs to the calling thread.
  ///
  /// @throws UnsupportedOperationException if the default backend is named by the system property
  ///   [CoroutineBackends#PROPERTY] and this JVM was not started for it
  /// @throws IllegalStateException if the backend cannot run its loop on the calling thread
  public Scheduler build() {
    return new Scheduler(chosenBackend(), ticker, failureHandler, residentTask);
  }

  private CoroutineBackend chosenBackend() {
    if (backend != null) {
      return backend;
    }
    return Thread.currentThread().isVirtual()
        ? CoroutineBackends.handoff()
        : CoroutineBackends.defaultBackend();
  }
}
