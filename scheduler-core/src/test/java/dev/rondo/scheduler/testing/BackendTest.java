package dev.rondo.scheduler.testing;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.Parameter;

/// Runs a test class on every coroutine backend: builds its schedulers, and collects the failures
/// that they report.
@EveryBackend
public abstract class BackendTest {

  /// A failure that the scheduler's failure handler received.
  ///
  /// @param where what was running
  /// @param failure what it threw
  public record Reported(String where, Throwable failure) {}

  /// The backend of the tests. Set by JUnit.
  @Parameter(0)
  public CoroutineBackend backend;

  private final List<Reported> reported = new ArrayList<>();

  /// For subclasses.
  protected BackendTest() {}

  /// {@return a builder for this backend, whose failure handler collects what it receives}
  protected final SchedulerBuilder builder() {
    return Scheduler.builder()
        .backend(backend)
        .failureHandler((where, failure) -> reported.add(new Reported(where, failure)));
  }

  /// {@return what the failure handler has received since the last call}
  protected final List<Reported> takeReported() {
    var taken = List.copyOf(reported);
    reported.clear();
    return taken;
  }

  /// {@return the failures of [#takeReported()]}
  protected final List<Throwable> takeFailures() {
    return takeReported().stream().map(Reported::failure).toList();
  }

  /// Runs a task and all that it starts; its failure stops the scheduler.
  ///
  /// @param scheduler of the calling thread
  /// @param main the task
  protected static void runOn(Scheduler scheduler, Callable<?> main) {
    var failure = new AtomicReference<Throwable>();
    scheduler.spawn(
        "main",
        () -> {
          try {
            main.call();
          } catch (Throwable e) {
            failure.set(e);
            scheduler.stop();
          }
        });
    scheduler.start();
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }
}
