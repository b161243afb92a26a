package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.engine.util.Alerts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Failures that no task or thread was waiting for.
final class Failures {

  private final Turns turns;
  private final FailureHandler handler;

  /// What is fatal besides the errors of the JVM.
  private final Predicate<? super Throwable> isFatal;

  private final List<Throwable> ofAddOns = new ArrayList<>();

  /// What stops the loop; null if nothing does.
  @Nullable Throwable fatal;

  Failures(Turns turns, FailureHandler handler, Predicate<? super Throwable> isFatal) {
    this.turns = turns;
    this.handler = handler;
    this.isFatal = isFatal;
  }

  /// A task has failed.
  ///
  /// @param observed whether a waiter or listener received it
  /// @return whether the failure is not the task's own, and must stop the loop
  boolean take(TaskCore<?> task, Throwable failure, boolean observed) {
    if (task.addOn) {
      ofAddOns.add(failure);
    }
    if (!observed && isFatal(failure)) {
      takeFatal(failure);
      return true;
    }
    if (!observed || task.addOn) {
      report("task '" + task.name() + "'", failure);
    } else if (failure instanceof OutOfMemoryError) {
      Alerts.error("task '" + task.name() + "' failed with " + failure, failure);
    }
    return false;
  }

  /// An action that was posted has failed: nothing waits for it.
  ///
  /// @return whether that must stop the loop
  boolean takeOfAction(String what, Throwable failure) {
    if (isFatal(failure)) {
      takeFatal(failure);
      return true;
    }
    report(what, failure);
    return false;
  }

  /// Whether a failure must stop the loop: the JVM is broken, or the builder has named it. A task
  /// that joined another fails with what the other failed with.
  private boolean isFatal(Throwable failure) {
    Throwable own = failure;
    while (own instanceof TaskFailedException && own.getCause() != null) {
      own = own.getCause();
    }
    if (own instanceof InternalError || own instanceof UnknownError) {
      return true;
    }
    try {
      return isFatal.test(own);
    } catch (Throwable e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /// The loop must stop: it has failed itself, or the machine has. The first is what is thrown.
  @SuppressWarnings("ReferenceEquality") // a throwable cannot suppress itself
  void takeFatal(Throwable failure) {
    Throwable first = fatal;
    if (first == null) {
      fatal = failure;
    } else if (first != failure) {
      first.addSuppressed(failure);
    }
  }

  void throwFatal() {
    Throwable failure = fatal;
    if (failure != null) {
      fatal = null;
      throw Throwables.rethrow(failure);
    }
  }

  /// For when there is no loop left that it could stop.
  void reportFatal(String where) {
    Throwable failure = fatal;
    if (failure != null) {
      fatal = null;
      report(where, failure);
    }
  }

  /// What waits on an add-on that has failed will wait for ever: a deadlock tells of it.
  void suppressAddOnsIn(Throwable deadlock) {
    ofAddOns.forEach(deadlock::addSuppressed);
  }

  /// For when the handler's thread is gone.
  static void log(String where, Throwable failure) {
    Alerts.error(where + " failed, and the scheduler is closed", failure);
  }

  void report(String where, Throwable failure) {
    turns.apart(() -> "report of " + where, () -> handle(where, failure));
  }

  private void handle(String where, Throwable failure) {
    try {
      handler.failed(where, failure);
    } catch (Throwable e) {
      Alerts.error("the failure handler failed at " + where, e);
      Alerts.error(where + " failed", failure);
    }
  }
}
