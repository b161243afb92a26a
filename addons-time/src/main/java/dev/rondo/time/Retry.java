package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskCancelled;
import java.util.ArrayDeque;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// Repeats a call that failed, after a delay.
///
/// ```java
/// var retry = new Retry(app.scheduler(), Backoff.exponential(5, Duration.ofMillis(100)), new Random());
/// var socket = retry.run(() -> app.connect("localhost", 8080));
/// ```
///
/// Only exceptions lead to another attempt. Errors, including cancellation, are thrown at once. An
/// instance can be used any number of times and by many tasks. With a seeded generator, its waits
/// are the same in each run. Confined to the scheduler's thread.
public final class Retry {

  /// The number of earlier failures that are suppressed in the last one.
  private static final int REMEMBERED = 8;

  private final WaitForTime time;
  private final Backoff backoff;
  private final RandomGenerator random;
  private final Predicate<? super Exception> worthwhile;

  /// Makes a retry after any exception but `InterruptedException`.
  ///
  /// @param scheduler whose tasks wait
  /// @param backoff determines the number of attempts, and the waits between them
  /// @param random for the jitter
  public Retry(Scheduler scheduler, Backoff backoff, RandomGenerator random) {
    this(
        WaitForTime.on(scheduler),
        backoff,
        random,
        failure -> !(failure instanceof InterruptedException));
  }

  private Retry(
      WaitForTime time,
      Backoff backoff,
      RandomGenerator random,
      Predicate<? super Exception> worthwhile) {
    this.time = time;
    this.backoff = requireNonNull(backoff, "backoff is null");
    this.random = requireNonNull(random, "random is null");
    this.worthwhile = requireNonNull(worthwhile, "failures is null");
  }

  /// {@return a retry with these settings that tries again only after certain failures}
  ///
  /// @param failures returns whether to try again; its exceptions are thrown by the call
  public Retry onlyAfter(Predicate<? super Exception> failures) {
    return new Retry(time, backoff, random, failures);
  }

  /// Repeats a call until it succeeds. A *possible* suspension point: it waits after a failure. The
  /// exception that ends the call carries up to eight of the latest earlier failures as suppressed
  /// exceptions.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the code throws
  /// @param code may suspend
  /// @return the result of the first attempt that succeeded
  /// @throws X what the last attempt threw
  /// @throws TaskCancelled if the task is cancelled, or the deadline of a scope around it has
  ///   passed
  /// @throws IllegalStateException after a failure, outside a stackful task of the scheduler
  public <T extends @Nullable Object, X extends Exception> T run(TaskCall<? extends T, X> code)
      throws X {
    requireNonNull(code, "code is null");
    var failures = new ArrayDeque<Exception>();
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          return code.call();
        } catch (Exception e) {
          failures.addLast(e);
          if (attempt >= backoff.attempts() || !worthwhile.test(e)) {
            throw e;
          }
        }
        if (failures.size() > REMEMBERED) {
          failures.removeFirst();
        }
        time.sleep(backoff.after(attempt, random));
      }
    } catch (Throwable end) {
      for (Exception each : failures) {
        if (end instanceof TaskCancelled cancelled) {
          cancelled.addDetail(each); // these led to the wait that was cancelled
        } else if (each != end) {
          end.addSuppressed(each);
        }
      }
      throw end;
    }
  }

  /// [#run(TaskCall)] for code without a result. A *possible* suspension point.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code may suspend
  /// @throws X what the last attempt threw
  /// @throws TaskCancelled if the task is cancelled, or the deadline of a scope around it has
  ///   passed
  /// @throws IllegalStateException after a failure, outside a stackful task of the scheduler
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public <X extends Exception> void run(TaskAction<X> code) throws X {
    requireNonNull(code, "code is null");
    TaskCall<@Nullable Void, X> withResult =
        () -> {
          code.run();
          return null;
        };
    run(withResult);
  }
}
