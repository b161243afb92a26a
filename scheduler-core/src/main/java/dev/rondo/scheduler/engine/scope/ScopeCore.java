package dev.rondo.scheduler.engine.scope;

import dev.rondo.scheduler.CancelScope;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.CancelSource;
import dev.rondo.scheduler.engine.Cancellation;
import dev.rondo.scheduler.engine.Faces;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.Throwables;
import dev.rondo.scheduler.engine.thread.InterruptedCalls;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The implementation of [CancelScope][dev.rondo.scheduler.CancelScope].
public final class ScopeCore extends CancelScope implements CancelSource {

  private final Loop loop;

  /// Null for the scope of [Scheduler#within(Duration, TaskCall)].
  private final @Nullable String name;

  private final boolean shield;
  private @Nullable StackfulTask<?> task;

  /// The source around this scope, while a task runs in it; null if there is none.
  private @Nullable CancelSource outer;

  /// The request that cancels the code in this scope; null if the scope is not cancelled.
  @Nullable CancelRequest request;

  /// The time limit; null if there is none.
  private @Nullable Duration limit;

  /// Whether there is a deadline, because the limit is not for ever.
  private boolean timed;

  private long deadlineNanos;
  private boolean expired;

  /// The event that the task waited for when the time was up; null if it did not wait for an event.
  private @Nullable Waitable<?> awaited;

  private boolean used;

  /// Makes a scope, on the thread of its scheduler.
  public static CancelScope of(SchedulerCore scheduler, String name) {
    Loop loop = scheduler.loop;
    loop.checkCaller();
    return new ScopeCore(loop, Objects.requireNonNull(name, "name is null"), false);
  }

  public ScopeCore(Loop loop, @Nullable String name, boolean shield) {
    this.loop = loop;
    this.name = name;
    this.shield = shield;
  }

  public static ScopeCore shield(Loop loop) {
    return new ScopeCore(loop, "shield", true);
  }

