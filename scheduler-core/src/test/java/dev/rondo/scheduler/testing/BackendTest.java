package dev.rondo.scheduler.testing;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.Parameter;

/// A test class that runs on every coroutine backend: what its schedulers are built with, and what
/// they reported.
@EveryBackend
public abstract class BackendTest {

  /// A failure that the scheduler's failure handler was told.
  ///
  /// @param where what was running
  /// @param failure what it threw
  public record Reported(String where, Throwable failure) {}

  /// What the tests run on. Set by JUnit.
  @Parameter(0)
  public CoroutineBackend backend;

  /// Whether a waiting task may stay mounted. Set by JUnit.
  @Parameter(1)
  public boolean residentTask;

  private final List<Reported> reported = new ArrayList<>();

  /// For subclasses.
  protected BackendTest() {}

  /// {@return a builder for this backend, whose failure handler writes down what it is told}
  protected final SchedulerBuilder builder() {
    SchedulerBuilder builder =
        Scheduler.builder()
            .backend(backend)
            .failureHandler((where, failure) -> reported.add(new Reported(where, failure)));
    return residentTask ? builder.withMountedTask() : builder;
  }

  /// {@return what the failure handler was told since the last time}
  protected final List<Reported> takeReported() {
    var taken = List.copyOf(reported);
    reported.clear();
    return taken;
  }

  /// {@return [#takeReported()], without where it was}
  protected final List<Throwable> takeFailures() {
    return takeReported().stream().map(Reported::failure).toList();
  }
}
