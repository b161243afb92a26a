package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.WaitForTime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// Half a million of each: how many bytes of heap one takes that waits for an hour, after garbage
/// collection. What keeps a handle of it pays for that itself: four bytes.
final class TimerFootprint {

  private static final int COUNT = 500_000;
  private static final int WARM_UP = 200_000;
  private static final int COLLECTIONS = 4;
  private static final Duration HOUR = Duration.ofHours(1);

  private static int fired;

  private TimerFootprint() {}

  static void main() throws InterruptedException {
    print("armed callback, time.at(instant, action)", TimerFootprint::callbacks);
    print("armed delay, time.delay(duration, action)", TimerFootprint::delays);
    print("sleeping stackful task, time.sleep(duration)", TimerFootprint::tasks);
    print("sleeping kotlinx coroutine, delay(millis)", TimerFootprint::coroutines);
    print("sleeping virtual thread, Thread.sleep(duration)", TimerFootprint::virtualThreads);
  }

  /// Makes so many, measures, and lets them go.
  @FunctionalInterface
  private interface Subject {
    long usedBy(int count) throws InterruptedException;
  }

  private static void print(String what, Subject subject) throws InterruptedException {
    subject.usedBy(WARM_UP); // compiled frames are half as large as interpreted ones
    long before = used();
    long bytes = subject.usedBy(COUNT) - before;
    System.out.printf(Locale.ROOT, "%-50s %6.1f B%n", what, (double) bytes / COUNT);
  }

  private static long used() {
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
        time.at(scheduler.deadlineAfter(HOUR.plusNanos(1_000L * i)), () -> fired = n);
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

  private static long tasks(int count) {
    try (var scheduler = Scheduler.create()) {
      WaitForTime time = WaitForTime.on(scheduler);
      for (int i = 0; i < count; i++) {
        Duration duration = HOUR;
        scheduler.spawn(() -> time.sleep(duration));
      }
      while (scheduler.step()) {
        // Until all sleep.
      }
      return used();
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
    LockSupport.parkNanos(Duration.ofSeconds(1).toNanos()); // the last of them falls asleep
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
