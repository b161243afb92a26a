package dev.rondo.scheduler.coroutine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.Test;

/// Several loops on HANDOFF, whose tasks are virtual threads on carriers that they share.
class CarriersTest {

  private final AtomicBoolean released = new AtomicBoolean();
  private final CountDownLatch computing = new CountDownLatch(carriersNow());

  private static int carriersNow() {
    return ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class).getParallelism();
  }

  private static Thread startLoop(Thread.Builder builder, Runnable task) {
    return builder.start(() -> {
      try (var scheduler = Scheduler.builder().backend(CoroutineBackends.handoff()).build()) {
        scheduler.spawn(task::run);
        scheduler.start();
      }
    });
  }

  private void compute() {
    computing.countDown();
    while (!released.get()) {
      Thread.onSpinWait();
    }
  }

  /// Without a carrier of its own the last loop would have its turn when another one has ended, and
  /// these end after that turn: the test would not end.
  @Test
  void asManyLoopsComputeAsThereAreCarriers_anotherHasItsTurn() throws InterruptedException {
    var loops = new ArrayList<Thread>();
    long wanted = computing.getCount();
    for (long i = 0; i < wanted; i++) {
      loops.add(startLoop(Thread.ofPlatform(), this::compute));
    }
    computing.await();
    loops.add(startLoop(Thread.ofVirtual(), () -> released.set(true)));
    for (Thread each : loops) {
      each.join();
    }
    assertTrue(released.get());
  }

  @Test
  void manySchedulersOfOneThread_addNoCarriers() {
    startAndClose();
    int before = carriersNow();
    for (int i = 0; i < 10; i++) {
      startAndClose();
    }
    assertTrue(carriersNow() <= before, carriersNow() + " carriers, " + before + " before");
  }

  private static void startAndClose() {
    try (var scheduler = Scheduler.builder().backend(CoroutineBackends.handoff()).build()) {
      scheduler.start();
    }
  }
}
