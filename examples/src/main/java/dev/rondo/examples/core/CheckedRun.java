package dev.rondo.examples.core;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A run for tests. The debug checks find a lock that is held while a task gives way. A failed
/// assertion ends the run, although no task waits for the task in which it failed.
final class CheckedRun {

  private final Scheduler scheduler;
  private final Consumer<String> out;
  private final Lock lock = new ReentrantLock();

  private CheckedRun(Scheduler scheduler, Consumer<String> out) {
    this.scheduler = scheduler;
    this.out = out;
  }

  static void main() {
    run(Scheduler.builder(), IO::println);
  }

  /// Runs some tasks until one of them fails.
  static void run(SchedulerBuilder builder, Consumer<String> out) {
    SchedulerBuilder strict = builder.debug().fatal(AssertionError.class::isInstance);
    try (Scheduler scheduler = strict.build()) {
      var run = new CheckedRun(scheduler, out);
      scheduler.spawn("careless", run::yieldUnderLock);
      scheduler.spawn("wrong", run::failAssertion);
      scheduler.spawn("patient", run::yieldForEver);
      scheduler.start();
    } catch (AssertionError e) {
      out.accept("the run has ended: " + e.getMessage());
    }
  }

  private void yieldUnderLock() {
    lock.lock();
    try {
      scheduler.yield();
    } catch (IllegalStateException e) {
      out.accept("found: " + e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  private void failAssertion() {
    scheduler.yield();
    throw new AssertionError("the balance is -1");
  }

  private void yieldForEver() {
    while (true) {
      scheduler.yield();
    }
  }
}
