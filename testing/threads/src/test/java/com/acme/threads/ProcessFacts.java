package com.acme.threads;

import dev.rondo.simulation.WorldHost;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.function.Consumer;

/// Says what a process knows of itself.
public final class ProcessFacts implements WorldHost.Main {

  private final Consumer<String> told;

  /// @param told receives its numbers, its start, and for how long it runs
  public ProcessFacts(Consumer<String> told) {
    this.told = told;
  }

  @Override
  public void run(WorldHost host) throws Exception {
    Thread.sleep(60_000);
    RuntimeMXBean bean = ManagementFactory.getRuntimeMXBean();
    told.accept(
        "%d %d %s %d %d"
            .formatted(
                ProcessHandle.current().pid(),
                bean.getPid(),
                bean.getName(),
                bean.getStartTime(),
                bean.getUptime()));
  }
}
