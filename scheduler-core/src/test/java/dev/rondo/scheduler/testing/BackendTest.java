package dev.rondo.scheduler.testing;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.ArrayList;
import java.util.List;
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

  /// Whether a waiting task may stay mounted. Set by JUnit.
  @Parameter(1)
  public boolean residentTask;

  private final List<Reported> reported = new ArrayList<>();

  /// For subclasses.
  protected BackendTest() {}

  /// {@return a builder for this backend, whose failure handler collects what it receives}
  protected final SchedulerBuilder builder() {
    SchedulerBuilder builder =
        Scheduler.builder()
            .backend(backend)
            .failureHandler((where, failure) -> reported.add(new Reported(where, failure)));
    return residentTask ? builder.withMountedTask() : builder;
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
}
