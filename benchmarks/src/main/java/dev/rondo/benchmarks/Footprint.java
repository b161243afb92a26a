package dev.rondo.benchmarks;

import dev.rondo.benchmarks.run.Sample;
import dev.rondo.condition.Signal;
import dev.rondo.condition.channel.Channel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.time.WaitForTime;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The heap, in bytes after garbage collection, that each of half a million waiting things takes.
/// Handles count where a subject keeps them: four bytes each.
///
/// Up to half of a sleeping stackful task is the copy of its stack, which shrinks as the compiler
/// inlines more; the rest is the task, its coroutine and the timer. So each subject is made and
/// released several times before the measurement, until its code is compiled. Inlining depends on
/// the other code that has run in the JVM, so each subject has a JVM of its own.
public final class Footprint {

  private static final int COUNT = 500_000;
  private static final int WARM_UP = 200_000;
  private static final int WARM_UP_ROUNDS = 5;
  private static final int COLLECTIONS = 4;
  private static final Duration HOUR = Duration.ofHours(1);

  private static final String TIMER = "armed timer";
  private static final String TASK = "sleeping task";
  private static final String WAITER = "task that waits for a signal";
  private static final String CHANNEL = "empty channel";

  private static int fired;

  private Footprint() {}

  /// One kind of waiting thing.
  private record Kind(String what, String who, Subject subject) {

    String name() {
      return what + ": " + who;
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind(TIMER, "rondo", Footprint::callbacks),
          new Kind(TIMER, "rondoDelay", Footprint::delays),
          new Kind(TIMER, "scheduledExecutor", Footprint::futures),
          new Kind(TASK, "bare", Footprint::fibers),
          new Kind(TASK, "rondo", count -> tasks(CoroutineBackends.continuation(), count)),
          new Kind(TASK, "rondoBound", count -> tasks(CoroutineBackends.bound(), count)),
          new Kind(TASK, "rondoStackless", Footprint::stepTasks),
          new Kind(TASK, "kotlinx", Footprint::coroutines),
          new Kind(TASK, "virtualThreads", Footprint::virtualThreads),
          new Kind(WAITER, "rondo", Footprint::waiters),
          new Kind(CHANNEL, "rondo", Footprint::channels),
          new Kind(CHANNEL, "blockingQueue", Footprint::queues));

  /// {@return the arguments of the program, one for each kind}
  public static String[] names() {
    return KINDS.stream().map(Kind::name).toArray(String[]::new);
  }

  static void main(String[] args) throws InterruptedException {
    for (Kind kind : KINDS) {
      if (kind.name().equals(args[0])) {
        print(kind.what, kind.who, kind.subject);
      }
    }
  }

  /// Makes a number of waiting things, measures, and releases them.
  @FunctionalInterface
  private interface Subject {
    long usedBy(int count) throws InterruptedException;
  }

  private static void print(String what, String who, Subject subject) throws InterruptedException {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      subject.usedBy(WARM_UP); // compiled frames are half as large as interpreted ones
    }
    long before = used();
    long bytes = subject.usedBy(COUNT) - before;
    Sample.print("footprint", what, who, "B", (double) bytes / COUNT);
  }

  /// {@return the bytes of the heap that are in use after garbage collection}
  public static long used() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long callbacks(int count) {
    try (var scheduler = Scheduler.create()) {
      WaitForTime time = WaitForTime.on(scheduler);
      for (int i = 0; i < count; i++) {
        int n = i;
        time.at(scheduler.host().deadlineAfter(HOUR.plusNanos(1_000L * i)), () -> fired = n);
      }
      return used();
    }
  }

  private static long delays(int count) {
    try (var scheduler = Scheduler.create()) {
      WaitForTime time = WaitForTime.on(scheduler);
      for (int i = 0; i < count; i++) {
        int n = i;
        time.delay(HOUR.plusNanos(1_000L * i), () -> fired = n);
      }
      return used();
    }
  }

