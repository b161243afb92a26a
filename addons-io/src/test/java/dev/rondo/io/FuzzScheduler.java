package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import java.util.ArrayList;
import java.util.List;

/// Runs each input as the main task of one scheduler, which is reused because creating one costs
/// more than most inputs.
final class FuzzScheduler {

  @FunctionalInterface
  interface Body {
    void run(Scheduler scheduler) throws Exception;
  }

  private static final List<Throwable> FAILURES = new ArrayList<>();
  private static final ThreadLocal<Scheduler> SCHEDULERS =
      ThreadLocal.withInitial(
          () -> Scheduler.builder().failureHandler((where, e) -> FAILURES.add(e)).build());

  private FuzzScheduler() {}

  static void run(Body body) throws Throwable {
    Scheduler scheduler = SCHEDULERS.get();
    FAILURES.clear();
    var main = scheduler.spawn("main", () -> body.run(scheduler));
    scheduler.start();
    if (!FAILURES.isEmpty()) {
      throw FAILURES.getFirst();
    }
    if (!main.isDone()) {
      throw new AssertionError("it has not ended: " + main);
    }
  }
}
