package com.acme.threads;

import dev.rondo.simulation.WorldHost;
import java.util.List;
import java.util.function.IntConsumer;

public final class OrderProgram implements WorldHost.Main {

  private final List<String> failed;
  private final IntConsumer done;

  public OrderProgram(List<String> failed, IntConsumer done) {
    this.failed = failed;
    this.done = done;
  }

  @Override
  public void run(WorldHost host) throws Exception {
    Thread.sleep(1000);
    var service = new Orders.Service("database", "orders", 5);
    service.prepare();
    service.run(10, 100, 1000);
    failed.addAll(service.failed);
    done.accept(service.count());
  }
}
