package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// A part of a task that can be cancelled, or given a deadline, apart from the rest of it.
///
/// Scopes nest: cancelling one cancels those inside. While it is cancelled every suspension point
/// inside throws [TaskCancelled], again and again, until the scope is left; there it turns into a
/// [CancellationException], or into a [TimedOutException] if it was the deadline. Of several
/// cancelled scopes the outermost is told first.
///
/// Make one with [Scheduler#newScope(String)]; it is used once. After N. J. Smith, *Timeouts and
/// cancellation for humans* (2018).
///
/// Confined to the scheduler's thread, except where a method says otherwise.
public final class CancelScope {

  private final Loop loop;
  private final String name;
  private final boolean shield;
  private @Nullable StackfulTask<?> task;
  private @Nullable CancelScope outer;
  private @Nullable CancelRequest request;

  /// The limit, if there is one; and whether it is what cancelled us.
  private @Nullable Duration limit;

  private boolean expired;
  private boolean used;

  CancelScope(Loop loop, String name) {
    this(loop, name, false);
  }

  private CancelScope(Loop loop, String name, boolean shield) {
    this.loop = loop;
    this.name = name;
    this.shield = shield;
  }

  static CancelScope shield(Loop loop) {
    return new CancelScope(loop, "shield", true);
  }

  /// Runs code inside this scope, in the current task. A suspension point if the code is one.
  ///
  /// @param <T> what it results in
  /// @param code may suspend
  /// @return what the code returns, also if the scope was cancelled meanwhile
  /// @throws CancellationException if the scope was cancelled and the code gave way to that
  /// @throws IllegalStateException if the scope was used before, or outside a stackful task
  /// @throws Exception whatever the code throws
  public <T extends @Nullable Object> T run(Callable<? extends T> code) throws Exception {
    StackfulTask<?> self = enter();
    try {
      return code.call();
    } catch (TaskCancelled e) {
      if (isMine(e)) {
        throw translated(e);
      }
      throw e;
    } catch (InterruptedException e) {
      CancelRequest own = request;
      if (own != null && self.wasInterruptedFor(own)) {
        throw translated(TaskCancelled.by(own, e));
      }
      throw e;
    } finally {
      exit(self);
    }
  }

  /// Runs code inside this scope with a limit, see [Scheduler#within].
  <T extends @Nullable Object> T run(Duration timeout, Callable<? extends T> code)
      throws Exception {
    long nanos = Durations.nanos(timeout, "timeout");
    limit = timeout;
    TimerService.TimerHandle alarm = loop.after(nanos, this::expire);
    try {
      return run(code);
    } finally {
      alarm.cancel();
    }
  }

  private void expire() {
    if (request == null) {
      expired = true;
      take(CancelRequest.here("scope '" + name + "'", "its time is up", "its deadline"));
    }
  }

  private StackfulTask<?> enter() {
    StackfulTask<?> self = loop.currentStackful("run of a scope");
    if (used) {
      throw new IllegalStateException(
          "scope '" + name + "' was used before; make a new one with newScope(..)");
    }
    used = true;
    task = self;
    outer = self.scope();
    self.scope(this);
    if (shield && self.wasInterrupted()) {
      Thread.interrupted(); // it was for the code outside, which may not have noticed
    }
    return self;
  }

  private void exit(StackfulTask<?> self) {
    task = null;
    self.scope(outer);
    if (self.wasInterruptedFor(request)) {
      Thread.interrupted(); // it was for the code in here, which may not have noticed
    }
  }

  private boolean isMine(TaskCancelled e) {
    return request != null && e.isFrom(request);
  }

  /// Whether this tells of our cancellation: to who ran in the scope, or to who joined a task that
  /// was cancelled by the same request.
  boolean isEchoedBy(CancellationException e) {
    return e.getCause() instanceof TaskCancelled cause && isMine(cause);
  }

  private RuntimeException translated(TaskCancelled e) {
    if (expired && limit != null) {
      var timeout = new TimedOutException(limit, name);
      timeout.initCause(e);
      return timeout;
    }
    return Completion.cancellation(e);
  }

  /// Cancels whatever runs in this scope; what enters it later is cancelled at once. Never a
  /// suspension point. Any thread; from another one it is the loop that does it, a moment later.
  ///
  /// @param reason why, for whoever reads the exception
  /// @return false if it was cancelled before; the first reason stands. On another thread true says
  ///   just that the request is on its way
  public boolean cancel(String reason) {
    return cancelFor(reason, null);
  }

  /// [#cancel(String)] on account of a failure. Any thread. Never a suspension point.
  ///
  /// @param reason why, for whoever reads the exception
  /// @param cause see [TaskCancelled#trigger()]
  /// @return as [#cancel(String)] does
  public boolean cancel(String reason, Throwable cause) {
    return cancelFor(reason, Objects.requireNonNull(cause, "cause"));
  }

  private boolean cancelFor(String reason, @Nullable Throwable cause) {
    String target = "scope '" + name + "'";
    if (!loop.isCaller()) {
      var foreign = CancelRequest.here(target, reason, Thread.currentThread().getName(), cause);
      return loop.post(
          new Inbox.Entry() {
            @Override
            void deliver() {
              take(foreign);
            }
          });
    }
    return take(CancelRequest.here(target, reason, loop.callerName(), cause));
  }

  boolean take(CancelRequest taken) {
    if (request != null) {
      return false;
    }
    request = taken;
    if (task != null) {
      task.refreshPendingCancel();
      task.applyCancel();
    }
    return true;
  }

  /// {@return whether it was cancelled, or its deadline has come}
  public boolean isCancelled() {
    return request != null;
  }

  @Nullable CancelRequest request() {
    return request;
  }

  @Nullable CancelScope outer() {
    return outer;
  }

  boolean isShield() {
    return shield;
  }

  @Override
  public String toString() {
    return "scope '" + name + "'" + (request == null ? "" : " (cancelled)");
  }
}
