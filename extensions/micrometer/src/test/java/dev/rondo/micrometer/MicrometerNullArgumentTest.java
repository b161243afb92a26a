package dev.rondo.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.NullArguments;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class MicrometerNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(() -> Scheduler.builder().build())
          .opened(SchedulerMetrics.class, SchedulerMetrics::new)
          .sample(HttpServerMetrics.class, _ -> new HttpServerMetrics(new SimpleMeterRegistry()));

  @Test
  void null_anywhere_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(SchedulerMetrics.class));
    assertEquals(List.of(), arguments.notRefused(HttpServerMetrics.class));
  }
}
