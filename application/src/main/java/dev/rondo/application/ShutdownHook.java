package dev.rondo.application;

import com.google.common.math.LongMath;
import dev.rondo.application.internal.HostedRun;
import dev.rondo.scheduler.coroutine.Coroutine;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stops an application when the JVM goes down (SIGINT, SIGTERM, `System.exit`), and keeps the JVM
/// until the application's tasks have cleaned up, or its grace is over.
final class ShutdownHook implements AutoCloseable {

  /// After its time is up the application reports the tasks that are left, and ends. To load a
  /// logging library for that takes a busy machine a second.
  private static final Duration REPORT_ALLOWANCE = Duration.ofSeconds(3);

  private final Application application;
  private final Duration drain;
  private final Duration grace;
  private final Thread loop = Thread.currentThread();
  private final CountDownLatch end = new CountDownLatch(1);

  /// Set by the hook before it stops the application; read by the application when it has ended.
  private volatile boolean goingDown;

  private final Thread hook = new Thread(this::stopAndWait, "rondo shutdown");

  /// Made on the application's thread.
  ShutdownHook(Application application, Duration drain, Duration grace) {
    this.application = application;
    this.drain = drain;
    this.grace = grace;
    HostedRun host = application.scheduler().addOn(HostedRun.class);
    if (host != null) {
      host.end().whenComplete((code, failure) -> end.countDown());
    }
  }

  /// From now on the JVM waits for it.
  ///
  /// @throws IllegalStateException if the JVM is going down already
  void add() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void stopAndWait() {
    goingDown = true;
    application
        .shutdown(drain, grace)
        .thenAccept(left -> {
          if (left.stream().anyMatch(task -> isExit(task.stack().stream()))) {
            end.countDown(); // only the task that called System.exit is left, and waits for us
          }
        });
    if (isExiting(loop) || isExiting(inTurn()) || !loop.isAlive()) {
      return; // a task called System.exit: the loop waits for it, and it for us
    }
    try {
      long limitNanos =
          Stream.of(drain, grace, REPORT_ALLOWANCE)
              .mapToLong(TimeUnit.NANOSECONDS::convert) // saturated
              .reduce(0, LongMath::saturatedAdd);
      if (!end.await(limitNanos, TimeUnit.NANOSECONDS)) {
        logger()
            .warn(
                "the application has not ended within {} of being told to",
                Duration.ofNanos(limitNanos));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The thread of the task whose turn it is, if the loop waits for that on another one.
  private @Nullable Thread inTurn() {
    return LockSupport.getBlocker(loop) instanceof Coroutine task ? task.thread() : null;
  }

  private static boolean isExiting(@Nullable Thread thread) {
    return thread != null && isExit(Arrays.stream(thread.getStackTrace()));
  }

  private static boolean isExit(Stream<StackTraceElement> stack) {
    return stack.anyMatch(frame -> frame.getClassName().equals("java.lang.Shutdown"));
  }

  /// The application has ended.
  @Override
  public void close() {
    end.countDown();
    if (goingDown) {
      return; // it is the hook that waits for us
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      logger().debug("the JVM is going down already", e);
    }
  }

  /// Looked up when there is something to log: loading a logging library takes longer than all the
  /// rest of the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(Application.class);
  }
}
