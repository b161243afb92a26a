package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.Scheduler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What went wrong and nobody was waiting for.
final class Failures {

  private final FailureHandler handler;
  private final List<Throwable> ofAddOns = new ArrayList<>();
  private @Nullable Throwable fatal;

  Failures(FailureHandler handler) {
    this.handler = handler;
  }

  /// A task has failed.
  ///
  /// @param observed whether somebody was told
  /// @return whether the failure is not the task's own, and must stop the loop
  boolean take(TaskCore<?> task, Throwable failure, boolean observed) {
    if (task.addOn) {
      ofAddOns.add(failure);
    }
    boolean ofTheMachine =
        failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError);
    boolean ofLinkage =
        failure instanceof LinkageError && !(failure instanceof ExceptionInInitializerError);
    if (ofTheMachine || ofLinkage) {
      takeFatal(failure);
      return true;
    }
    if (!observed || task.addOn) {
      report("task '" + task.name() + "'", failure);
    }
    return false;
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

  boolean hasFatal() {
    return fatal != null;
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
    logger().error("{} failed, and the scheduler is closed", where, failure);
  }

  void report(String where, Throwable failure) {
    try {
      handler.failed(where, failure);
    } catch (Throwable e) {
      logger().error("the failure handler failed at {}", where, e);
      logger().error("{} failed", where, failure);
    }
  }

  /// Looked up when there is something to log: loading a logging library takes longer than all the
  /// rest of the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(Scheduler.class);
  }
}