  @Override
  public <X extends Exception> void run(TaskAction<X> code) throws X {
    run(Faces.callable(Objects.requireNonNull(code, "code is null")));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T run(TaskCall<? extends T, X> code)
      throws X {
    Objects.requireNonNull(code, "code is null");
    return run(loop.currentStackful("run of a scope"), code);
  }

  /// Runs code inside this scope, in the current task.
  <T extends @Nullable Object, X extends Exception> T run(
      StackfulTask<?> self, TaskCall<? extends T, X> code) throws X {
    begin(self);
    try {
      enter(self);
      return code.call();
    } catch (TaskCancelled e) {
      if (isMine(e)) {
        throw Throwables.<X>rethrow(translated(self, e, e));
      }
      throw e;
    } catch (Exception e) {
      CancelRequest own = request;
      if (own != null && Cancellation.interruptedFor(self) == own) {
        TaskCancelled interrupted =
            InterruptedCalls.cancelled(own, e); // thrown by the code in place of the interrupt
        throw Throwables.<X>rethrow(translated(self, interrupted, e));
      }
      throw Throwables.<X>rethrow(e); // unchecked, or declared by the code
    } finally {
      exit(self);
    }
  }

  /// Runs code inside this scope with a limit, see [Scheduler#within].
  public <T extends @Nullable Object, X extends Exception> T run(
      Duration timeout, TaskCall<? extends T, X> code) throws X {
    long nanos = Durations.nanos(timeout, "timeout");
    TimerService timers = loop.requireTimerService();
    limit = timeout;
    if (nanos == Durations.FOREVER_NANOS) {
      return run(code);
    }
    timed = true;
    deadlineNanos = loop.deadlineAfter(nanos);
    TimerHandle alarm = timers.at(deadlineNanos, this::expire);
    try {
      return run(code);
    } finally {
      alarm.cancel();
    }
  }

  private void expire() {
    if (request == null) {
      expired = true;
      StackfulTask<?> self = task;
      awaited = self == null ? null : self.awaited();
      cancelHere(
          CancelRequest.here("scope '" + name() + "'", "its time is up", "its deadline", null));
    }
  }

  /// The name. It is made when a message needs it, because making it takes longer than all other
  /// work of a scope.
  private String name() {
    return name != null ? name : "within " + ReportText.duration(Objects.requireNonNull(limit));
  }

  private void begin(StackfulTask<?> self) {
    if (used) {
      throw new IllegalStateException("scope '" + name() + "' was used before; make a new one");
    }
    outer = self.extras().cancelSource;
    used = true;
  }

  private static void innermost(StackfulTask<?> self, @Nullable CancelSource source) {
    self.extras().cancelSource = source;
    self.refreshPendingCancel();
  }

  /// If the stack ends in this method, [#exit] undoes the changes that were made.
  private void enter(StackfulTask<?> self) {
    innermost(self, this);
    task = self;
    if (shield && Cancellation.interruptedFor(self) != null) {
      Thread.interrupted(); // the interrupt was for the code outside, which may not have noticed it
    }
  }

  private void exit(StackfulTask<?> self) {
    try {
      task = null;
      innermost(self, outer);
    } catch (StackOverflowError e) {
      throw loop.cutShort("a scope ended", e);
    }
    if (request != null && Cancellation.interruptedFor(self) == request) {
      Thread.interrupted(); // the interrupt was for the code inside, which may not have noticed it
    }
  }

  private boolean isMine(TaskCancelled e) {
    return request != null && request.isCauseOf(e);
  }

  /// Whether an exception comes from the cancellation of this scope. Such an exception was thrown
  /// in the scope itself, or by a join of a task that the same request has cancelled.
  boolean isEchoedBy(CancellationException e) {
    return e.getCause() instanceof TaskCancelled cause && isMine(cause);
  }

  /// The exception that the scope throws in place of its own cancellation. This is a cancellation
  /// from outside, if one has come while the code cleaned up.
  private Throwable translated(StackfulTask<?> self, TaskCancelled e, Throwable thrown) {
    CancelRequest ofTask = self.cancelRequest();
    CancelSource around = outer;
    TaskCancelled due = Cancellation.dueIfNew(self, around == null ? ofTask : around.due(ofTask));
    if (due != null) {
      e.failures().forEach(due::addSuppressed);
      return due;
    }
    if (expired && limit != null) {
      Waitable<?> event = awaited;
      String of = "within(..) of task '" + self.name() + "'";
      var timeout =
          new TimedOutException(
              limit, event == null ? of : of + ", waiting for " + ReportText.describe(event));
      timeout.initCause(thrown);
      return timeout;
    }
    return Throwables.cancellation(e);
  }

  @Override
  public boolean cancel(String reason) {
    return cancelFor(reason, null);
  }

  @Override
  public boolean cancel(String reason, Throwable cause) {
    return cancelFor(reason, Objects.requireNonNull(cause, "cause is null"));
  }

  private boolean cancelFor(String reason, @Nullable Throwable cause) {
    String target = "scope '" + name() + "'";
    if (loop.isCaller()) {
      return cancelHere(CancelRequest.here(target, reason, loop.callerName(), cause));
    }
    var foreign = CancelRequest.here(target, reason, Loop.thisThread(), cause);
    return loop.post(() -> cancelHere(foreign));
  }

  /// Receives a request, on the scheduler's thread.
  ///
  /// @return false if the scope was cancelled before
  boolean cancelHere(CancelRequest received) {
    if (request != null) {
      return false;
    }
    request = received;
    if (task != null) {
      Rooms.TurnHooks hooks = loop.hooks;
      if (hooks != null) {
        hooks.cancelled(task, received);
      }
      task.refreshPendingCancel();
      task.applyCancel();
    }
    return true;
  }

  @Override
  public boolean isCancelled() {
    return request != null;
  }

  /// The request that holds for code in this scope: the request for the whole task, or for the
  /// outermost scope, but no request from outside of a shield.
  @Override
  public @Nullable CancelRequest due(@Nullable CancelRequest ofTask) {
    CancelRequest due = null;
    CancelSource source = this;
    while (source instanceof ScopeCore each) { // thousands may be nested: no recursion
      if (each.request != null) {
        due = each.request;
      }
      if (each.shield) {
        return due;
      }
      source = each.outer;
    }
    CancelRequest outside = source == null ? ofTask : source.due(ofTask);
    return outside != null ? outside : due;
  }

  /// The earliest deadline of this scope and of the scopes around it, up to a shield.
  @Override
  public OptionalLong deadlineNanos() {
    OptionalLong earliest = OptionalLong.empty();
    CancelSource source = this;
    while (source instanceof ScopeCore each && !each.shield) {
      if (each.timed && (earliest.isEmpty() || each.deadlineNanos - earliest.getAsLong() < 0)) {
        earliest = OptionalLong.of(each.deadlineNanos);
      }
      source = each.outer;
    }
    return earliest;
  }

  /// Whether code runs in this scope.
  boolean isOpen() {
    return task != null;
  }

  @Override
  public String toString() {
    return "scope '" + name() + "'" + (request == null ? "" : " (cancelled)");
  }
}
