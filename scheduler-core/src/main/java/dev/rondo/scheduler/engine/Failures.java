package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Trap;
import dev.rondo.scheduler.engine.util.Alerts;
import dev.rondo.scheduler.internal.ReportText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Handles the failures that no task or thread receives.
final class Failures {

  private final Loop loop;
  private final FailureHandler handler;

  /// Tests which failures are fatal, besides the errors of the JVM.
  private final Predicate<? super Throwable> isFatal;

  private final List<Throwable> ofAddOns = new ArrayList<>();

  /// The failures that other code may still receive; null before the first such failure.
  private Rooms.@Nullable HeldFailures held;

  /// The failure that stops the loop; null if there is none.
  @Nullable Throwable fatal;

  Failures(Loop loop, Settings settings) {
    this.loop = loop;
    this.handler = settings.failureHandler();
    this.isFatal = settings.fatal();
  }

  /// Takes the failures of a task that has ended: its failure, or the failures of its cleanup if it
  /// was cancelled.
  ///
  /// @param observed whether a waiter or listener received it
  void takeOutcome(TaskCore<?> task, Outcome<?> outcome, boolean observed) {
    if (outcome instanceof Outcome.Failure<?>(Throwable cause)) {
      take(task, cause, observed);
    } else if (outcome instanceof Outcome.Cancelled<?>(TaskCancelled cause)
        && cause.getSuppressed().length > 0) {
      cause.failures().forEach(each -> take(task, each, observed));
    }
  }

  /// Takes the failure of a task. A failure that is not the task's own stops the loop.
  private void take(TaskCore<?> task, Throwable failure, boolean observed) {
    if (task.isAddOn()) {
      ofAddOns.add(failure);
    }
    if (!observed && isFatal(failure)) {
      takeFatal(failure);
    } else if (task.isAddOn() || (!observed && failure instanceof OutOfMemoryError)) {
      report("task '" + task.name() + "'", failure);
    } else if (!observed) {
      hold("task '" + task.name() + "'", failure, task::isTaken);
    } else if (failure instanceof OutOfMemoryError) {
      Alerts.error(
          ReportText.escaped("task '" + task.name() + "' failed with " + failure), failure);
    }
  }

  /// Takes the failure of a posted action. No code waits for an action.
  void takeOfAction(String what, Throwable failure) {
    if (isFatal(failure)) {
      takeFatal(failure);
    } else {
      report(what, failure);
    }
  }

  /// Whether a failure must stop the loop, because the JVM is broken or the builder has specified
  /// such failures as fatal. A task that joins a failed task fails with the same cause.
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

  /// Takes a failure that must stop the loop. The run throws the first such failure.
  void takeFatal(Throwable failure) {
    Throwable first = fatal;
    if (first == null) {
      fatal = failure;
    } else {
      addSuppressed(first, failure);
    }
    loop.passSoon();
  }

  void throwFatal() {
    Throwable failure = fatal;
    if (failure != null) {
      fatal = null;
      throw Throwables.rethrow(failure);
    }
  }

  /// Reports the fatal failure when no loop is left that it could stop.
  void reportFatal(String where) {
    Throwable failure = fatal;
    if (failure != null) {
      fatal = null;
      report(where, failure);
    }
  }

  /// Adds the failures of add-ons to the report of a deadlock: the events of an add-on that has
  /// failed never come.
  void suppressAddOnsIn(Throwable deadlock) {
    ofAddOns.forEach(deadlock::addSuppressed);
  }

  /// Logs a failure when the handler's thread is gone.
  static void log(String where, Throwable failure) {
    Alerts.error(ReportText.escaped(where) + " failed, and the scheduler is closed", failure);
  }

  void report(String where, Throwable failure) {
    loop.runUserCode(() -> "report of " + where, () -> handle(where, failure));
  }

  /// Reports a failure that other code may still receive. The report comes after a second, or when
  /// the run ends, unless the failure was received by then. Without a timer service the report
  /// comes at once.
  ///
  /// @param received whether other code has received it meanwhile
  void hold(String where, Throwable failure, BooleanSupplier received) {
    if (held == null) {
      held = Rooms.all().heldFailures(loop);
    }
    held.add(where, failure, received);
  }

  /// Reports all failures that are held, because no code that could receive them runs any more.
  void endHeld() {
    if (held != null) {
      held.endAll();
    }
  }

  private void handle(String where, Throwable failure) {
    try {
      handler.failed(where, failure);
    } catch (Throwable e) {
      Alerts.error("the failure handler failed at " + ReportText.escaped(where), e);
      Alerts.error(where + " failed", failure);
    }
  }

  /// Runs the trap of a task that ends.
  ///
  /// @return the outcome that the trap returns; if the trap fails, its failure
  static <T extends @Nullable Object> Outcome<T> trapped(
      TaskCore<T> task, Trap<T> trap, Outcome<T> outcome) {
    try {
      return Objects.requireNonNull(
          trap.settle(task, outcome),
          () -> "the trap of task '" + task.name() + "' returned no outcome");
    } catch (Throwable e) {
      switch (outcome) {
        case Outcome.Success<T> success -> {}
        case Outcome.Failure<T>(Throwable cause) -> addSuppressed(e, cause);
        case Outcome.Cancelled<T>(TaskCancelled cause) -> addSuppressed(e, cause);
      }
      return new Outcome.Failure<>(e);
    }
  }

  /// A throwable cannot suppress itself: a trap may rethrow the exception that it has received.
  @SuppressWarnings("ReferenceEquality")
  private static void addSuppressed(Throwable primary, Throwable earlier) {
    if (primary != earlier) {
      primary.addSuppressed(earlier);
    }
  }
}
