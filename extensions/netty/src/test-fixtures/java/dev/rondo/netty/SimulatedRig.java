package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.SimulatedNetwork;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WaitForTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A scheduler with Netty on a simulated host, under virtual time.
public abstract class SimulatedRig extends BackendTest {

  protected static final InetSocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 80);

  protected VirtualClock clock;
  protected Scheduler scheduler;
  protected WaitForNetty netty;

  @BeforeEach
  protected void openHost() {
    clock = new VirtualClock();
    SimulatedHost host = SimulatedNetwork.on(clock).host("host", "10.0.0.1");
    scheduler = clock.scheduler(builder());
    var _ = host.install(scheduler);
    var _ = WaitForTime.on(scheduler);
    netty = WaitForNetty.on(scheduler);
  }

  @AfterEach
  protected void nothingIsLeft() {
    int open = netty.openCount();
    scheduler.close();
    assertEquals(0, open);
    assertEquals(List.of(), takeReported());
  }

  protected void run(TaskAction<?> main) {
    runOn(
        scheduler,
        () -> {
          main.run();
          pause(); // the loop closes what was closed
          return null;
        });
  }

  /// Lets everything happen that needs no more time.
  protected void pause() {
    WaitForTime.on(scheduler).sleep(Duration.ofMillis(1));
  }
}
