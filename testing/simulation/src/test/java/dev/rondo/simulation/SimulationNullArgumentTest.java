package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.NullArguments;
import dev.rondo.simulation.model.Model;
import dev.rondo.time.VirtualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class SimulationNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(() -> new VirtualClock().scheduler(Scheduler.builder()))
          .sample(World.class, scheduler -> World.withSeed(1))
          .sample(
              WorldHost.class, scheduler -> World.withSeed(1).host("host", "10.0.0.9", host -> {}))
          .sample(HostClock.class, scheduler -> aHost().clock())
          .sample(SimulatedNetwork.class, scheduler -> new SimulatedNetwork())
          .sample(SimulatedHost.class, scheduler -> new SimulatedNetwork().host("h", "10.0.0.1"))
          .sample(SimulatedLinks.class, scheduler -> new SimulatedNetwork().links())
          .sample(
              SimulatedLatency.class, scheduler -> SimulatedLatency.constant(Duration.ofMillis(1)))
          .sample(SimulatedDisk.class, scheduler -> aDisk())
          .sample(OutsideCalls.class, scheduler -> OutsideCalls.in())
          .sample(Collection.class, scheduler -> List.of())
          .sample(Path.class, scheduler -> aDisk().path("/"))
          .sample(Chaos.class, scheduler -> Chaos.partitions())
          .sample(History.class, scheduler -> History.timedBy(() -> Duration.ZERO))
          .sample(
              Invocation.class,
              scheduler -> History.timedBy(() -> Duration.ZERO).invoke("client", "input"))
          .sample(OutsidePolicy.class, scheduler -> OutsidePolicy.IGNORE)
          .anyTime("HostClock.offset")
          .engineCalls(
              Model.class,
              OutsideAgent.class,
              SimulatedPacket.class,
              SimulatedProxy.class,
              WorldHost.Main.class);

  private static WorldHost aHost() {
    return World.withSeed(1).host("host", host -> {});
  }

  private static SimulatedDisk aDisk() {
    return new SimulatedDisk(new SplittableRandom(1));
  }

  @Test
  void null_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(World.class));
  }
}
