package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.NullArguments;
import dev.rondo.time.VirtualClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class ComputicleNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(() -> new VirtualClock().scheduler(Scheduler.builder()))
          .sample(Endpoint.class, scheduler -> new Endpoint<>("e", 1))
          .sample(Endpoints.class, scheduler -> new Endpoints())
          .sample(ComputicleBuilder.class, scheduler -> Computicle.builder("c"))
          .opened(Computicle.class, scheduler -> Computicle.builder("c").start())
          .opened(Pool.class, scheduler -> new Pool("p", 0))
          .sample(
              RemoteTask.class,
              scheduler -> new RemoteTask<Object>("r", () -> "x", false, ended -> {}))
          .sample(CarriedContext.class, scheduler -> CarriedContext.capture())
          .engineCalls(Computicle.Main.class);

  @Test
  void null_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(Computicle.class));
  }
}
