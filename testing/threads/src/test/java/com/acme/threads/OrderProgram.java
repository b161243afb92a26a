package com.acme.threads;

import dev.rondo.simulation.WorldHost;
import java.time.Duration;
import java.util.function.Consumer;

/// A service that takes orders with a pool of connections, and says what has become of them.
public final class OrderProgram implements WorldHost.Main {

  private final int connections;
  private final int threads;
  private final int orders;
  private final Duration pause;
  private final Duration work;
  private final Consumer<String> told;

  /// @param connections of the pool
  /// @param threads that take orders
  /// @param orders how many there are
  /// @param pause between two of them
  /// @param work in each transaction
  /// @param told receives `acknowledged 7`, `failed 7 ..`, `stored 7`, and at last `end`
  public OrderProgram(
      int connections,
      int threads,
      int orders,
      Duration pause,
      Duration work,
      Consumer<String> told) {
    this.connections = connections;
    this.threads = threads;
    this.orders = orders;
    this.pause = pause;
    this.work = work;
    this.told = told;
  }

  @Override
  public void run(WorldHost host) throws Exception {
    Thread.sleep(1000);
    var service = new Orders("database", connections, work, told);
    service.prepare();
    service.run(threads, orders, pause);
    service.tellStored();
    service.close();
    told.accept("end");
  }
}
