package dev.rondo.condition;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A handler that runs when an event comes: once, or each time.
///
/// The handler runs in a task of the registration's own, so it may suspend; its runs never overlap.
/// The task is a daemon: it does not keep the scheduler running, and a handler that has not run
/// stays registered for a later run of the scheduler. While the handler runs, the registration does
/// not wait. Afterwards it waits again, behind all other waiters. When the handler fails, the
/// registration ends; the failure goes to the scheduler's failure handler. A registration that runs
/// its handler each time ends with the first event after a shutdown has begun: that event runs no
/// handler.
///
/// Confined to the scheduler's thread.
public final class HandlerRegistration {

  private final Scheduler scheduler;
  private final Task<Void> task;

  /// Whether the handler will run (again).
  private boolean active = true;

  /// Set by a cancellation if the event had come and the handler had not begun.
  private boolean hasCome;

  /// Whether the task has had a turn; before that it has no stack.
  private boolean entered;

  /// Whether the handler is running, or suspended halfway.
  private boolean handling;

  private HandlerRegistration(Scheduler scheduler, String name, Work work) {
    this.scheduler = scheduler;
    this.task =
        scheduler
            .newTask(name, () -> work.run(this))
            .daemon()
            .trap((ended, outcome) -> {
              active = false;
              return outcome;
            });
  }

  /// The task's body.
  private interface Work {
    void run(HandlerRegistration self) throws Exception;
  }

  /// Runs the handler when the event comes for the first time.
  static <T extends @Nullable Object> HandlerRegistration once(
      Scheduler scheduler, String name, Waitable<T> event, SignalHandler<? super T> handler) {
    return new HandlerRegistration(
            scheduler,
            name,
            self -> {
              T value = self.first();
              if (self.active) {
                self.active = false;
                handler.handle(value);
              }
            })
        .waitingFor(event);
  }

  /// Runs the handler each time the event comes. An event that is not handled is lost.
  static <T extends @Nullable Object> HandlerRegistration always(
      Scheduler scheduler, String name, Waitable<T> event, SignalHandler<? super T> handler) {
    return always(scheduler, name, event, handler, unhandled -> {});
  }

  /// Runs the handler each time the event comes.
  ///
  /// @param giveBack receives the value of an event that was not handled because of a cancellation
  static <T extends @Nullable Object> HandlerRegistration always(
      Scheduler scheduler,
      String name,
      Waitable<T> event,
      SignalHandler<? super T> handler,
      Consumer<? super T> giveBack) {
    return new HandlerRegistration(
            scheduler,
            name,
            self -> {
              self.serve(handler, self.first(), giveBack);
              Waitable<T> next = self.whileActive(event);
              while (self.active) {
                self.serve(handler, scheduler.await(next), giveBack); // holds no value meanwhile
              }
            })
        .waitingFor(event);
  }

  /// Lets the task wait; it needs no stack until the event comes.
  private HandlerRegistration waitingFor(Waitable<?> event) {
    var _ = scheduler.queue().scheduleOn(task, event);
    return this;
  }

  /// Returns the value of the event that started the task's first turn.
  @SuppressWarnings({"unchecked", "NullAway"}) // the event delivers values of its type
  private <T extends @Nullable Object> T first() {
    entered = true;
    return (T) scheduler.received();
  }

  /// The event, unless a cancellation comes first while the task gives way before it waits.
  @SuppressWarnings("NullAway") // no code receives the null
  private <T extends @Nullable Object> Waitable<T> whileActive(Waitable<T> event) {
    Waitable<T> over = Waitable.always((T) null);
    return Waitable.guard(() -> {
      if (active) {
        return event;
      }
      hasCome = false;
      return over;
    });
  }

  private <T extends @Nullable Object> void serve(
      SignalHandler<? super T> handler, T value, Consumer<? super T> giveBack) throws Exception {
    if (!active) {
      if (hasCome) {
        giveBack.accept(value);
      }
      return;
    }
    if (scheduler.host().isShuttingDown()) {
      active = false;
      giveBack.accept(value);
      return;
    }
    handling = true;
    try {
      handler.handle(value);
    } finally {
      handling = false;
    }
  }

  /// Ends the registration: the handler no longer runs, not even for an event that has already
  /// come. A run that has begun continues to its end. Never a suspension point.
  ///
  /// @return false if the registration had ended, or its only run had begun
  public boolean cancel() {
    scheduler.host().checkThread();
    if (!active) {
      return false;
    }
    active = false;
    if (handling) {
      return true;
    }
    hasCome = task.taskState() == TaskState.READY;
    if (hasCome) {
      return true; // the task ends in its next turn
    }
    if (entered) {
      var _ = scheduler.scheduleTask(task); // the task ends in that turn
    } else {
      var _ = task.cancel("the registration was cancelled");
    }
    return true;
  }

  /// Whether the handler will run (again).
  boolean isActive() {
    scheduler.host().checkThread();
    return active;
  }

  @Override
  public String toString() {
    return task.name() + (active ? "" : " (not active)");
  }
}
