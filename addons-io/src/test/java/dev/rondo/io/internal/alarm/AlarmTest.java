package dev.rondo.io.internal.alarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Instants are long past or an hour ahead, so nothing here depends on how fast the machine is. The
/// limit only bounds a hang.
class AlarmTest {

  private static final long AN_HOUR_NANOS = Duration.ofHours(1).toNanos();

  private final Semaphore wakeups = new Semaphore(0);
  private final LinkedBlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
  private final Alarm alarm =
      new Alarm(() -> {
        threads.add(Thread.currentThread());
        wakeups.release();
      });

  @AfterEach
  void close() {
    alarm.close();
  }

  @Test
  void set_instantHasPassed_wakesOnce() throws InterruptedException {
    alarm.set(System.nanoTime());
    wakeups.acquire();
    alarm.set(System.nanoTime());
    wakeups.acquire();
    assertEquals(0, wakeups.availablePermits());
  }

  @Test
  void set_earlierThanTheLastTime_wakesAtTheEarlier() throws InterruptedException {
    for (int i = 0; i < 1_000; i++) { // the thread is at another place each time
      alarm.set(System.nanoTime() + AN_HOUR_NANOS);
      alarm.set(System.nanoTime());
      wakeups.acquire();
    }
  }

  @Test
  void set_againAfterItWasCleared_wakes() throws InterruptedException {
    for (int i = 0; i < 1_000; i++) {
      alarm.set(System.nanoTime() + AN_HOUR_NANOS);
      alarm.clear();
      alarm.set(System.nanoTime());
      wakeups.acquire();
    }
  }

  @Test
  void clear_beforeTheInstant_doesNotWake() throws InterruptedException {
    alarm.set(System.nanoTime() + AN_HOUR_NANOS);
    alarm.clear();
    alarm.set(System.nanoTime());
    wakeups.acquire();
    alarm.close();
    threads.take().join();
    assertEquals(0, wakeups.availablePermits());
  }

  @Test
  void close_endsTheThread() throws InterruptedException {
    alarm.set(System.nanoTime());
    Thread thread = threads.take();
    alarm.close();
    thread.join();
    assertTrue(thread.isDaemon());
  }

  @Test
  void close_whileItIsSet_endsTheThread() throws InterruptedException {
    alarm.set(System.nanoTime());
    Thread thread = threads.take();
    alarm.set(System.nanoTime() + AN_HOUR_NANOS);
    alarm.close();
    thread.join();
    assertEquals(1, wakeups.availablePermits());
  }
}
