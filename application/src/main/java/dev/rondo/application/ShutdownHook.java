package dev.rondo.application;

import com.google.common.math.LongMath;
import dev.rondo.application.internal.HostedRun;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stops an application when the JVM shuts down (SIGINT, SIGTERM, `System.exit`), and delays the
/// end of the JVM until the tasks have cleaned up or the grace is over.
final class ShutdownHook implements AutoCloseable {

  /// Time for the application to report the tasks that are left after its grace, and to end.
  private static final Duration REPORT_ALLOWANCE = Duration.ofSeconds(3);

  private final Application application;
  private final Duration drain;
  private final Duration grace;
  private final Thread loop = Thread.currentThread();
  private final CountDownLatch end = new CountDownLatch(1);

  /// Written by the hook before it stops the application; read by the application when it has
  /// ended.
  private volatile boolean goingDown;

  /// The failure of the application; null if there is none. Confined to its thread.
  private @Nullable Throwable failure;

  private final Thread hook = new Thread(this::stopAndWait, "rondo shutdown");

  /// On the application's thread.
  ShutdownHook(Application application, Duration drain, Duration grace) {
    this.application = application;
    this.drain = drain;
    this.grace = grace;
    HostedRun host = application.scheduler().host().addOn(HostedRun.class);
    if (host != null) {
      host.end().whenComplete((code, failure) -> end.countDown());
    }
  }

  /// Registers the hook: from now on the JVM waits for the application.
  ///
  /// @throws IllegalStateException if the JVM is shutting down already
  void add() {
    Runtime.getRuntime().addShutdownHook(hook);
    LoopControl.of(application.scheduler().host()).expectShutdown();
  }

  /// {@return whether the JVM is shutting down} Any thread.
  static boolean isJvmEnding() {
    var probe = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      return !Runtime.getRuntime().removeShutdownHook(probe);
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private void stopAndWait() {
    goingDown = true;
    // Loads the library now. On a busy machine that takes seconds, and messages logged meanwhile
    // would be lost if the allowance ended first.
    LoggerFactory.getILoggerFactory();
    application
        .shutdown(drain, grace)
        .thenAccept(left -> {
          if (left.stream().anyMatch(task -> isExit(task.stack().stream()))) {
            end.countDown(); // only the task that called System.exit is left, and it waits for
            // this hook
          }
        });
    if (isExiting(loop) || isExiting(inTurn()) || !loop.isAlive()) {
      return; // a task called System.exit: the loop waits for it, and it waits for this hook
    }
    try {
      long limitNanos =
          Stream.of(drain, grace, REPORT_ALLOWANCE)
              .mapToLong(TimeUnit.NANOSECONDS::convert) // saturated
              .reduce(0, LongMath::saturatedAdd);
      if (!end.await(limitNanos, TimeUnit.NANOSECONDS)) {
        FailureLogger.warn(
            "the application has not ended within "
                + ReportText.nanos(limitNanos)
                + " of the shutdown request");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// {@return the thread of the running task, if the loop waits for that task on another thread}
  private @Nullable Thread inTurn() {
    return LockSupport.getBlocker(loop) instanceof Coroutine task ? task.thread() : null;
  }

  private static boolean isExiting(@Nullable Thread thread) {
    return thread != null && isExit(Arrays.stream(thread.getStackTrace()));
  }

  private static boolean isExit(Stream<StackTraceElement> stack) {
    return stack.anyMatch(frame -> frame.getClassName().equals("java.lang.Shutdown"));
  }

  /// Called with the failure of the application, before [#close()].
  void failed(Throwable why) {
    failure = why;
  }

  /// Called when the application has ended. Logs its failure if the JVM is about to end, because
  /// the caller of the run would have no time to log it.
  @Override
  public void close() {
    Throwable why = failure;
    if (!isRemoved() && why != null) {
      FailureLogger.ended(why);
    }
    end.countDown();
  }

  private boolean isRemoved() {
    if (goingDown) {
      return false; // the hook waits for this call
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
      return true;
    } catch (IllegalStateException e) {
      logger().debug("the JVM is shutting down already", e);
      return false;
    }
  }

  /// Looked up on first use: loading a logging library takes longer than the rest of the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(Application.class);
  }
}
