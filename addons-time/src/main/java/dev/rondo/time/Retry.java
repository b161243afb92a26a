package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Tries again what failed, after a while.
///
/// ```
/// var retry = Retry.create(app.scheduler(), Backoff.exponential(5, Duration.ofMillis(100)), new Random());
/// var socket = retry.call(() -> app.connect(address));
/// ```
///
/// Only exceptions are failures to try again after; errors, and with them cancellation, come out at
/// once. An instance can be used any number of times and by many tasks; give it a seeded generator,
/// and its waits are the same each time. Confined to the scheduler's thread.
public final class Retry {

  /// Earlier failures that the last one remembers.
  private static final int REMEMBERED = 8;

  private final WaitForTime time;
  private final Backoff backoff;
  private final RandomGenerator random;
  private final Predicate<? super Exception> worthwhile;

  /// Tries again after any exception.
  ///
  /// @param scheduler whose tasks wait
  /// @param backoff how often, and how long
  /// @param random for the jitter
  /// @return the retry
  public static Retry create(Scheduler scheduler, Backoff backoff, RandomGenerator random) {
    return new Retry(
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

  /// {@return one that tries again only after certain failures}
  ///
  /// @param failures after which to try again; what it throws comes out of the call
  public Retry onlyAfter(Predicate<? super Exception> failures) {
    return new Retry(time, backoff, random, failures);
  }

  /// Makes a call until it succeeds. *Possibly* a suspension point: it waits after a failure.
  /// Whatever it ends with, the failures before that are suppressed in it, the latest eight.
  ///
  /// @param <T> what it results in
  /// @param code may suspend
  /// @return what the first call that did not fail returned
  /// @throws Exception what the last attempt threw
  /// @throws TaskCancelled if the task is cancelled, or a limit that it is under has come
  /// @throws IllegalStateException after a failure, outside a stackful task of the scheduler
  public <T extends @Nullable Object> T call(Callable<? extends T> code) throws Exception {
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
          cancelled.addDetail(each); // it was going to try again
        } else if (each != end) {
          end.addSuppressed(each);
        }
      }
      throw end;
    }
  }
}
