package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.testing.NullArguments;
import dev.rondo.time.VirtualClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class ApplicationNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(ApplicationNullArgumentTest::schedulerOfApplication)
          .sample(Application.class, scheduler -> Application.current())
          .sample(ApplicationBuilder.class, scheduler -> Application.builder())
          .sample(LoopGroup.class, scheduler -> Application.builder().loops("loop", 2))
          .sample(LoopGroup.Member.class, scheduler -> loop(Application.current()))
          .sample(CoroutineBackend.class, scheduler -> CoroutineBackends.defaultBackend())
          .sample(VirtualClock.class, scheduler -> new VirtualClock())
          .sample(TaskExecutor.class, scheduler -> shutDown(new TaskExecutor(scheduler)))
          .sample(
              ScheduledTaskExecutor.class,
              scheduler -> shutDown(new ScheduledTaskExecutor(scheduler)));

  private static Scheduler schedulerOfApplication() {
    return Application.builder().clock(new VirtualClock()).build().scheduler();
  }

  private static LoopGroup.Member loop(Application app) {
    return new LoopGroup.Member(Application.builder().loops("loop", 1), app, 0, "loop-0");
  }

  /// An executor without a shutdown would keep the application running.
  private static <E extends TaskExecutor> E shutDown(E executor) {
    executor.shutdown();
    return executor;
  }

  @Test
  void null_toApplications_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(Application.class));
  }

  @Test
  void null_toExecutors_isRefusedByName() throws Exception {
    assertEquals(
        List.of(), arguments.notRefusedBy(TaskExecutor.class, ScheduledTaskExecutor.class));
  }

  @Test
  @SuppressWarnings("NullAway")
  void nullProgram_buildsNothing() {
    ApplicationBuilder builder =
        Application.builder()
            .addOn(scheduler -> {
              throw new AssertionError("built");
            });
    var refused = assertThrows(NullPointerException.class, () -> builder.run(null));
    assertEquals("main is null", refused.getMessage());
  }
}
