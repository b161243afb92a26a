package dev.rondo.computicle;

import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.Loops;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Several schedulers, each running on a thread of its own until its tasks have ended, or until a
/// task of any of them has failed.
final class Fleet implements AutoCloseable {

  /// Far more than any test takes, and more than a message takes if many of them are asked for.
  private static final long PATIENCE_MILLIS =
      Math.max(30_000, Integer.getInteger("rondo.test.messages", 0));

  private final CoroutineBackend backend;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Scheduler> schedulers = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  Fleet(CoroutineBackend backend) {
    this.backend = backend;
  }

  /// Starts a loop that runs a task and those that it makes.
  void start(String name, TaskAction<?> main) {
    threads.add(Thread.ofPlatform().name(name).daemon().start(() -> run(name, main)));
  }

  private void run(String name, TaskAction<?> main) {
    try (Scheduler scheduler =
        Scheduler.builder()
            .backend(backend)
            .failureHandler((where, failure) -> failed(failure))
            .build()) {
      schedulers.add(scheduler);
      scheduler.spawn(name, main);
      scheduler.start();
    } catch (Throwable e) {
      failed(e);
    }
  }

  private void failed(Throwable failure) {
    failures.add(failure);
    schedulers.forEach(Scheduler::stop);
  }

  /// Blocks until all loops have ended; fails if a task has, or if they do not.
  @Override
  public void close() {
    try {
      for (Thread each : threads) {
        each.join(PATIENCE_MILLIS);
        if (each.isAlive()) {
          failed(new AssertionError("'" + each.getName() + "' hangs\n" + dump()));
          each.join(PATIENCE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.peek());
    }
  }

  private String dump() {
    var text = new StringBuilder();
    for (Scheduler each : schedulers) {
      try {
        Loops.dump(each, DumpFormat.TEXT, text, Duration.ofSeconds(2));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
    return text.toString();
  }
}