  private static long tasks(CoroutineBackend backend, int count) {
    try (var scheduler = Scheduler.builder().backend(backend).build()) {
      WaitForTime time = WaitForTime.on(scheduler);
      for (int i = 0; i < count; i++) {
        Duration duration = HOUR;
        scheduler.spawn(() -> time.sleep(duration));
      }
      while (scheduler.step()) {
        // until all sleep
      }
      return used();
    }
  }

  private static final class Sleeper implements StepBody<Void> {
    private final WaitForTime time;
    private boolean slept;

    Sleeper(WaitForTime time) {
      this.time = time;
    }

    @Override
    public StepResult step(StepTask<Void> self) {
      if (slept) {
        return StepResult.DONE;
      }
      slept = true;
      return self.await(time.after(HOUR));
    }
  }

  private static long stepTasks(int count) {
    try (var scheduler = Scheduler.create()) {
      WaitForTime time = WaitForTime.on(scheduler);
      for (int i = 0; i < count; i++) {
        scheduler.host().spawnSteps("sleeper", new Sleeper(time));
      }
      while (scheduler.step()) {
        // until all sleep
      }
      return used();
    }
  }

  private static long waiters(int count) {
    try (var scheduler = Scheduler.create()) {
      Signal<Integer> signal = new Signal<>(scheduler, "go");
      for (int i = 0; i < count; i++) {
        scheduler.spawn(() -> scheduler.await(signal));
      }
      while (scheduler.step()) {
        // until all wait
      }
      return used();
    }
  }

  private static long channels(int count) {
    try (var scheduler = Scheduler.create()) {
      var channels = new Object[count];
      for (int i = 0; i < count; i++) {
        channels[i] = Channel.bounded(scheduler, 1);
      }
      try {
        return used();
      } finally {
        Reference.reachabilityFence(channels);
      }
    }
  }

  private static long queues(int count) {
    var queues = new Object[count];
    for (int i = 0; i < count; i++) {
      queues[i] = new ArrayBlockingQueue<>(1);
    }
    try {
      return used();
    } finally {
      Reference.reachabilityFence(queues);
    }
  }

  private static long fibers(int count) {
    var loop = new BareLoop();
    var asleep = new BareLoop.Fiber[count];
    for (int i = 0; i < count; i++) {
      asleep[i] = new BareLoop.Fiber(BareLoop::pause);
      loop.schedule(asleep[i]);
    }
    loop.run();
    try {
      return used() - 4L * count;
    } finally {
      Reference.reachabilityFence(asleep);
    }
  }

  private static long futures(int count) {
    try (var executor = new ScheduledThreadPoolExecutor(1)) {
      for (int i = 0; i < count; i++) {
        int n = i;
        executor.schedule(() -> fired = n, HOUR.toNanos() + 1_000L * i, TimeUnit.NANOSECONDS);
      }
      long used = used();
      executor.shutdownNow();
      return used;
    }
  }

  private static long coroutines(int count) throws InterruptedException {
    var asleep = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform().start(() -> CoroutinePeers.sleepers(count, asleep, release));
    asleep.await();
    long used = used();
    release.countDown();
    thread.join();
    return used;
  }

  private static long virtualThreads(int count) throws InterruptedException {
    var begun = new CountDownLatch(count);
    var threads = new Thread[count];
    for (int i = 0; i < count; i++) {
      threads[i] =
          Thread.startVirtualThread(() -> {
            begun.countDown();
            try {
              Thread.sleep(HOUR);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt(); // the end
            }
          });
    }
    begun.await();
    LockSupport.parkNanos(Duration.ofSeconds(1).toNanos()); // until the last of them sleeps
    long used = used() - 4L * count;
    for (Thread each : threads) {
      each.interrupt();
    }
    for (Thread each : threads) {
      each.join();
    }
    return used;
  }
}
