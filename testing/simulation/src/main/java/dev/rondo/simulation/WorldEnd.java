package dev.rondo.simulation;

import java.time.Duration;
import java.util.List;

/// The end of a world: its hosts stop in order, all at once, and leave nothing behind.
final class WorldEnd {

  /// By how much the time of a slow host may be longer than that of the world.
  private static final int SLOWEST_CLOCK = 3;

  private final WorldDriver driver;
  private final List<WorldHost> hosts;

  WorldEnd(WorldDriver driver, List<WorldHost> hosts) {
    this.driver = driver;
    this.hosts = hosts;
  }

  /// @param cleanUp how long tasks may take to end, in virtual time
  void run(Duration cleanUp) {
    hosts.forEach(WorldHost::endThreads);
    processes().forEach(each -> each.shutDown(cleanUp));
    long limit = driver.time().nanos() + SLOWEST_CLOCK * cleanUp.toNanos();
    for (HostProcess each : processes()) {
      while (!each.isShutDown() && (driver.turn() != null || driver.advance(limit))) {
        // Until it has ended.
      }
    }
    processes().forEach(each -> each.host().close(each, limit));
    driver.enterContext(null);
  }

  private List<HostProcess> processes() {
    return hosts.stream().flatMap(host -> host.processes().stream()).toList();
  }
}
